"""Markings of shells: plates, wing cases with grooves and pits, ribs of leaves, shields, leathery wings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32
from ..creatures.primitive_fields import H1
from .rounded_shape_kernel import GRAINS
from .shade_kernel import clamp01

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector

PLAIN, BANDS, WING_CASES, LEAF_CUT, SHIELD, WINGS, PETAL = range(7)
"""Markings: none, plates one behind the other, two cases with grooves and pits, a piece of leaf, the shield behind a head,
leathery wings that overlap, a petal."""
MARKINGS, MOST_LINES = 8, 32
LINE_SEEN = f32(1.6)  # px between two lines from where on they are seen


@kernel(refcount=False)
def markings_code(kind: int, lines: float, depth: float) -> float:
    """Return markings as one number: kind, number of lines, and a share (0..1) that says how deep or how far apart."""
    rest = min(max(int(lines), 0), MOST_LINES - 1) + MOST_LINES * int(31.0 * min(max(depth, 0.0), 1.0))
    return f32(kind + MARKINGS * rest)


@kernel(refcount=False)
def code_of(p: Array, long: float, wide: float) -> tuple[int, float, float, float, float]:
    """Return kind, lines and depth of the markings of shell p, its stretch, and how much of the lines can be seen."""
    whole = int32(p[H1])
    kind, rest = whole % int32(MARKINGS), whole // int32(MARKINGS)
    lines, deep = f32(rest % int32(MOST_LINES)), f32(rest // int32(MOST_LINES)) * f32(1.0 / 31.0)
    across = kind == BANDS or kind == LEAF_CUT or kind == PETAL
    apart = (f32(2.0) * long if across else wide) / max(lines, f32(1.0))
    if kind == SHIELD:
        apart = wide * f32(0.1)
    seen = clamp01((apart - LINE_SEEN) * f32(0.45)) if lines > f32(0.0) or kind == SHIELD else f32(0.0)
    return kind, lines, deep, long / max(wide, f32(1e-3)), seen


@kernel(refcount=False)
def plates_shade(u: float, w: float, lines: float, seen: float) -> float:
    """Return the brightness of plates one behind the other: each dark where it comes out below the one before it."""
    t = (f32(0.5) - f32(0.5) * u + f32(0.07) * w * w) * lines
    t = t - f32(int32(max(t, f32(0.0))))
    return f32(1.0) - seen * (f32(0.50) * clamp01(f32(1.0) - t * f32(4.5)) - f32(0.22) * t * t)


@kernel(refcount=False)
def groove_of(t: float, sharp: float) -> tuple[float, float]:
    """Return how deep a groove is at t, which has one at every whole number, and on which side of it t is."""
    t = t - f32(math.floor(t + f32(0.5)))
    return clamp01(f32(1.0) - abs(t) * sharp), t


@kernel(refcount=False)
def wing_cases(u: float, w: float, slopes: tuple[float, float], lines: float, deep: float, stretch: float,
               seen: float) -> Vector:  # fmt: skip
    """Return brightness and slopes of two wing cases: a seam between them, grooves along them with pits."""
    along, across = slopes
    side = abs(w)
    sign = f32(1.0) if w > f32(0.0) else f32(-1.0)
    groove, t = groove_of(side * lines + f32(0.5), f32(4.5))
    fades = clamp01((f32(1.0) - side) * f32(6.0)) * seen
    across += sign * fades * f32(0.55) * groove * (f32(-1.0) if t > f32(0.0) else f32(1.0))
    pit, q = groove_of(u * lines * stretch * f32(1.35), f32(2.6))
    pits = deep * groove * pit * fades
    seam = clamp01(f32(1.0) - side * f32(28.0))
    lip = clamp01(f32(1.0) - abs(side - f32(0.055)) * f32(26.0))
    across += sign * f32(0.5) * lip
    shade = (f32(1.0) - f32(0.22) * groove * fades) * (f32(1.0) - f32(0.65) * pits) * (f32(1.0) - f32(0.85) * seam)
    return shade, along, across


@kernel(refcount=False)
def gap_between(u: float, w: float, apart: float) -> float:
    """Return how much of a gap between two wing cases there is."""
    half = apart * f32(0.42) * max(f32(0.15) - u, f32(0.0))
    return clamp01((half - abs(w)) * f32(14.0)) if apart > f32(0.0) else f32(0.0)


@kernel(refcount=False)
def leaf_shade(u: float, w: float, lines: float, seen: float, soft: float) -> float:
    """Return the brightness of a piece of leaf: pale ribs, blades that bulge between them, a bright curled rim."""
    side = abs(w)
    rib = clamp01(f32(1.0) - side * f32(16.0))
    vein, t = groove_of((u - f32(0.55) * side) * lines * f32(0.5) + f32(0.25), f32(7.0))
    shade = f32(0.86) + seen * (f32(0.55) * vein - f32(0.14) * abs(t)) * (f32(1.0) - soft)
    return shade + f32(0.75) * rib * (f32(1.0) - f32(0.5) * soft) + f32(0.12) * u


@kernel(refcount=False)
def shield_shade(u: float, w: float, deep: float, seen: float) -> float:
    """Return the brightness of the shield behind a head: a line along its middle, fine pits, a raised margin."""
    a, b = int32((u + f32(2.0)) * f32(15.0)), int32((w + f32(2.0)) * f32(21.0))
    grain = GRAINS[int32(((a & int32(63)) << int32(6)) | (b & int32(63)))]
    line = clamp01(f32(1.0) - abs(w) * f32(26.0)) * clamp01((f32(0.8) - abs(u)) * f32(4.0))
    pits = seen * deep * clamp01((grain - f32(0.55)) * f32(3.0))
    return (f32(1.0) - f32(0.40) * line) * (f32(1.0) - f32(0.5) * pits)


@kernel(refcount=False)
def wings_shade(u: float, w: float, lines: float, seen: float) -> float:
    """Return the brightness of leathery wings, the left over the right one, with veins that fan out."""
    edge = w - f32(0.30) * (f32(0.85) - u)
    lap = clamp01(f32(1.0) - abs(edge) * f32(20.0)) * clamp01((f32(0.9) - u) * f32(4.0))
    fan = w / max(f32(1.25) - f32(0.35) * u, f32(0.3)) + f32(0.10) * u * w
    vein, _ = groove_of(fan * lines + f32(0.35) * u, f32(5.0))
    return (f32(1.0) - f32(0.45) * lap) * (f32(1.0) - f32(0.30) * vein * seen)


@kernel(refcount=False)
def marked_at(kind: int, u: float, w: float, slopes: tuple[float, float], lines: float, deep: float, stretch: float,
              seen: float) -> Four:  # fmt: skip
    """Return brightness, slopes and gap of any markings at a place."""
    along, across = slopes
    if kind == WING_CASES:
        shade, along, across = wing_cases(u, w, slopes, lines, f32(0.8), stretch, seen)
        return shade, along, across, gap_between(u, w, deep)
    if kind == LEAF_CUT or kind == PETAL:
        shade = leaf_shade(u, w, lines, seen, f32(1.0) if kind == PETAL else f32(0.0))
        fold = f32(0.30) if w > f32(0.0) else f32(-0.30)
        return shade, along, across + fold, f32(0.0)
    if kind == SHIELD:
        return shield_shade(u, w, deep, seen), along, across, f32(0.0)
    if kind == WINGS:
        return wings_shade(u, w, lines, seen), along, across, f32(0.0)
    return plates_shade(u, w, lines, seen if lines > f32(0.0) else f32(0.0)), along, across, f32(0.0)
