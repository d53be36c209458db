"""Strip charts of leg states, drawn with plain arrays: one row per leg, time to the right. Used by the figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paludarium import Camera, LegState, World
from paludarium.engine.creature import Creature
from paludarium.systems.render.output.image import save_png

Pixels = NDArray[np.uint32]

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
COLORS = {LegState.SF1: 0x4FC3F7, LegState.SF2: 0x1E88E5, LegState.SB1: 0xAB47BC, LegState.SB2: 0xEC407A,
          LegState.STANCE: 0xF2B632, LegState.ADJUST: 0x66BB6A, LegState.TUCKED: 0x546E7A}  # fmt: skip
PANEL = 0x0E1216
SECOND_MARK = 0x39424C
ROW_PIXELS = 9
GAP_PIXELS = 1
MARGIN = 14
SIX_BITS, MIDDLE_OF_A_STEP = np.uint32(0xFCFCFC), np.uint32(0x020202)


def record(world: World, creature: Creature, ticks: int) -> NDArray[np.uint8]:
    """Step the world and return (ticks, pairs, 2) leg states."""
    states = []
    for _ in range(ticks):
        world.step()
        states.append(creature.legs.state.copy())
    return np.array(states)


def leg_chart(states: NDArray[np.uint8], width: int, ticks_per_second: int = 60) -> Pixels:
    """The left legs above the right legs, head on top of each half; a faint line at every second."""
    ticks, pairs, _ = states.shape
    palette = np.array([COLORS[state] for state in LegState], dtype=np.uint32)
    columns = np.minimum(np.arange(width - 2 * MARGIN) * ticks // (width - 2 * MARGIN), ticks - 1)
    step = ROW_PIXELS + GAP_PIXELS
    chart = np.full((2 * pairs * step + 3 * MARGIN, width), PANEL, dtype=np.uint32)
    for second in range(1, ticks // ticks_per_second + 1):
        chart[:, MARGIN + second * ticks_per_second * (width - 2 * MARGIN) // ticks - 1] = SECOND_MARK
    for side in (0, 1):
        for pair in range(pairs):
            top = MARGIN + (side * pairs + pair) * step + side * MARGIN
            chart[top : top + ROW_PIXELS, MARGIN : width - MARGIN] = palette[states[columns, pair, side]]
    return chart


def photograph(world: World, center: tuple[float, float], size: tuple[int, int], scale: float, *, states: bool = False,
               ) -> Pixels:  # fmt: skip
    """A still of the world around a point, legs coloured by their state if wanted."""
    picture = world.picture
    picture.show_leg_states = states
    still: Pixels = picture.frame(Camera(size, center=center, pixels_per_unit=scale), size, still=True).copy()
    return still


def mark_path(pixels: Pixels, points: NDArray[np.float64], center: tuple[float, float], scale: float, color: int) -> None:
    """Draw a dotted path of world points over a still."""
    height, width = pixels.shape
    places = Camera((width, height), center=center, pixels_per_unit=scale).to_screen(points[:, :2]).astype(int)
    for x, y in places:
        if 1 < x < width - 2 and 1 < y < height - 2:
            pixels[y - 1 : y + 2, x - 1 : x + 2] = color


def rounded(pixels: Pixels) -> Pixels:
    """Six bits per channel: the grain of sand and grass hardly packs, and a picture gets two fifths smaller by this
    without a visible difference; all figures together stay small enough to be cloned."""
    return (pixels & SIX_BITS) | MIDDLE_OF_A_STEP


def save(name: str, *pictures: Pixels, file: str | None = None) -> Path:
    """Put pictures of one width below each other and save them, in docs/images unless a file is named."""
    path = Path(file) if file else IMAGES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    save_png(path, rounded(np.concatenate(pictures)), level=9)
    return path
