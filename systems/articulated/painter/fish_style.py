"""Fishes of a few links: a stout body with bars, and the fins that a fish has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .swimmer_looks import LEFT_RIGHT, bound, middles
from .textures import mix, noise, smooth

if TYPE_CHECKING:
    from .body_pieces import Parts, Surface
    from .link_skeleton import Skeleton
    from .swimmer_looks import Array, Looks

EYE = (0.95, 0.62, 0.20)
INK = (0.07, 0.05, 0.05)
BARS = ((0.27, 0.042), (0.55, 0.050), (0.84, 0.030))
"""Where bars lie along a body and how wide they are, in shares of its length."""


def paint_fish(skeleton: Skeleton, looks: Looks, parts: Parts) -> None:
    """Tail, fins on the breast, body, fin on the back, eyes."""
    chain = skeleton.spine()
    last, r = chain[-1], float(skeleton.radius[0, 0])
    for link in chain[:-1]:
        a, b = 1.2 * skeleton.radius[link]
        parts.shadow((link, 0.0, 0.0, 0.0, a), (link, -float(skeleton.length[link]), 0.0, 0.0, b))
    parts.shadow((last, 0.0, 0.0, 0.0, 0.03), (last, -0.15, 0.0, 0.0, 0.05), 0.7)
    long, thick = float(skeleton.length[last]), float(skeleton.radius[last, 0])
    roots = [(last, -0.18 * long, 0.55 * thick, 0.0), (last, -0.18 * long, -0.55 * thick, 0.0)]
    for side in LEFT_RIGHT:  # both lobes lean apart: a tail fin stands upright
        tips = [(last, -1.08 * long, side * 0.42 * long, 0.02), (last, -1.0 * long, -side * 0.05 * long, 0.0)]
        parts.fin([*(roots if side > 0 else roots[::-1]), *tips], looks.fin, shape=-0.35, rays=7.0, alpha=0.9)
    for side in LEFT_RIGHT:
        root = [(0, -2.3 * r, side * 0.85 * r, 0.0), (0, -2.9 * r, side * 0.8 * r, 0.0)]
        tips = [(0, -3.1 * r, side * 2.2 * r, 0.0), (0, -4.0 * r, side * 1.5 * r, 0.0)]
        parts.fin([*root, *tips], looks.fin, shape=-0.35, rays=8.0, alpha=0.85, least=18.0)
    nose = [bound(skeleton, 0, (1.0 * r, 0, 0), 0.45 * r, 0.6 * r), bound(skeleton, 0, (0.3 * r, 0, 0), 0.82 * r, 1.0 * r)]
    line = [(*guide[:5], 1.45 * guide[5]) for guide in middles(skeleton, chain[:-1], 1.06, (0.25, 0.75))]
    stem = [
        (last, -0.10 * long, 0.0, 0.0, 0.75 * thick, 1.2 * thick),
        (last, -0.34 * long, 0.0, 0.0, 0.5 * thick, 1.2 * thick),
    ]
    parts.tube([*nose, *line, *stem], lambda s: _body(s, looks), rounds=(0.10, 0.07), gloss=looks.gloss, outline=0.010)
    second = chain[min(1, len(chain) - 1)]
    ridge = [bound(skeleton, 0, (-1.9 * r, 0, 1.3 * r)), (second, -0.2 * float(skeleton.length[second]), 0.0, 1.2 * r),
             (second, -0.95 * float(skeleton.length[second]), 0.0, 0.7 * r)]  # fmt: skip
    lean = [(0, -2.6 * r, 0.42 * r, 1.7 * r), (second, -0.5 * float(skeleton.length[second]), 0.50 * r, 1.6 * r),
            (second, -1.15 * float(skeleton.length[second]), 0.34 * r, 1.0 * r)]  # fmt: skip
    for k in range(2):
        parts.fin(
            [ridge[k][:4], ridge[k + 1][:4], lean[k], lean[k + 1]], looks.fin, shape=0.0, rays=5.0, alpha=0.85, least=34.0
        )
    for side in LEFT_RIGHT:
        parts.eye((0, 0.05 * r, side * 0.74 * r, 0.5 * r), (0.21 * r, 0.16 * r), EYE, pupil=0.62, least=30.0)


def _body(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """White bars with black margins on orange, a darker back."""
    colour = np.broadcast_to(looks.back, (*s.along.shape, 3))
    colour = mix(colour, looks.belly, smooth(0.35, 0.95, np.abs(s.across)))
    colour = colour * (1.0 + 0.05 * noise(s.x, s.y, 0.05, s.random))[..., None]
    wave = 0.006 * noise(s.x, s.y, 0.12, s.random)
    for place, half in BARS:
        bow = 0.03 * (1.0 - s.across**2)
        distance = np.abs(s.along - place + bow + wave) - half * (0.8 + 0.35 * np.abs(s.across))
        colour = mix(colour, INK, looks.markings * (1.0 - smooth(0.010, 0.018, distance)))
        colour = mix(colour, looks.marking, looks.markings * (1.0 - smooth(-0.005, 0.003, distance)))
    colour = mix(colour, INK, 0.35 * np.exp(-((s.across / 0.05) ** 2)) * smooth(0.3, 0.4, s.along))
    colour = mix(colour, INK, 0.4 * np.exp(-(((s.along - 0.018) / 0.008) ** 2)))
    return colour, 0.2 + 0.4 * np.exp(-((s.across / 0.5) ** 2))
