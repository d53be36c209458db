"""Lanterns of folded paper: pleats between two zigzag walls, and a round head."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .swimmer_looks import LEFT_RIGHT, bound
from .textures import mix, noise, smooth

if TYPE_CHECKING:
    from .body_pieces import Guide, Parts, Surface
    from .link_skeleton import Skeleton
    from .swimmer_looks import Array, Looks

EYE = (0.97, 0.95, 0.88)
HEAD = ((1.15, 0.62), (0.90, 0.86), (0.30, 1.08), (-0.35, 1.14), (-0.95, 1.0), (-1.45, 0.7))
"""In half widths of the root link: forward of its joint, half width."""
STEEP = 0.55
"""Slope of a pleat."""


def paint_accordion(skeleton: Skeleton, looks: Looks, parts: Parts) -> None:
    """Paper between the walls, the walls, the head and its face."""
    r = float(skeleton.radius[0, 0])
    parts.shadow((0, 0.0, 0.0, 0.0, 1.05 * r), (0, -0.1, 0.0, 0.0, 1.05 * r))
    for left, right in skeleton.pairs():
        knots = [*((a, b, 0.0) for a, b in zip(left, right, strict=False)), (left[-1], right[-1], 1.0)]
        edges: list[Guide] = [(0, -0.2 * r, 0.9 * r, 0.0, 0.0, 0.05), (0, -0.2 * r, -0.9 * r, 0.0, 0.0, 0.05)]
        for a, b, share in knots:
            edges += [
                (a, -share * float(skeleton.length[a]), 0.0, 0.0, 0.0, 0.05),
                (b, -share * float(skeleton.length[b]), 0.0, 0.0, 0.0, 0.05),
            ]
        count = len(edges) // 2
        for one, other in zip(edges[2::2], edges[3::2], strict=True):
            parts.shadow((*one[:4], 0.09), (*other[:4], 0.09), 0.85)
        parts.tube(
            edges,
            partial(_paper, looks=looks, count=count),
            across=True,
            fold=STEEP,
            gloss=looks.gloss,
            alpha=0.96,
            outline=0.004,
        )
        for chain in (left, right):
            for link in chain:
                wide, long = skeleton.radius[link], float(skeleton.length[link])
                parts.rod(
                    (link, 0.0, 0.0, 0.03, 0.55 * wide[0]), (link, -long, 0.0, 0.03, 0.55 * wide[1]), looks.fin, gloss=0.3
                )
    head = [bound(skeleton, 0, (x * r, 0.0, 0.03), w * r, 0.75 * w * r) for x, w in HEAD]
    parts.tube(head, lambda s: _head(s, looks), rounds=(0.35, 0.35), gloss=looks.gloss, outline=0.008, halo=1.2)
    for side in LEFT_RIGHT:
        parts.eye((0, 0.55 * r, side * 0.46 * r, 0.7 * r), (0.20 * r, 0.19 * r), EYE, pupil=0.55, least=30.0)


def _paper(s: Surface, looks: Looks, count: int) -> tuple[Array, Array]:
    """Stripes of two colours that run along the lantern, creases between pleats, paler toward the creases."""
    stripes = np.cos(s.across * np.pi * 4.0)
    colour = mix(np.broadcast_to(looks.back, (*s.along.shape, 3)), looks.belly, smooth(-0.15, 0.15, stripes))
    pleat = s.along * (count - 1)
    crease = np.abs(pleat - np.round(pleat))
    colour = mix(colour, looks.marking, looks.markings * 0.75 * (1.0 - smooth(0.02, 0.09, crease)))
    colour = mix(colour, (1.0, 0.97, 0.88), 0.22 * smooth(0.2, 0.5, crease))
    colour = mix(colour, looks.fin, smooth(0.93, 0.98, np.abs(s.across)))
    return colour * (1.0 + 0.05 * noise(s.x, s.y, 0.02, s.random, 24))[..., None], 0.1 + 0.0 * s.along


def _head(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """A cap of paper with a star of folds, rosy cheeks."""
    x, y = s.x - 0.56 * s.length, s.y
    turn, far = np.arctan2(y, x), np.hypot(x, y)
    colour = mix(
        np.broadcast_to(looks.fin, (*s.along.shape, 3)),
        looks.back,
        0.7 * smooth(0.0, 0.25, np.cos(8.0 * turn)) * smooth(0.01, 0.03, far),
    )
    colour = mix(colour, looks.marking, looks.markings * np.exp(-((far / 0.018) ** 2)))
    for side in LEFT_RIGHT:
        colour = mix(
            colour, (0.95, 0.45, 0.35), 0.6 * np.exp(-((np.hypot(s.along - 0.12, s.across - 0.85 * side) / 0.12) ** 2))
        )
    mouth = np.exp(-(((s.along - 0.07 - 0.05 * s.across**2) / 0.018) ** 2)) * (np.abs(s.across) < 0.45)
    return mix(colour, looks.marking, 0.8 * mouth), 0.15 + 0.0 * s.along
