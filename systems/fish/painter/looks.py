"""The looks of fishes as the kernel takes them: one row of numbers each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....components.fish.scales import PATTERNS, Scales
from ...render.creatures.skins import SHELF
from ...render.scene.light import SEEN_TO_ALBEDO
from .skin_patterns import EYE, FIN, paint_skin

Array = NDArray[Any]

FIN_RED, FIN_GREEN, FIN_BLUE, EYE_RED, EYE_GREEN, EYE_BLUE = range(6)
(SKIN, GLOSS, SCALE_MARKS, WIDTH, HEIGHT, SNOUT, FIN_ALPHA, TAIL_SHAPE, TAIL_LENGTH, TAIL_SPREAD, DORSAL, PECTORALS, OAR,
 EYE_SIZE, FLOW) = range(6, 21)  # fmt: skip
LOOK_FIELDS = 21

TAIL_SHAPES = (0.45, 0.62, 0.06, -0.45, 0.30)
"""Of the outlines in `scales.TAILS`: the share of the length that a fork is deep; negative is rounded."""
FLOWING = (0.0, 0.0, 0.0, 0.2, 1.0)
"""How much each of them flows behind like cloth."""
INDIVIDUALS = {"plain": 3, "koi": 48}
"""Skins per kind of fish: patterns differ from one to the next, but a school need not have a thousand."""
MOST_OTHERS = 8


def look_rows(parameters: Array, colours: Array, serials: Array) -> Array:
    """Rows (n, LOOK_FIELDS) from rows of `ScalesPool` and serial numbers; skins that are missing are painted.

    Example::

        look_rows(pool.parameters[rows], pool.colors[rows], pool.owner[rows])
    """
    own, table = np.asarray(parameters), np.zeros((len(serials), LOOK_FIELDS), dtype=np.float32)
    table[:, FIN_RED : FIN_BLUE + 1] = np.square(colours[:, FIN]) * SEEN_TO_ALBEDO
    table[:, EYE_RED : EYE_BLUE + 1] = np.square(colours[:, EYE]) * SEEN_TO_ALBEDO
    names = {GLOSS: "GLOSS", SCALE_MARKS: "SCALE_MARKS", WIDTH: "WIDTH", HEIGHT: "HEIGHT", SNOUT: "SNOUT",
             TAIL_LENGTH: "TAIL_LENGTH", TAIL_SPREAD: "TAIL_SPREAD", DORSAL: "DORSAL", PECTORALS: "PECTORALS",
             OAR: "STROKE", EYE_SIZE: "EYE_SIZE"}  # fmt: skip
    for place, name in names.items():
        table[:, place] = own[:, Scales[name]]
    tails = own[:, Scales.TAIL].astype(np.int64)
    table[:, TAIL_SHAPE], table[:, FLOW] = np.take(TAIL_SHAPES, tails), np.take(FLOWING, tails)
    table[:, FIN_ALPHA] = 1.0 - own[:, Scales.TRANSLUCENCY]
    table[:, SKIN] = [_skin(*fish) for fish in zip(own, colours, serials.tolist(), strict=True)]
    return table


def individual(parameters: Array, serial: int) -> int:
    """Which of the skins of its kind a fish has."""
    return (serial * 7919) % INDIVIDUALS.get(PATTERNS[int(parameters[Scales.PATTERN])], MOST_OTHERS)


def _skin(parameters: Array, colours: Array, serial: int) -> int:
    """The place of a fish's skin on the shelf."""
    own, painted = np.ascontiguousarray(parameters), np.ascontiguousarray(colours)
    which = individual(own, serial)
    return SHELF.place(("fish", own.tobytes(), painted.tobytes(), which), lambda: paint_skin(own, painted, which))
