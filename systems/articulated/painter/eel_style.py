"""Eels, and any chain of links: one smooth body, a fin like a ribbon along most of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .swimmer_looks import LEFT_RIGHT, bound, middles
from .textures import mix, noise, smooth

if TYPE_CHECKING:
    from .body_pieces import Parts, Surface
    from .link_skeleton import Skeleton
    from .swimmer_looks import Array, Looks

FIN_HIGH = 0.020
"""Body lengths that the ribbon stands out beside the body."""
EYE = (0.93, 0.78, 0.30)


def paint_eel(skeleton: Skeleton, looks: Looks, parts: Parts) -> None:
    """Ribbon, body, small fins on the breast, eyes."""
    chain = skeleton.spine()
    r, last = float(skeleton.radius[0, 0]), chain[-1]
    end = -float(skeleton.length[last])
    for link in chain:
        a, b = skeleton.radius[link]
        parts.shadow((link, 0.0, 0.0, 0.0, 1.1 * a), (link, -float(skeleton.length[link]), 0.0, 0.0, 1.1 * b + 0.004))
    line = middles(skeleton, chain, 1.0, (0.25, 0.75))
    ribbon = [(*guide[:4], guide[4] + FIN_HIGH * min(1.0, 0.5 * k), 0.004) for k, guide in enumerate(line[2:])]
    ribbon += [(last, end - 0.01, 0.0, 0.0, 0.024, 0.003), (last, end - 0.035, 0.0, 0.0, 0.014, 0.002)]
    parts.tube(
        ribbon, lambda s: _ribbon(s, looks), rounds=(0.12, 0.03), alpha=0.62, gloss=0.1, outline=0.001, halo=0.0, least=40.0
    )
    for side in LEFT_RIGHT:
        root, out = (0, -1.7 * r, side * 0.8 * r, 0.0), (0, -2.3 * r, side * 0.75 * r, 0.0)
        tips = (0, -2.9 * r, side * 2.3 * r, 0.0), (0, -3.7 * r, side * 1.5 * r, 0.0)
        parts.fin([root, out, *tips], looks.fin, shape=-0.35, rays=7.0, alpha=0.75, least=60.0)
    points = ((1.30, 0.50, 0.40), (0.80, 0.78, 0.62), (0.15, 0.98, 0.85), (-0.6, 1.02, 0.95))
    head = [bound(skeleton, 0, (x * r, 0.0, 0.0), w * r, h * r) for x, w, h in points]
    tail = (last, end, 0.0, 0.0, float(skeleton.radius[last, 1]) * 0.7, 0.006)
    parts.tube([*head, *line[1:], tail], lambda s: _body(s, looks), rounds=(0.055, 0.05), gloss=looks.gloss)
    for side in LEFT_RIGHT:
        parts.eye((0, 0.42 * r, side * 0.64 * r, 0.55 * r), (0.25 * r, 0.19 * r), EYE, pupil=0.55, least=45.0)


def _ribbon(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Pale and thin, with fine rays across it."""
    rays = 0.5 + 0.5 * np.cos(s.along * 300.0)
    colour = np.broadcast_to(mix(looks.fin, (0.95, 0.95, 0.75), np.array(0.45)), (*s.along.shape, 3))
    return colour * (0.82 + 0.18 * rays)[..., None], 0.1 + 0.0 * s.along


def _body(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Dark along the back, paler at the flanks, with clouds of pale marks; a mouth and a gill slit."""
    colour = np.broadcast_to(looks.back, (*s.along.shape, 3))
    colour = mix(colour, looks.belly, 0.75 * smooth(0.45, 0.98, np.abs(s.across)))
    cloud = noise(s.x, 1.6 * s.y, 0.05, s.random, 30) + 0.5 * noise(s.x, 1.6 * s.y, 0.02, s.random, 24)
    bands = 0.7 * np.cos(s.x * 2.0 * np.pi / 0.062 + 1.4 * noise(s.x, s.y, 0.1, s.random))
    share = smooth(0.35, 1.05, cloud + bands) * smooth(0.06, 0.12, s.x) * (1.0 - 0.75 * smooth(0.75, 1.0, np.abs(s.across)))
    colour = mix(colour, looks.belly * 1.02, 0.8 * looks.markings * share)
    colour = mix(colour, looks.marking, looks.markings * 0.7 * np.exp(-((s.across / 0.12) ** 2)) * smooth(0.1, 0.2, s.x))
    colour = mix(colour, looks.marking, 0.5 * np.exp(-(((s.x - 0.105) / 0.006) ** 2)) * smooth(0.4, 0.7, np.abs(s.across)))
    lip = np.exp(-(((s.x - 0.013) / 0.004) ** 2))
    colour = mix(colour, looks.marking, 0.55 * lip)
    return colour * (1.0 + 0.06 * noise(s.x, s.y, 0.012, s.random, 24))[..., None], 0.25 + 0.35 * np.exp(
        -((s.across / 0.5) ** 2)
    )
