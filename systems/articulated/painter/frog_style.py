"""Frogs: a spotted body, legs with thighs and shanks in one skin, webs between toes, eyes on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .swimmer_looks import LEFT_RIGHT, bound
from .textures import cells, mix, noise, scattered, smooth

if TYPE_CHECKING:
    from .body_pieces import Guide, Parts, Surface
    from .link_skeleton import Skeleton
    from .swimmer_looks import Array, Looks

EYE = (0.95, 0.66, 0.16)
OUTLINE = (
    (1.12, 0.40, 0.35),
    (0.80, 0.80, 0.55),
    (0.25, 1.03, 0.75),
    (-0.6, 1.20, 0.90),
    (-1.5, 1.28, 0.95),
    (-2.4, 1.16, 0.85),
    (-3.2, 0.86, 0.65),
    (-3.8, 0.50, 0.45),
    (-4.1, 0.25, 0.3),
)
"""Of the body, in half widths of the root link: forward of its joint, half width, half height."""
TOES = 5


def paint_frog(skeleton: Skeleton, looks: Looks, parts: Parts) -> None:
    """Hind legs with webs, arms, body, eyes."""
    r = float(skeleton.radius[0, 0])
    parts.shadow((0, 0.3 * r, 0.0, 0.0, 1.0 * r), (0, -2.6 * r, 0.0, 0.0, 1.1 * r))
    for link in range(1, skeleton.count):
        a, b = 1.3 * skeleton.radius[link]
        parts.shadow((link, 0.0, 0.0, 0.0, a), (link, -float(skeleton.length[link]), 0.0, 0.0, b))
    pairs = skeleton.pairs()
    for left, right in pairs[::-1]:
        for chain, side in ((left, 1.0), (right, -1.0)):
            if len(chain) >= 3:
                _leg(skeleton, looks, parts, chain, side)
            else:
                _arm(skeleton, looks, parts, chain, side)
    body = [bound(skeleton, 0, (x * r, 0.0, 0.0), w * r, h * r) for x, w, h in OUTLINE]
    parts.tube(body, lambda s: _body(s, looks), rounds=(0.09, 0.08), gloss=looks.gloss, outline=0.008, halo=1.2)
    for side in LEFT_RIGHT:
        at = (0, 0.42 * r, side * 0.64 * r, 0.62 * r)
        parts.rod(
            (*at, 0.33 * r),
            (0, 0.30 * r, side * 0.62 * r, 0.62 * r, 0.33 * r),
            mix(looks.back, looks.belly, np.array(0.25)),
            gloss=looks.gloss,
            least=30.0,
        )
        parts.eye((0, 0.38 * r, side * 0.67 * r, 0.8 * r), (0.25 * r, 0.20 * r), EYE, pupil=0.55, least=24.0)


def _leg(skeleton: Skeleton, looks: Looks, parts: Parts, chain: list[int], side: float) -> None:
    """Thigh, shank and foot as one tube; toes and the web between them."""
    thigh, shank, foot = chain[:3]
    wide = float(skeleton.radius[thigh, 0])
    hip = skeleton.joint[thigh] + (0.9 * wide, -side * 0.3 * wide, 0.0)
    a, b, c = (float(skeleton.length[link]) for link in chain[:3])
    toes = _fan(foot, c, 0.30, 1.30, 1.15, TOES)
    web = mix(looks.fin, looks.back, np.array(0.25))
    for k in range(TOES - 1):
        (x0, y0), (x1, y1) = toes[k], toes[k + 1]
        root = (foot, -0.22 * c, 0.0, -0.005)
        parts.fin(
            [root, (foot, -0.24 * c, 0.01 * side, -0.005), (foot, x0, y0, -0.005), (foot, x1, y1, -0.005)],
            web,
            shape=0.18,
            rays=1.0,
            alpha=0.8,
            least=26.0,
        )
    for x, y in toes:
        parts.rod(
            (foot, -0.25 * c, 0.1 * y, 0.0, 0.0105),
            (foot, 1.02 * x, 1.02 * y, 0.0, 0.0075),
            mix(looks.back, looks.fin, np.array(0.5)),
            gloss=0.3,
            least=36.0,
        )
    guides: list[Guide] = [
        bound(skeleton, 0, hip, 1.30 * wide, 1.1 * wide),
        (thigh, -0.18 * a, 0.0, 0.0, 1.55 * wide, 1.3 * wide),
        (thigh, -0.55 * a, 0.0, 0.0, 1.45 * wide, 1.2 * wide),
        (thigh, -0.92 * a, 0.0, 0.0, 1.00 * wide, 0.9 * wide),
        (shank, -0.14 * b, 0.0, 0.0, 0.98 * wide, 0.9 * wide),
        (shank, -0.45 * b, 0.0, 0.0, 1.02 * wide, 0.9 * wide),
        (shank, -0.90 * b, 0.0, 0.0, 0.62 * wide, 0.6 * wide),
        (foot, -0.12 * c, 0.0, 0.0, 0.52 * wide, 0.4 * wide),
        (foot, -0.42 * c, 0.0, 0.0, 0.34 * wide, 0.3 * wide),
    ]
    parts.tube(guides, lambda s: _limb(s, looks), rounds=(0.0, 0.06), gloss=0.8 * looks.gloss, outline=0.006)


def _arm(skeleton: Skeleton, looks: Looks, parts: Parts, chain: list[int], side: float) -> None:
    """Arm and hand as one tube, four fingers."""
    first, last = chain[0], chain[-1]
    wide, a, b = float(skeleton.radius[first, 0]), float(skeleton.length[first]), float(skeleton.length[last])
    inner = skeleton.joint[first] + (0.0, -side * 0.8 * wide, 0.0)
    for x, y in _fan(last, b, 0.62, 1.35, 0.95, 4):
        parts.rod(
            (last, -0.75 * b, 0.1 * y, 0.0, 0.010),
            (last, x, y, 0.0, 0.0075),
            mix(looks.back, looks.fin, np.array(0.35)),
            gloss=0.3,
            least=40.0,
        )
    guides: list[Guide] = [
        bound(skeleton, 0, inner, 1.2 * wide, wide),
        (first, -0.3 * a, 0.0, 0.0, 1.25 * wide, 1.1 * wide), (first, -0.85 * a, 0.0, 0.0, 0.95 * wide, 0.9 * wide),
        (last, -0.35 * b, 0.0, 0.0, 0.98 * wide, 0.9 * wide), (last, -0.72 * b, 0.0, 0.0, 0.72 * wide, 0.7 * wide),
        (last, -0.95 * b, 0.0, 0.0, 0.60 * wide, 0.5 * wide),
    ]  # fmt: skip
    parts.tube(guides, lambda s: _limb(s, looks), rounds=(0.0, 0.10), gloss=0.8 * looks.gloss, outline=0.006, least=16.0)


def _fan(link: int, long: float, near: float, far: float, spread: float, count: int) -> list[tuple[float, float]]:
    """(x, y) of the tips of toes behind a link, spread like a fan; those in the middle are the longest."""
    del link, near
    turns = np.linspace(-0.5, 0.5, count) * spread
    reach = far * long * (1.0 - 0.5 * np.abs(turns / spread) ** 1.3)
    return [(float(-0.2 * long - r * np.cos(t)), float(r * np.sin(t))) for t, r in zip(turns, reach, strict=True)]


def _body(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Bright green with dark spots, two pale folds along the back, small warts."""
    colour = np.broadcast_to(looks.back, (*s.along.shape, 3))
    colour = mix(colour, looks.belly, 0.55 * smooth(0.72, 1.0, np.abs(s.across)))
    colour = mix(colour, looks.back * 1.25, 0.5 * smooth(0.0, 1.2, noise(s.x, s.y, 0.09, s.random)))
    wide = float(np.abs(s.y).max())
    points = scattered((0.10, s.length), (-wide, wide), 0.085, s.random)
    cell, far, _ = cells(s.x, s.y, points)
    size = s.random.uniform(0.010, 0.028, len(points))[cell] * (1.0 + 0.25 * noise(s.x, s.y, 0.03, s.random))
    spots = (1.0 - smooth(0.75, 1.0, far / size)) * smooth(0.08, 0.14, s.x)
    colour = mix(colour, looks.marking, looks.markings * spots)
    fold = np.abs(np.abs(s.y) - 0.080 * np.clip((s.along - 0.05) * 6.0, 0.0, 1.0) * (1.0 - 0.35 * s.along))
    ridge = (1.0 - smooth(0.004, 0.011, fold)) * smooth(0.13, 0.2, s.along) * (1.0 - smooth(0.86, 0.95, s.along))
    colour = mix(colour, looks.fin, 0.8 * ridge)
    colour = mix(colour, looks.belly, 0.5 * (1.0 - smooth(0.003, 0.010, np.abs(s.y))) * smooth(0.15, 0.3, s.along))
    warts = smooth(1.0, 1.8, noise(s.x, s.y, 0.016, s.random, 30))
    colour = colour * (1.0 + 0.22 * warts - 0.1 * smooth(0.8, 1.6, noise(s.x, s.y, 0.014, s.random, 30)))[..., None]
    lip = np.exp(-(((s.along - 0.02) / 0.012) ** 2))
    return mix(colour, looks.marking, 0.4 * lip), 0.3 + 0.3 * ridge + 0.2 * warts


def _limb(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Green with dark bars across."""
    colour = np.broadcast_to(looks.back, (*s.along.shape, 3))
    colour = mix(colour, looks.belly, 0.5 * smooth(0.6, 1.0, np.abs(s.across)))
    bars = np.cos(2.0 * np.pi * s.x / 0.075 + 1.2 * noise(s.x, s.y, 0.06, s.random)) + 0.35 * noise(s.x, s.y, 0.03, s.random)
    colour = mix(
        colour, looks.marking, 0.75 * looks.markings * smooth(0.45, 0.8, bars) * (1.0 - smooth(0.7, 1.0, np.abs(s.across)))
    )
    return colour * (1.0 + 0.10 * noise(s.x, s.y, 0.014, s.random, 30))[..., None], 0.3 + 0.0 * s.along
