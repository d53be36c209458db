"""Sea turtles: a shell of plates with amber rays, scaly flippers like leaves, a head that looks where it steers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .swimmer_looks import LEFT_RIGHT, bound
from .textures import cells, mix, noise, scattered, smooth

if TYPE_CHECKING:
    from .body_pieces import Guide, Parts, Surface
    from .link_skeleton import Skeleton
    from .swimmer_looks import Array, Looks

EYE = (0.12, 0.10, 0.08)
# The shell: places along it in shares of the length of the root link with both its ends, and half widths of the widest.
OUTLINE = (
    (-0.02, 0.30),
    (0.05, 0.62),
    (0.16, 0.87),
    (0.32, 1.0),
    (0.50, 0.99),
    (0.68, 0.83),
    (0.84, 0.53),
    (0.95, 0.24),
    (1.0, 0.07),
)
SHELL_WIDE, SHELL_HIGH = 1.30, 0.60  # of the half width of the root link
SCUTES = 0.0062  # body lengths, half width of a seam


def paint_turtle(skeleton: Skeleton, looks: Looks, parts: Parts) -> None:
    """Flippers, paddles, tail and head below the shell."""
    r, front = float(skeleton.radius[0, 0]), float(skeleton.radius[0, 0])
    rear = -float(skeleton.length[0]) - float(skeleton.radius[0, 1])
    widest = SHELL_WIDE * r
    _shadows(skeleton, parts, widest)
    pairs = skeleton.pairs()
    hind = [pair for pair in pairs if skeleton.joint[pair[0][0], 0] < -0.6 * skeleton.length[0]]
    for left, right in pairs:
        for chain, side in ((left, 1.0), (right, -1.0)):
            if (left, right) in hind:
                _paddle(skeleton, looks, parts, chain[0], side)
            else:
                _flipper(skeleton, looks, parts, chain, side)
    if not hind:
        for side in LEFT_RIGHT:
            points = (
                (0.76, 0.55, 0.045),
                (0.90, 0.88, 0.055),
                (1.02, 1.18, 0.055),
                (1.11, 1.36, 0.034),
                (1.15, 1.42, 0.010),
            )
            guides = [bound(skeleton, 0, (front + x * (rear - front), side * y * r, -0.03), w, 0.014) for x, y, w in points]
            parts.tube(guides, lambda s: _scales(s, looks, 0.034), rounds=(0.0, 0.16), gloss=0.5 * looks.gloss, steered=0.0)
    tail = [
        bound(skeleton, 0, (x, 0.0, -0.02), w, w)
        for x, w in ((rear + 0.06, 0.035), (rear - 0.02, 0.024), (rear - 0.07, 0.006))
    ]
    parts.tube(tail, lambda s: _scales(s, looks, 0.03), rounds=(0.0, 0.2), gloss=0.3 * looks.gloss, least=30.0)
    _head(skeleton, looks, parts, front)
    shell = [bound(skeleton, 0, (front + x * (rear - front), 0.0, 0.02), w * widest, (0.35 + 0.65 * w) * SHELL_HIGH * r)
             for x, w in OUTLINE]  # fmt: skip
    parts.tube(shell, lambda s: _shell(s, looks), rounds=(0.05, 0.03), gloss=looks.gloss, outline=0.012, halo=1.5)


def _shadows(skeleton: Skeleton, parts: Parts, widest: float) -> None:
    long = float(skeleton.length[0])
    parts.shadow((0, 0.0, 0.0, 0.0, 0.85 * widest), (0, -0.8 * long, 0.0, 0.0, 0.75 * widest))
    parts.shadow((0, widest, 0.0, 0.0, 0.06), (0, 0.0, 0.0, 0.0, 0.06))
    for link in range(1, skeleton.count):
        wide = 1.7 * skeleton.radius[link]
        parts.shadow((link, 0.0, 0.0, 0.0, wide[0]), (link, -float(skeleton.length[link]), 0.0, 0.0, 0.7 * wide[1]))


def _flipper(skeleton: Skeleton, looks: Looks, parts: Parts, chain: list[int], side: float) -> None:
    """A leaf through the links of a limb: broad at the elbow, swept back to its tip."""
    first, last = chain[0], chain[-1]
    inner = skeleton.joint[first] * (1.0, 0.62, 1.0)
    a, b, wide = float(skeleton.length[first]), float(skeleton.length[last]), float(skeleton.radius[first, 0])
    guides: list[Guide] = [
        bound(skeleton, 0, inner, 1.35 * wide, 0.028),
        (first, -0.15 * a, 0.0, 0.0, 1.45 * wide, 0.028),
        (first, -0.65 * a, side * 0.25 * wide, 0.0, 1.75 * wide, 0.024),
        (last, -0.05 * b, side * 0.35 * wide, 0.0, 1.85 * wide, 0.020),
        (last, -0.45 * b, side * 0.05 * wide, 0.0, 1.60 * wide, 0.016),
        (last, -0.88 * b, -side * 0.75 * wide, 0.0, 1.10 * wide, 0.012),
        (last, -1.20 * b, -side * 1.75 * wide, 0.0, 0.62 * wide, 0.010),
        (last, -1.36 * b, -side * 2.45 * wide, 0.0, 0.20 * wide, 0.008),
    ]
    parts.tube(guides, lambda s: _scales(s, looks, 0.036), rounds=(0.0, 0.10), gloss=0.5 * looks.gloss, outline=0.007)


def _paddle(skeleton: Skeleton, looks: Looks, parts: Parts, link: int, side: float) -> None:
    """A short round leaf behind the shell, that goes with its joint."""
    long, wide = float(skeleton.length[link]), float(skeleton.radius[link, 0])
    inner = skeleton.joint[link] * (0.92, 0.75, 1.0)
    guides: list[Guide] = [
        bound(skeleton, 0, inner, 1.20 * wide, 0.016),
        (link, -0.05 * long, 0.0, -0.02, 1.40 * wide, 0.016),
        (link, -0.40 * long, side * 0.10 * wide, -0.02, 1.75 * wide, 0.014),
        (link, -0.75 * long, 0.0, -0.02, 1.60 * wide, 0.012),
        (link, -1.05 * long, -side * 0.15 * wide, -0.02, 1.05 * wide, 0.010),
        (link, -1.20 * long, -side * 0.25 * wide, -0.02, 0.30 * wide, 0.008),
    ]
    parts.tube(guides, lambda s: _scales(s, looks, 0.034), rounds=(0.0, 0.16), gloss=0.5 * looks.gloss)


def _head(skeleton: Skeleton, looks: Looks, parts: Parts, front: float) -> None:
    """Neck and head in one; it turns with the steering."""
    points = (
        (0.245, 0.030, 0.028),
        (0.215, 0.056, 0.046),
        (0.165, 0.072, 0.058),
        (0.105, 0.066, 0.055),
        (0.045, 0.050, 0.045),
        (-0.05, 0.062, 0.045),
    )
    guides = [bound(skeleton, 0, (front + x, 0.0, 0.01), w, h) for x, w, h in points]
    parts.tube(
        guides, lambda s: _scales(s, looks, 0.042), rounds=(0.10, 0.0), gloss=0.6 * looks.gloss, outline=0.007, steered=0.07
    )
    for side in LEFT_RIGHT:
        link, x, y, z, _, _ = bound(skeleton, 0, (front + 0.180, side * 0.060, 0.04))
        parts.eye((link, x, y, z, 0.0, 0.0, 0.0, 0.055), (0.020, 0.013), EYE, pupil=0.8, least=40.0)


def _scales(s: Surface, looks: Looks, size: float) -> tuple[Array, Array]:
    """Dark scales, larger in the middle, with pale seams between them."""
    wide = float(np.abs(s.y).max())
    points = scattered((0.0, s.length), (-wide, wide), size, s.random)
    cell, far, seam = cells(s.x, s.y, points)
    tone = 0.85 + 0.30 * s.random.random(len(points))[cell]
    colour = mix(np.broadcast_to(looks.fin, (*s.along.shape, 3)), looks.back, 0.25 + 0.2 * noise(s.x, s.y, 0.08, s.random))
    colour = colour * (tone * (1.12 - 0.35 * smooth(0.0, 0.6 * size, far)))[..., None]
    colour = mix(colour, looks.marking, looks.markings * 0.8 * (1.0 - smooth(0.0014, 0.0044, seam)))
    colour = mix(colour, looks.marking, 0.4 * smooth(0.86, 1.0, np.abs(s.across)))
    return colour, 0.15 + 0.15 * (1.0 - smooth(0.0, 0.5 * size, far))


def _shell(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Five plates along the middle, four to either side, small ones round the rim; amber rays in each."""
    wide = float(np.abs(s.y).max())
    middle = [(x, 0.0) for x in (0.11, 0.28, 0.46, 0.64, 0.81)]
    sides = [(x, y * side) for x, y in ((0.17, 0.55), (0.36, 0.62), (0.55, 0.60), (0.72, 0.44)) for side in LEFT_RIGHT]
    points = np.array([*middle, *sides]) * (s.length, wide)
    points += s.random.uniform(-0.008, 0.008, points.shape)
    cell, far, seam = cells(s.x, s.y, points)
    at = points[cell] - (0.0, 0.0)
    turn = np.arctan2(s.y - at[..., 1], s.x - at[..., 0] - 0.030)
    own = s.random.uniform(0.0, 6.28, len(points))[cell]
    rays = np.cos(turn * 9.0 + own + 1.6 * noise(s.x, s.y, 0.05, s.random)) + 0.6 * np.cos(turn * 21.0 + 2.0 * own)
    rays = smooth(-0.45, 0.75, rays + 0.45 * noise(s.x, s.y, 0.03, s.random))
    dark, amber = looks.back, looks.belly
    colour = mix(np.broadcast_to(dark, (*s.along.shape, 3)), amber, 0.85 * rays * smooth(0.005, 0.05, far))
    colour = colour * (0.78 + 0.42 * smooth(0.0, 0.035, seam))[..., None]
    rim = smooth(0.86, 0.90, np.abs(s.across)) + smooth(0.93, 0.96, s.along) + 1.0 - smooth(0.035, 0.06, s.along)
    rim = np.clip(rim, 0.0, 1.0)
    plates = np.abs(((s.along * 12.0 + 0.5) % 1.0) - 0.5) / 12.0 * s.length
    border = mix(np.broadcast_to(amber, colour.shape), dark, 0.35 + 0.5 * smooth(0.2, 1.0, np.cos(s.along * 75.0)))
    colour = mix(colour, border, rim)
    seams = (1.0 - smooth(SCUTES * 0.35, SCUTES, seam)) * (1.0 - rim)
    seams = np.maximum(seams, 0.7 * rim * (1.0 - smooth(SCUTES * 0.3, SCUTES * 0.9, plates)))
    ring = np.exp(-(((np.abs(s.across) - 0.875) / 0.018) ** 2)) * (1.0 - smooth(0.93, 0.96, s.along))
    colour = mix(colour, looks.marking, looks.markings * np.maximum(seams, 0.8 * ring))
    return colour * (1.0 + 0.05 * noise(s.x, s.y, 0.02, s.random))[..., None], 0.35 * (1.0 - seams) + 0.2 * rays
