"""The line of a fish's body: smooth middles, half-width and half-height vectors through its five rings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....components.fish.topology import (
    CORNERS,
    LEFT_BOTTOM,
    LEFT_TOP,
    LOWER_TIP,
    NOSE,
    RIGHT_BOTTOM,
    RIGHT_TOP,
    RINGS,
    UPPER_TIP,
)
from ....engine.kernel import kernel
from ...render.creatures.curve_kernel import curve
from .looks import HEIGHT, SNOUT, WIDTH
from .school import CENTRE, HIGH, KNOT_ALONG, KNOTS, LAST_RING, NOSE_KNOT, TAIL_KNOT, WIDE

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

FULLNESS = 1.16  # of the box of a ring: an ellipse through less than its corners, but with about its area
SNOUT_START = 0.74  # of the first ring's size: what the snout rounds off to nothing
TAIL_STEM = 0.8  # of the last ring's size: where the body goes over into the fin
STEM_FROM, STEM_LENGTH = 4.9, 0.62  # knots: where the body rounds off, and over how much


@kernel(refcount=False)
def lay_spine(nodes: Array, look: Array, spine: Array) -> None:
    """Update the knots of a body line from the nodes of one fish."""
    wide, high = FULLNESS * look[WIDTH], FULLNESS * look[HEIGHT]
    for k in range(3):
        spine[CENTRE, NOSE_KNOT, k] = nodes[NOSE, k]
        spine[WIDE, NOSE_KNOT, k] = spine[HIGH, NOSE_KNOT, k] = 0.0
        for ring in range(RINGS):
            corner = 1 + CORNERS * ring
            left_top, left_bottom = nodes[corner + LEFT_TOP, k], nodes[corner + LEFT_BOTTOM, k]
            right_bottom, right_top = nodes[corner + RIGHT_BOTTOM, k], nodes[corner + RIGHT_TOP, k]
            spine[CENTRE, ring + 1, k] = 0.25 * (left_top + left_bottom + right_bottom + right_top)
            spine[WIDE, ring + 1, k] = 0.25 * wide * (left_top + left_bottom - right_bottom - right_top)
            spine[HIGH, ring + 1, k] = 0.25 * high * (left_top + right_top - left_bottom - right_bottom)
        spine[CENTRE, TAIL_KNOT, k] = 0.5 * (nodes[UPPER_TIP, k] + nodes[LOWER_TIP, k])
        spine[WIDE, TAIL_KNOT, k] = 0.5 * spine[WIDE, LAST_RING, k]
        spine[HIGH, TAIL_KNOT, k] = TAIL_STEM * spine[HIGH, LAST_RING, k]


@kernel(refcount=False)
def spine_length(spine: Array) -> float:
    """Return the length of a body line."""
    total = 0.0
    for i in range(KNOTS - 1):
        dx = spine[CENTRE, i + 1, 0] - spine[CENTRE, i, 0]
        dy = spine[CENTRE, i + 1, 1] - spine[CENTRE, i, 1]
        dz = spine[CENTRE, i + 1, 2] - spine[CENTRE, i, 2]
        total += math.sqrt(dx * dx + dy * dy + dz * dz)
    return total


@kernel(refcount=False)
def along_at(g: float) -> float:
    """Return the share of the length at place g, counted in knots."""
    i = min(max(int(g), 0), KNOTS - 2)
    return KNOT_ALONG[i] + (KNOT_ALONG[i + 1] - KNOT_ALONG[i]) * (g - i)


@kernel(refcount=False)
def station(spine: Array, look: Array, g: float, at: Array) -> None:
    """Update at (3, 3), middle, half-width and half-height vector of the body at place g; the snout is rounded."""
    curve(spine, CENTRE, KNOTS, g, at[CENTRE])
    if g >= 1.0:
        curve(spine, WIDE, KNOTS, g, at[WIDE])
        curve(spine, HIGH, KNOTS, g, at[HIGH])
        if g > STEM_FROM:
            x = min((g - STEM_FROM) / STEM_LENGTH, 1.0)
            shrink = math.sqrt(max(1.0 - x * x, 0.0))
            for k in range(3):
                at[WIDE, k] *= shrink
                at[HIGH, k] *= shrink
        return
    x = max(g, 0.0)
    round_ = max(1.0 - (1.0 - x) ** 2.0, 0.0) ** (0.5 * look[SNOUT])
    size = round_ * (SNOUT_START + (1.0 - SNOUT_START) * x)
    for k in range(3):
        at[WIDE, k], at[HIGH, k] = size * spine[WIDE, 1, k], size * spine[HIGH, 1, k]
