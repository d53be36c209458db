"""Short clips: animated GIF with one palette and only the changed pixels, or a folder of PNG files."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .gif_kernel import lzw
from .image import rgb_bytes, save_png

COLOURS = 255  # one of 256 is kept for "unchanged"
UNCHANGED = 255
BINS = 32  # colour cells per channel
SAME = 10  # summed channel difference below which a pixel counts as unchanged: film grain is not worth bytes

Frames = Sequence[NDArray[np.uint32]]


def save_clip(path: str | Path, frames: Frames, frames_per_second: float = 25.0) -> None:
    """Save packed frames: a path ending in .gif becomes an animation, any other path a folder of numbered PNG files.

    Example::

        save_clip("walk.gif", frames, frames_per_second=25)
    """
    path = Path(path)
    if path.suffix.lower() == ".gif":
        path.write_bytes(gif_bytes(frames, frames_per_second))
        return
    path.mkdir(parents=True, exist_ok=True)
    for number, frame in enumerate(frames):
        save_png(path / f"frame_{number:04d}.png", frame)


def gif_bytes(frames: Frames, frames_per_second: float = 25.0) -> bytes:
    """The bytes of an endlessly repeating GIF."""
    height, width = frames[0].shape
    palette, lookup = _palette(frames)
    table = np.zeros((256, 3), dtype=np.uint8)
    table[: len(palette)] = palette
    parts = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF7, 0, 0), table.tobytes()]
    parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    delay = max(round(100.0 / frames_per_second), 2)
    shown: NDArray[np.int16] | None = None
    for frame in frames:
        colours = rgb_bytes(frame)
        indices = lookup[_cells(colours)]
        if shown is None:
            shown = colours.astype(np.int16)
        else:
            same = np.abs(colours.astype(np.int16) - shown).sum(axis=2) < SAME
            indices = np.where(same, UNCHANGED, indices)
            shown = np.where(same[:, :, None], shown, colours.astype(np.int16))
        parts.append(struct.pack("<4sHBB", b"\x21\xf9\x04\x05", delay, UNCHANGED, 0))
        parts.append(struct.pack("<BHHHHB", 0x2C, 0, 0, width, height, 0) + _image_data(indices.astype(np.uint8)))
    return b"".join([*parts, b"\x3b"])


def _image_data(indices: NDArray[np.uint8]) -> bytes:
    packed = np.empty(indices.size * 2 + 64, dtype=np.uint8)
    size = lzw(indices.ravel(), packed)
    data = packed[:size].tobytes()
    blocks = [data[k : k + 255] for k in range(0, len(data), 255)]
    return b"\x08" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\x00"


def _cells(colours: NDArray[np.uint8]) -> NDArray[np.int64]:
    coarse = (colours >> 3).astype(np.int64)
    return (coarse[..., 0] * BINS + coarse[..., 1]) * BINS + coarse[..., 2]


def _palette(frames: Frames) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Median cut over the colours of a few frames: the palette, and the palette index of every colour cell."""
    chosen = [rgb_bytes(frames[k]) for k in np.unique(np.linspace(0, len(frames) - 1, 4).astype(int))]
    counts = np.bincount(np.concatenate([_cells(c).ravel() for c in chosen]), minlength=BINS**3)
    used = np.nonzero(counts)[0]
    points = np.stack([used // BINS**2, used // BINS % BINS, used % BINS], axis=1).astype(np.float64)
    boxes = [np.arange(used.size)]
    while len(boxes) < COLOURS:
        spreads = [np.ptp(points[b], axis=0).max() * counts[used[b]].sum() ** 0.5 if b.size > 1 else 0.0 for b in boxes]
        widest = int(np.argmax(spreads))
        if spreads[widest] == 0.0:
            break
        boxes[widest : widest + 1] = _halves(boxes[widest], points, counts[used])
    means = np.stack([np.average(points[b], axis=0, weights=counts[used[b]]) for b in boxes])
    palette = np.clip(means * 8.0 + 4.0, 0, 255)
    return palette.astype(np.uint8), _nearest(palette)


def _halves(box: NDArray[np.int64], points: NDArray[np.float64], counts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Cut a box of colours in two of equal weight along its longest side."""
    axis = int(np.argmax(np.ptp(points[box], axis=0)))
    ordered = box[np.argsort(points[box, axis], kind="stable")]
    running = np.cumsum(counts[ordered])
    cut = int(np.clip(np.searchsorted(running, running[-1] / 2) + 1, 1, box.size - 1))
    return [ordered[:cut], ordered[cut:]]


def _nearest(palette: NDArray[np.float64]) -> NDArray[np.int64]:
    """Index of the closest palette colour for every cell of the colour cube."""
    cell = np.arange(BINS**3)
    colours = np.stack([cell // BINS**2, cell // BINS % BINS, cell % BINS], axis=1) * 8.0 + 4.0
    squares = (palette**2).sum(axis=1)[None, :] - 2.0 * colours @ palette.T
    return np.argmin(squares, axis=1)
