"""Manta rays: one disc from wing tip to wing tip that bends with the plates of the wings, a whip of a tail, two lobes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .swimmer_looks import LEFT_RIGHT, bound, middles
from .textures import mix, noise, scattered, smooth

if TYPE_CHECKING:
    from .body_pieces import Guide, Parts, Surface
    from .link_skeleton import Skeleton
    from .swimmer_looks import Array, Looks

EYE = (0.85, 0.88, 0.90)
# The disc: share of half the span; leading and trailing edge (shares of the length of the body from its front); half height,
# of the span.
DISC = (
    (0.0, 0.03, 1.02, 0.105), (0.09, 0.02, 1.03, 0.098), (0.18, 0.03, 1.00, 0.080), (0.30, 0.12, 0.90, 0.055),
    (0.45, 0.26, 0.80, 0.036), (0.60, 0.42, 0.76, 0.024), (0.74, 0.56, 0.80, 0.016), (0.86, 0.70, 0.88, 0.010),
    (0.94, 0.82, 0.95, 0.007), (1.0, 0.96, 1.01, 0.004),
)  # fmt: skip


SPAN = 1.35
"""Of what the plates reach: thin wing tips go on beyond the last of them."""
DISC_LONG = 0.86
"""Share of the length of the root link that the disc covers; the tail begins there."""


def paint_manta(skeleton: Skeleton, looks: Looks, parts: Parts) -> None:
    """Tail below, disc, lobes beside the mouth, eyes."""
    front, rear = _ends(skeleton)
    wings = [chain for pair in skeleton.pairs() for chain in pair]
    reach = max((_reach(skeleton, link) for chain in wings for link in chain), default=2.0 * float(skeleton.radius[0, 0]))
    span = SPAN * reach
    sections = [section for share in [-d for d, *_ in DISC[:0:-1]] + [d for d, *_ in DISC]
                for section in _section(skeleton, wings, share, span, front, rear)]  # fmt: skip
    for k in range(0, len(sections) - 2, 2):  # from section to section, as wide as they are long
        parts.shadow(_middle(*sections[k : k + 2]), _middle(*sections[k + 2 : k + 4]))
    spine = skeleton.spine()
    if len(spine) > 1:
        last = spine[-1]
        tail = [bound(skeleton, 0, (rear + 0.06, 0.0, 0.0), 0.030, 0.024), *middles(skeleton, spine[1:], 0.8),
                (last, -float(skeleton.length[last]), 0.0, 0.0, 0.004, 0.004)]  # fmt: skip
    else:
        points = ((0.06, 0.022), (-0.05, 0.014), (-0.20, 0.009), (-0.36, 0.006), (-0.55, 0.003))
        tail = [bound(skeleton, 0, (rear + x, 0.0, 0.0), w, w) for x, w in points]
    parts.tube(tail, lambda s: _tail(s, looks), rounds=(0.0, 0.02), gloss=0.5 * looks.gloss, outline=0.003, halo=0.6)
    for side in LEFT_RIGHT:
        lobes = ((0.14, 0.130, 0.026), (0.03, 0.138, 0.036), (-0.07, 0.128, 0.032), (-0.14, 0.098, 0.016))
        lobe = [bound(skeleton, 0, (front - x * (front - rear), side * y * span, 0.0), w, 0.02) for x, y, w in lobes[::-1]]
        parts.tube(lobe, lambda s: _tail(s, looks), rounds=(0.25, 0.0), gloss=0.5 * looks.gloss, outline=0.005, least=30.0)
    parts.tube(
        sections,
        lambda s: _disc(s, looks),
        across=True,
        rounds=(0.02, 0.02),
        gloss=0.55 * looks.gloss,
        outline=0.010,
        halo=1.5,
    )
    for side in LEFT_RIGHT:
        at = bound(skeleton, 0, (front - 0.085 * (front - rear), side * 0.158 * span, 0.04))
        parts.eye(at, (0.015, 0.012), EYE, pupil=0.66, least=40.0)


def _ends(skeleton: Skeleton) -> tuple[float, float]:
    """Front and rear of the body, forward of the joint of the root."""
    return float(skeleton.radius[0, 0]), -DISC_LONG * float(skeleton.length[0])


def _corners(skeleton: Skeleton, link: int) -> Array:
    """(4, 3) corners of a plate at rest."""
    joint, (ahead, left, _), end = skeleton.joint[link], skeleton.axes[link], skeleton.end(link)
    wide = skeleton.radius[link, :, None] * left
    del ahead
    corners: Array = np.array([joint + wide[0], joint - wide[0], end + wide[1], end - wide[1]])
    return corners


def _reach(skeleton: Skeleton, link: int) -> float:
    """How far a plate reaches to its side at rest."""
    return float(np.abs(_corners(skeleton, link)[:, 1]).max())


def _middle(lead: Guide, trail: Guide) -> Guide:
    """The middle of a section, with half its length as a radius."""
    a, b = np.array(lead[1:4]), np.array(trail[1:4])
    x, y, z = 0.5 * (a + b)
    return lead[0], float(x), float(y), float(z), 0.46 * float(np.linalg.norm(a - b))


def _section(
    skeleton: Skeleton, wings: list[list[int]], share: float, span: float, front: float, rear: float
) -> list[Guide]:
    """Leading and trailing edge at a share of the span (left positive), on the plate that lies there."""
    place = abs(share)
    table = np.array(DISC)
    lead, trail, high = (float(np.interp(place, table[:, 0], table[:, k])) for k in (1, 2, 3))
    y = share * span
    link = _plate_at(skeleton, wings, y)
    edges = [(front - lead * (front - rear), y, 0.0), (front - trail * (front - rear), y, 0.0)]
    return [bound(skeleton, link, edge, 0.0, high * span) for edge in edges]


def _plate_at(skeleton: Skeleton, wings: list[list[int]], y: float) -> int:
    """The link that has a place to the side: the outermost plate that begins before it, or the body."""
    found, farthest = 0, 0.0
    for chain in wings:
        for link in chain:
            corners = np.abs(_corners(skeleton, link)[:, 1])
            middle_side = float(np.sign(_corners(skeleton, link)[:, 1].mean()))
            if middle_side * y > 0.0 and corners.min() <= abs(y) and corners.min() >= farthest:
                found, farthest = link, float(corners.min())
    return found


def _disc(s: Surface, looks: Looks) -> tuple[Array, Array]:
    """Dark slate, white patches on the shoulders, a pale rim behind, small spots; along is from tip to tip."""
    out = np.abs(2.0 * s.along - 1.0)
    back = 0.5 - 0.5 * s.across  # 0 at the leading edge
    colour = np.broadcast_to(looks.back, (*s.along.shape, 3))
    colour = mix(colour, looks.fin, 0.65 * smooth(0.35, 1.0, out) + 0.2 * noise(s.x, s.y, 0.25, s.random))
    patch = (
        smooth(0.10, 0.16, out)
        * (1.0 - smooth(0.40, 0.55, out))
        * np.exp(-(((back - 0.20 - 0.22 * (out - 0.15)) / 0.075) ** 2))
    )
    hook = np.exp(-(((out - 0.17) / 0.045) ** 2)) * smooth(0.13, 0.2, back) * (1.0 - smooth(0.34, 0.46, back))
    ragged = 1.0 + 0.35 * noise(s.x, s.y, 0.06, s.random)
    colour = mix(colour, looks.belly, looks.markings * 0.95 * smooth(0.25, 0.7, np.maximum(patch, hook) * ragged))
    colour = mix(colour, looks.belly, 0.35 * smooth(0.90, 1.0, back) * smooth(0.2, 0.5, out))
    colour = mix(colour, looks.back * 0.55, 0.55 * np.exp(-((out / 0.05) ** 2)) * smooth(0.15, 0.4, back))
    wide = float(np.abs(s.y).max())
    points = scattered((0.0, s.length), (-wide, wide), 0.055, s.random)
    far = np.min(np.hypot(s.x[..., None] - points[:, 0], s.y[..., None] - points[:, 1]), axis=-1)
    size = 0.0045 * (1.0 + 0.5 * noise(s.x, s.y, 0.1, s.random))
    spots = (1.0 - smooth(0.6, 1.2, far / np.maximum(size, 1e-4))) * smooth(0.45, 0.6, back)
    colour = mix(colour, looks.marking, 0.7 * looks.markings * spots)
    colour = mix(colour, looks.back * 0.5, 0.8 * (1.0 - smooth(0.0, 0.035, back)) * (1.0 - smooth(0.10, 0.14, out)))
    return colour * (1.0 + 0.05 * noise(s.x, s.y, 0.03, s.random))[..., None], 0.16 + 0.2 * (1.0 - patch)


def _tail(s: Surface, looks: Looks) -> tuple[Array, Array]:
    return np.broadcast_to(looks.back * 0.9, (*s.along.shape, 3)) * (1.0 - 0.2 * s.along)[..., None], 0.2 + 0.0 * s.along
