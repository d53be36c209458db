"""The skin of one fish: its pattern by place on the body, individual by a seed. Painted once, then only read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....components.fish.scales import COLOURS, PATTERNS, Scales
from ...render.creatures.skins import packed_skin, skin_places

Array = NDArray[Any]

BACK, FLANK, BELLY, BAR, EDGE, FIN, EYE = range(len(COLOURS))
GILL, HEAD_END = 0.235, 0.20  # shares of the length: where the gill cover ends, and the head


def smooth(low: Any, high: Any, value: Array) -> Array:
    """0 below `low`, 1 above `high`, and a soft rise between."""
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


class _Noise:
    """Soft noise on a body: sums of waves in space, so that it has no seam round it."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random

    def field(self, at: tuple[Array, Array, Array], size: float, waves: int = 24) -> Array:
        """Values of about -1 to 1 that change over `size` (in lengths)."""
        total = np.zeros(np.broadcast_shapes(*(axis.shape for axis in at)))
        for _ in range(waves):
            direction = self.random.normal(size=3)
            k = direction / np.linalg.norm(direction) * self.random.uniform(0.5, 1.2) * np.pi / size
            total = total + np.cos(k[0] * at[0] + k[1] * at[1] + k[2] * at[2] + self.random.uniform(0.0, 2.0 * np.pi))
        return total / np.sqrt(0.5 * waves)


def _mix(colour: Array, other: Array, share: Array) -> Array:
    return colour + (other - colour) * np.clip(share, 0.0, 1.0)[..., None]


def _bars(colour: Array, s: Array, up: Array, noise: _Noise, at: Any, own: Array, c: Array) -> Array:
    """Bands across the body with a thin dark margin; the first one lies behind the eye."""
    count = max(int(own[Scales.BARS]), 1)
    wave = noise.field(at, 0.22) * 0.012
    width = 0.5 * own[Scales.COVER] * 0.66 / count
    middle = 0.23 + (0.86 - 0.23) * np.arange(count) / max(count - 1, 1)
    for place in middle:
        bow = 0.02 * np.cos(2.0 * (up - 0.2))
        distance = np.abs(s - place - bow + wave) - width * (0.85 + 0.35 * (1.0 - np.abs(up)))
        colour = _mix(colour, c[EDGE], 1.0 - smooth(0.010, 0.020, distance))
        colour = _mix(colour, c[BAR], 1.0 - smooth(-0.006, 0.004, distance))
    return colour


def _stripes(colour: Array, s: Array, up: Array, noise: _Noise, at: Any, own: Array, c: Array) -> Array:
    """Lines along the flanks that run together towards the tail."""
    count = max(int(own[Scales.BARS]), 1)
    wave = noise.field(at, 0.3) * 0.04
    turns = (np.arcsin(np.clip(up, -1.0, 1.0)) / np.pi + 0.5 + wave * 0.3) * (2 * count)
    part = np.abs(turns - np.floor(turns) - 0.5) * 2.0
    share = (1.0 - smooth(own[Scales.COVER] - 0.12, own[Scales.COVER] + 0.12, part)) * smooth(0.06, 0.16, s + 0.0 * up)
    return _mix(colour, c[BAR], share * smooth(-0.75, -0.35, up))


def _spots(colour: Array, s: Array, up: Array, noise: _Noise, at: Any, own: Array, c: Array) -> Array:
    """Roundish flecks that grow from the head to the middle and thin out on the belly."""
    count = max(int(own[Scales.BARS]), 1)
    field = noise.field(at, 0.30 / count, 40) + 0.45 * noise.field(at, 0.14 / count, 24)
    level = 1.55 - 2.0 * own[Scales.COVER]
    share = smooth(level - 0.16, level + 0.16, field) * smooth(-0.75, -0.2, up) * smooth(0.05, 0.20, s + 0.0 * up)
    return _mix(_mix(colour, c[EDGE], 0.35 * smooth(level - 0.5, level - 0.1, field) * smooth(-0.5, 0.2, up)), c[BAR], share)


def _koi(colour: Array, s: Array, up: Array, noise: _Noise, at: Any, own: Array, c: Array) -> Array:
    """Large patches over the back, a cap on some heads, and some dark ones: no two are alike."""
    field = noise.field(at, 0.22, 18) + 0.28 * noise.field(at, 0.08, 18) + 0.06 * noise.field(at, 0.025, 18)
    top = smooth(-0.55, 0.25, up)
    level = 1.35 - 2.5 * own[Scales.COVER] + 0.5 * noise.random.uniform(-1.0, 1.0)
    if noise.random.random() < 0.45:  # the red cap
        field = field + 2.2 * np.exp(-((s - 0.11) / 0.07) ** 2)
    else:
        field = field - 1.6 * (1.0 - smooth(0.14, 0.24, s))
    share = smooth(level - 0.07, level + 0.07, field - 1.1 * (1.0 - top)) * smooth(0.01, 0.05, s)
    share = share * (1.0 - smooth(0.9, 0.97, s))
    deep = 0.86 + 0.14 * smooth(level, level + 1.2, field)
    colour = colour * (1.0 - share[..., None]) + (c[BAR] * deep[..., None]) * share[..., None]
    if noise.random.random() < 0.55:
        dark = noise.field(at, 0.13, 14) + 0.3 * noise.field(at, 0.05, 14)
        where = smooth(0.16, 0.26, s) * (1.0 - smooth(0.8, 0.9, s))
        colour = _mix(colour, c[EDGE], smooth(1.15, 1.32, dark - 0.9 * (1.0 - top)) * where)
    return colour


def _band(colour: Array, s: Array, up: Array, noise: _Noise, at: Any, own: Array, c: Array) -> Array:
    """A dark band over the eyes and one before the tail, thin slanting lines between them."""
    lines = np.cos((s * 1.0 + 0.10 * up) * 2.0 * np.pi * max(int(own[Scales.BARS]), 1) * 2.2)
    where = smooth(0.22, 0.30, s) * (1.0 - smooth(0.74, 0.80, s))
    colour = _mix(colour, c[FLANK] * 0.72, 0.5 * smooth(0.35, 0.9, lines) * where)
    wave = 0.006 * noise.field(at, 0.2)
    for place, width in ((0.135, 0.034), (0.80, 0.032)):
        distance = np.abs(s - place - 0.02 * up * up + wave) - width
        colour = _mix(colour, c[EDGE], 1.0 - smooth(0.010, 0.018, distance))
        colour = _mix(colour, c[BAR], 1.0 - smooth(-0.005, 0.005, distance))
    return colour


def _saddle(colour: Array, s: Array, up: Array, noise: _Noise, at: Any, own: Array, c: Array) -> Array:
    """Dark marks over the back that end in points on the flanks."""
    count = max(int(own[Scales.BARS]), 1)
    wave = 0.25 * noise.field(at, 0.16)
    part = np.cos((s - 0.12) * 2.0 * np.pi * count + 1.3 * wave) + 0.5 * wave
    share = smooth(0.9 - 1.3 * own[Scales.COVER] - 0.7 * up, 1.2 - 1.3 * own[Scales.COVER] - 0.7 * up, part)
    return _mix(colour, c[BAR], share * smooth(-0.2, 0.35, up) * smooth(0.08, 0.2, s))


def _palette(colour: Array, s: Array, up: Array, noise: _Noise, at: Any, own: Array, c: Array) -> Array:
    """A dark hook from the eye along the upper flank, and a bright wedge at the tail."""
    high, wave = np.abs(up - 0.62), 0.02 * noise.field(at, 0.2)
    line = (1.0 - smooth(0.16, 0.26, high + wave)) * smooth(0.12, 0.2, s) * (1.0 - smooth(0.80, 0.86, s))
    hook = (1.0 - smooth(0.055, 0.085, np.abs(s - 0.62 + 0.10 * up))) * smooth(-0.3, 0.0, up)
    hook = hook * (1.0 - smooth(0.55, 0.75, up))
    colour = _mix(colour, c[BAR], np.maximum(line, hook) * (0.4 + 0.6 * own[Scales.COVER]))
    return _mix(colour, c[FIN], smooth(0.80 + 0.05 * np.abs(up), 0.84 + 0.05 * np.abs(up), s + 0.0 * up))


_PAINT = {"bars": _bars, "stripes": _stripes, "spots": _spots, "koi": _koi, "band": _band, "saddle": _saddle,
          "palette": _palette}


def paint_skin(parameters: Array, colours: Array, seed: int) -> Array:
    """The skin (SKIN_TEXELS,) of one fish from a row of `ScalesPool`.

    Example::

        SHELF.place(("koi", 3), lambda: paint_skin(pool.parameters[row], pool.colors[row], 3))
    """
    own, c = np.asarray(parameters, dtype=np.float64), np.asarray(colours, dtype=np.float64)
    random = np.random.default_rng(seed)
    noise = _Noise(random)
    along, side, up = skin_places()
    s, up = np.broadcast_arrays(along, up)
    at = (along, 0.09 * side + 0.0 * along, 0.13 * up)
    shading = own[Scales.SHADING]
    colour = np.broadcast_to(c[FLANK], (*s.shape, 3))
    colour = _mix(colour, c[BACK], shading * smooth(0.05, 0.75, up))
    colour = _mix(colour, c[BELLY], max(shading, 0.35) * smooth(0.1, 0.7, -up))
    colour = colour * (1.0 + 0.035 * noise.field(at, 0.06))[..., None]
    name = PATTERNS[int(own[Scales.PATTERN])]
    if name in _PAINT:
        colour = _PAINT[name](colour, s, up, noise, at, own, c)
    colour = colour * _relief(s, up)[..., None]
    shine = own[Scales.SILVER] * np.exp(-((up - 0.05) / 0.45) ** 2) + 0.18 * smooth(0.2, 0.9, up)
    shine = shine * (1.0 + 0.25 * noise.field(at, 0.05))
    return packed_skin(colour, shine)


def _relief(s: Array, up: Array) -> Array:
    """What every fish has: the dark line behind the gill cover, nostrils, lips, the lateral line, a ridge on the back."""
    gill = GILL + 0.028 * np.sqrt(np.clip(1.0 - ((up + 0.1) / 0.75) ** 2, 0.0, 1.0)) - 0.03
    shade = 1.0 - 0.30 * np.exp(-((s - gill) / 0.007) ** 2) * (1.0 - smooth(0.55, 0.75, up))
    shade = shade + 0.10 * np.exp(-((s - gill - 0.016) / 0.012) ** 2) * (1.0 - smooth(0.55, 0.75, up))
    lateral = np.exp(-((up - 0.12 - 0.12 * (1.0 - s)) / 0.05) ** 2) * smooth(GILL, GILL + 0.06, s)
    shade = shade - 0.10 * lateral
    shade = shade - 0.22 * np.exp(-((up - 1.0) / 0.02) ** 2) * smooth(0.26, 0.34, s) * (1.0 - smooth(0.8, 0.86, s))
    shade = shade - 0.25 * np.exp(-((s - 0.045) / 0.010) ** 2 - ((up - 0.80) / 0.08) ** 2)  # nostrils
    return shade - 0.22 * (1.0 - smooth(0.004, 0.016, s))
