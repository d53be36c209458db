"""Pictures and clips read back as what was written."""

import struct
import zlib

import numpy as np

from paludarium.systems.render import save_clip, save_png
from paludarium.systems.render.output.clip import gif_bytes
from paludarium.systems.render.output.gif_kernel import lzw
from paludarium.systems.render.output.image import rgb_bytes


def decode_lzw(data):
    """The textbook decoder, as an oracle for the encoder."""
    bits, position = int.from_bytes(data, "little"), 0
    out, table, width, previous = [], {}, 9, None
    while True:
        code = (bits >> position) & ((1 << width) - 1)
        position += width
        if code == 256:
            table, width, previous = {k: bytes([k]) for k in range(256)}, 9, None
            table[256] = table[257] = b""
            continue
        if code == 257:
            return b"".join(out)
        entry = table[code] if code in table else previous + previous[:1]
        out.append(entry)
        if previous is not None and len(table) < 4096:
            table[len(table)] = previous + entry[:1]
            if len(table) == 1 << width and width < 12:
                width += 1
        previous = entry


def test_lzw_decodes_to_the_same_indices():
    random = np.random.default_rng(3)
    for indices in (random.integers(0, 256, 20000), random.integers(0, 3, 30000), np.zeros(5000), np.array([7])):
        indices = indices.astype(np.uint8)
        packed = np.zeros(indices.size * 2 + 64, dtype=np.uint8)
        size = lzw(indices, packed)
        assert decode_lzw(packed[:size].tobytes()) == indices.tobytes()


def test_png_holds_the_pixels(tmp_path):
    pixels = np.random.default_rng(1).integers(0, 1 << 24, (13, 17)).astype(np.uint32)
    save_png(tmp_path / "a.png", pixels)
    data = (tmp_path / "a.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (17, 13)
    start = data.index(b"IDAT") + 4
    length = struct.unpack(">I", data[start - 8 : start - 4])[0]
    rows = np.frombuffer(zlib.decompress(data[start : start + length]), dtype=np.uint8).reshape(13, 52)
    values = np.cumsum(rows[:, 1:].astype(int), axis=0) % 256  # undo the "up" filter
    np.testing.assert_array_equal(values.reshape(13, 17, 3), rgb_bytes(pixels))


def test_gif_keeps_few_colours_exactly_and_skips_unchanged_pixels():
    frame = np.zeros((40, 60), dtype=np.uint32)
    frame[:, 30:] = 0xFCFCFC
    moved = frame.copy()
    moved[5:8, 5:8] = 0xFC0404
    still, moving = gif_bytes([frame, frame]), gif_bytes([frame, moved])
    assert still[:6] == b"GIF89a"
    assert still[-1:] == b"\x3b"
    assert len(still) < len(moving) < len(still) + 60


def test_clip_without_gif_suffix_becomes_numbered_pictures(tmp_path):
    save_clip(tmp_path / "clip", [np.zeros((4, 4), dtype=np.uint32)] * 3)
    assert sorted(p.name for p in (tmp_path / "clip").iterdir()) == [f"frame_{k:04d}.png" for k in range(3)]
