"""Swimmers from elsewhere: a trunk with lights, a whip of a tail, pairs of glassy wings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .swimmer_looks import LEFT_RIGHT, bound, middles
from .textures import mix, noise, smooth

if TYPE_CHECKING:
    from .body_pieces import Guide, Parts, Surface
    from .link_skeleton import Skeleton
    from .swimmer_looks import Array, Looks

GLASS = (0.35, 0.95, 1.0)
EYE = (0.92, 0.98, 1.0)
OUTLINE = ((1.15, 0.45), (0.75, 0.85), (0.0, 1.12), (-1.2, 1.22), (-2.6, 1.12), (-3.9, 0.92), (-5.0, 0.70))
"""Of the trunk, in half widths of the root link: forward of its joint, half width."""


def paint_alien(skeleton: Skeleton, looks: Looks, parts: Parts) -> None:
    """Tail, wings, trunk, eyes, and the light that it gives."""
    r, spine = float(skeleton.radius[0, 0]), skeleton.spine()
    for link in range(skeleton.count):
        a, b = 1.3 * skeleton.radius[link]
        parts.shadow(
            (link, 0.0, 0.0, 0.0, a), (link, -float(skeleton.length[link]), 0.0, 0.0, b), 1.0 if link in spine else 0.7
        )
    if len(spine) > 1:
        last = spine[-1]
        tail = [
            bound(skeleton, 0, (-0.75 * float(skeleton.length[0]), 0, 0), 0.85 * r, 0.8 * r),
            *middles(skeleton, spine[1:], 0.95),
            (last, -float(skeleton.length[last]), 0.0, 0.0, 0.007, 0.007),
        ]
        parts.tube(
            tail, lambda s: _tail(s, looks), rounds=(0.0, 0.03), gloss=looks.gloss, outline=0.004, light=0.06, tint=GLASS
        )
    for left, right in skeleton.pairs()[::-1]:
        for chain, side in ((left, 1.0), (right, -1.0)):
            _wing(skeleton, looks, parts, chain, side)
    trunk = [bound(skeleton, 0, (x * r, 0.0, 0.0), w * r, 0.9 * w * r) for x, w in OUTLINE]
    parts.tube(trunk, lambda s: _trunk(s, looks), rounds=(0.12, 0.10), gloss=looks.gloss, outline=0.006, halo=1.2)
    for side in LEFT_RIGHT:
        parts.eye((0, 0.55 * r, side * 0.62 * r, 0.6 * r), (0.34 * r, 0.30 * r), EYE, pupil=0.62, least=30.0)
    for x in (-0.4, -2.4, -4.4):
        parts.shine((0, x * r, 0.0, 0.1, 2.2 * r), GLASS, alpha=0.16, fog=0.05, least=50.0)


def _wing(skeleton: Skeleton, looks: Looks, parts: Parts, chain: list[int], side: float) -> None:
    """A broad leaf of glass through the links of a limb, rounded at its tip."""
    first, last = chain[0], chain[-1]
    wide, a, b = float(skeleton.radius[first, 0]), float(skeleton.length[first]), float(skeleton.length[last])
    inner = skeleton.joint[first] * (1.0, 0.45, 1.0)
    back = -0.35 * side * wide
    guides: list[Guide] = [
        bound(skeleton, 0, inner, 0.75 * wide, 0.010),
        (first, -0.25 * a, 0.0, 0.0, 1.15 * wide, 0.009), (first, -0.75 * a, back, 0.0, 1.75 * wide, 0.008),
        (last, -0.25 * b, 1.6 * back, 0.0, 2.1 * wide, 0.007), (last, -0.75 * b, 2.0 * back, 0.0, 2.0 * wide, 0.006),
        (last, -1.15 * b, 2.2 * back, 0.0, 1.45 * wide, 0.005), (last, -1.32 * b, 2.2 * back, 0.0, 0.9 * wide, 0.005),
    ]  # fmt: skip
    parts.tube(guides, lambda s: _glass(s, looks), rounds=(0.0, 0.22), alpha=0.74, gloss=0.35 * looks.gloss, outline=0.002,
               halo=0.4, light=0.05, tint=GLASS)  # fmt: skip


def _glass(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Rays that fan out, pale between them, with a bright margin."""
    rays = 0.5 + 0.5 * np.cos(s.across * 20.0 * (1.0 - 0.25 * s.along))
    colour = mix(
        np.broadcast_to(looks.fin, (*s.along.shape, 3)), looks.back, 0.5 * smooth(0.5, 0.0, s.along) + 0.25 * (1.0 - rays)
    )
    colour = mix(colour, looks.belly, 0.45 * smooth(0.65, 1.0, rays) * smooth(0.1, 0.6, s.along))
    margin = np.maximum(smooth(0.84, 0.96, np.abs(s.across)), smooth(0.90, 0.97, s.along)) * smooth(0.15, 0.4, s.along)
    return mix(colour, looks.marking, looks.markings * margin), 0.3 + 0.3 * rays


def _tail(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Rings of shadow along it, ever more like glass toward its tip."""
    rings = 0.5 + 0.5 * np.cos(s.x * 2.0 * np.pi / 0.045)
    colour = mix(np.broadcast_to(looks.back, (*s.along.shape, 3)), looks.back * 0.55, 0.7 * rings)
    colour = mix(colour, (0.72, 0.42, 0.62), 0.6 * smooth(0.1, 0.6, s.along) * smooth(0.2, 0.9, 1.0 - np.abs(s.across)))
    return mix(colour, looks.marking, 0.9 * smooth(0.72, 1.0, s.along)), 0.4 + 0.0 * s.along


def _trunk(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Shimmering like oil, with three rows of lights; the face is dark."""
    hue = s.x * 26.0 + 2.5 * s.across + 1.2 * noise(s.x, s.y, 0.08, s.random)
    shimmer = 0.5 + 0.5 * np.stack([np.cos(hue), np.cos(hue - 2.1), np.cos(hue - 4.2)], axis=-1)
    colour = mix(
        np.broadcast_to(looks.belly, (*s.along.shape, 3)), looks.back, 0.45 + 0.35 * np.cos(s.x * 2.0 * np.pi / 0.115)
    )
    colour = colour * (0.72 + 0.36 * shimmer)
    colour = mix(colour, looks.back * 0.45, 1.0 - smooth(0.10, 0.24, s.along))
    colour = mix(colour, looks.back * 0.7, 0.7 * smooth(0.75, 1.0, np.abs(s.across)))
    step, wide = 0.042, float(np.abs(s.y).max())
    for row in (-0.52, 0.0, 0.52):
        off = s.x - (np.floor(s.x / step) + 0.5) * step
        dot = np.hypot(off, s.y - row * wide) / (0.0115 if row == 0.0 else 0.0095)
        seen = smooth(0.24, 0.3, s.along)
        colour = mix(colour, (0.35, 0.75, 0.95), looks.markings * 0.55 * (1.0 - smooth(0.6, 1.7, dot)) * seen)
        colour = mix(colour, (1.0, 1.0, 1.0), looks.markings * (1.0 - smooth(0.4, 0.9, dot)) * seen)
    return colour, 0.5 + 0.0 * s.along
