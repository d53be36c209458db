"""What insects carry: pieces of leaves and petals with ribs and a bright rim, lumps of carrion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import put_shape
from ...render.creatures.primitive_fields import H1, SHELL, Z1
from ...render.creatures.sheet import Skin
from ...render.raster.shell_kernel import sheen_code
from ...render.raster.shell_marks_kernel import LEAF_CUT, PETAL, PLAIN, markings_code
from .insect_parts_kernel import beside
from .swarm import AMOUNT, CARRION, HELD, SEED

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View
    from .swarm import Part, Seen

TINTS = np.array([(0.060, 0.300, 0.022), (0.085, 0.360, 0.020), (0.030, 0.190, 0.028), (0.150, 0.380, 0.018),
                  (0.110, 0.330, 0.030), (0.045, 0.240, 0.020), (0.420, 0.330, 0.025), (0.520, 0.090, 0.190),
                  (0.400, 0.330, 0.270), (0.480, 0.150, 0.030)], dtype=np.float32)  # fmt: skip
"""Linear colours: greens of leaves, then those of petals."""
GREENS = 6
PETAL_SHARE = 0.2
MEAT = (f32(0.10), f32(0.035), f32(0.022))
PIECE = 0.52  # units: half length of a piece of the amount below
USUAL_AMOUNT = 0.2
SMALLEST, LARGEST = 0.16, 1.1  # units


@kernel(refcount=False)
def dice(seed: float, salt: float) -> float:
    """Return a number in 0..1 that belongs to a piece."""
    value = math.sin(seed * 12.9898 + salt * 78.233) * 43758.5453
    return value - math.floor(value)


@kernel(refcount=False)
def put_held(sheet: Sheet, n: int, view: View, seen: Seen, head: Part, size: tuple[float, float], held: Array) -> int:
    """Update the sheet with the piece between the jaws, which stands out before them; return the next free row."""
    amount, seed = max(held[AMOUNT], 0.0), held[SEED]
    long = min(max(PIECE * (amount / USUAL_AMOUNT) ** (1.0 / 3.0), SMALLEST), LARGEST)
    turn, wide = 0.8 * (dice(seed, 1.0) - 0.5), long * (0.66 + 0.28 * dice(seed, 2.0))
    kind, number = LEAF_CUT, int(GREENS * 0.999 * dice(seed, 3.0))
    if dice(seed, 4.0) < PETAL_SHARE:
        kind, number = PETAL, GREENS + int((TINTS.shape[0] - GREENS) * 0.999 * dice(seed, 5.0))
    red, green, blue = TINTS[number, 0], TINTS[number, 1], TINTS[number, 2]
    if held[HELD] == CARRION:
        kind, red, green, blue = PLAIN, MEAT[0], MEAT[1], MEAT[2]
        long, wide = 0.7 * long, 0.55 * long
    c, s = math.cos(turn), math.sin(turn)
    f, left = head.forward, head.left
    ax, ay = f[0] * c + left[0] * s, f[1] * c + left[1] * s
    far = math.sqrt(ax * ax + ay * ay)
    if far < 1e-3:
        ax, ay = 1.0, 0.0
    else:
        ax, ay = ax / far, ay / far
    mouth = beside(head, 1.05 * size[0], 0.0, 0.1 * size[1])
    at = (mouth[0] + 0.86 * long * ax, mouth[1] + 0.86 * long * ay, mouth[2] + 0.25 * long)
    before = n
    skin = Skin(red, green, blue, f32(0.10), f32(0.7), f32(1.0))
    form = (0.5 * (dice(seed, 6.0) - 0.35), 0.22, 0.35 + 0.4 * dice(seed, 7.0))
    if kind == PLAIN:
        form = (0.2, 1.0, 0.2)
    forward, aside = (ax * long, ay * long), (-ay * wide, ax * wide)
    n = put_shape(sheet, n, view, SHELL, seen.layer, seen.ground, at, forward, aside, skin, form)
    if n > before:
        sheet.prims[before, H1] = markings_code(kind, 9 if kind == LEAF_CUT else 5, 0.0)
        sheet.prims[before, Z1] = sheen_code(2.2 * red, 1.7 * green, 1.6 * blue + 0.02, 0.45)
    return n
