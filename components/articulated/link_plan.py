"""The tree of links of a species as plain arrays, in body lengths: where joints are, how thick links are, what they weigh.

A link begins at its joint and reaches backward: in its own axes (x forward, y left, z up) it lies between 0 and -length. Its
mass is that of a slab of water one unit deep (plane, [Tan11 Tab. 1]); what lives in space has masses of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.parts import SpecProblem

if TYPE_CHECKING:
    from ...engine.pool import Array
    from .links import LinkSpec

MOST_LINKS = 24
"""Of one body: coordinates of small dense systems are solved by our own factorisation. [swimmer 3]"""
UPRIGHT = (0.0, 0.0, 1.0)
PLANE_TOLERANCE = 1e-9


@dataclass(frozen=True)
class BodyPlan:
    """Links of a species, the root first and every parent before its children. Lengths in body lengths, water of density 1.

    Example::

        plan = plan_of(species.specs["links"])
        plan.joints           # actuated joints: all links but the root
        plan.mass.sum()       # of a slab of water one body length deep
    """

    names: tuple[str, ...]
    parent: Array  # (n,) int64, -1 for the root
    joint: Array  # (n, 3) of the joint in the parent's axes, from the parent's joint
    axis: Array  # (n, 3) unit vector that it turns about, in the parent's axes
    rest: Array  # (n,) angle at rest, rad
    length: Array  # (n,) 0 for a joint without a shape
    radius: Array  # (n, 2) half width at the joint and at the rear end
    height: Array  # (n, 2) half height there
    aside: Array  # (n,) how far to the left of its joint its shape lies
    density: Array  # (n,) against water
    limit: Array  # (n,) rad to either side of rest
    least: Array  # (n,) rad, lowest angle of its strokes
    most: Array  # (n,) and highest
    held: Array  # (n,) bool: it does not beat
    held_at: Array  # (n,) rad, where straight strokes hold it
    mass: Array  # (n,) in the plane, per unit depth
    com: Array  # (n,) how far behind the joint its centre of mass is
    inertia: Array  # (n,) about that centre, about z
    mirror: Array  # (n,) int64 link whose angle it has mirrored, or -1
    follows: Array  # (n,) int64 link whose angle it has times `factor`, or -1
    factor: Array  # (n,)
    mirror_sign: Array  # (n,) of a mirrored angle: reflected in the middle plane a turn about z or x goes the other way
    group: tuple[str, ...]  # of the search

    @property
    def count(self) -> int:
        return len(self.parent)

    @property
    def joints(self) -> int:
        """Actuated joints: the root is free."""
        return self.count - 1

    @property
    def plane(self) -> bool:
        """Whether all of it moves in the plane of the map, so that it can swim in a fluid window."""
        upright = np.abs(self.axis[1:] - UPRIGHT).max(initial=0.0) < PLANE_TOLERANCE
        return bool(upright and np.abs(self.joint[:, 2]).max() < PLANE_TOLERANCE)

    @property
    def other(self) -> Array:
        """(n,) link of the other side, or itself."""
        found = np.where(self.mirror >= 0, self.mirror, np.arange(self.count))
        for k in np.flatnonzero(self.mirror >= 0):
            found[self.mirror[k]] = k
        return found

    @property
    def free(self) -> Array:
        """(k,) links whose joints have variables of their own in a search: neither mirrored nor following another."""
        own = (self.mirror < 0) & (self.follows < 0)
        own[0] = False
        return np.flatnonzero(own)


@lru_cache(maxsize=64)
def plan_of(links: tuple[LinkSpec, ...]) -> BodyPlan:
    """The plan of the ``[[links]]`` of a species, or a `SpecProblem` that says which of them cannot be."""
    if not 1 <= len(links) <= MOST_LINKS:
        raise SpecProblem("", f"{len(links)} links", f"1 to {MOST_LINKS} tables [[links]]")
    place: dict[str, int] = {}
    for k, link in enumerate(links):
        if not link.name or link.name in place:
            raise SpecProblem("name", link.name, "a name that no other link has")
        place[link.name] = k
    n = len(links)
    parent, joint = np.full(n, -1), np.zeros((n, 3))
    for k, link in enumerate(links[1:], 1):
        parent[k] = _earlier(link, "parent", place, k) if link.parent else k - 1
        behind = (-links[parent[k]].length, 0.0, 0.0)
        joint[k] = (*link.at, *(0.0,) * (3 - len(link.at))) if link.at else behind
    axis = np.array([_unit(link.axis) for link in links])
    radius = np.array([link.half_width for link in links])
    height = np.array([link.half_height if any(link.half_height) else link.half_width for link in links])
    length, density = np.array([link.length for link in links]), np.array([link.density for link in links])
    mass, com, inertia = _slabs(length, radius, density)
    mirror = _others(links, "mirror", place)
    mirror_sign, limit = _signs(axis, mirror), np.array([link.limit for link in links])
    least, most = _ranges(links, mirror, mirror_sign, limit)
    held = np.array([(links[mirror[k]] if mirror[k] >= 0 else link).held for k, link in enumerate(links)])
    held_at = np.array([mirror_sign[k] * links[mirror[k]].held_at if mirror[k] >= 0 else link.held_at
                        for k, link in enumerate(links)])  # fmt: skip
    return BodyPlan(
        names=tuple(place), parent=parent, joint=joint, axis=axis, rest=np.array([link.rest for link in links]),
        length=length, radius=radius, height=height, aside=np.array([link.aside for link in links]), density=density,
        limit=limit, least=least, most=most, held=held, held_at=held_at,
        mass=mass, com=com, inertia=inertia, mirror=mirror, mirror_sign=mirror_sign,
        follows=_others(links, "follows", place), factor=np.array([link.factor for link in links]),
        group=tuple(link.group for link in links),
    )  # fmt: skip


def _earlier(link: LinkSpec, key: str, place: dict[str, int], k: int) -> int:
    """The number of the link that a key names; it must come before."""
    other = place.get(getattr(link, key), n_links := len(place))
    if other >= k or other == n_links:
        raise SpecProblem(key, getattr(link, key), f"the name of a link before {link.name!r}")
    return other


def _others(links: tuple[LinkSpec, ...], key: str, place: dict[str, int]) -> Array:
    found = [_earlier(link, key, place, k) if k and getattr(link, key) else -1 for k, link in enumerate(links)]
    for link, other in zip(links, found, strict=True):
        if other >= 0 and (links[other].mirror or links[other].follows or other == 0):
            raise SpecProblem(key, getattr(link, key), "a link with a joint that is neither mirrored nor follows another")
    return np.array(found)


def _ranges(links: tuple[LinkSpec, ...], mirror: Array, sign: Array, limit: Array) -> tuple[Array, Array]:
    """Lowest and highest angles of strokes; a mirrored link has those of the other side, mirrored."""
    least, most = -limit, limit.copy()
    for k, link in enumerate(links):
        if not link.range:
            continue
        if len(link.range) != 2 or not -link.limit <= link.range[0] <= 0.0 <= link.range[1] <= link.limit:
            allowed = f"two numbers around 0 within limit_deg = {np.degrees(link.limit):g} of {link.name!r}"
            raise SpecProblem("range_deg", [*np.degrees(link.range)], allowed)
        least[k], most[k] = link.range
    for k, link in enumerate(links):
        if mirror[k] >= 0 and not link.range:
            low, high = least[mirror[k]], most[mirror[k]]
            least[k], most[k] = (low, high) if sign[k] > 0.0 else (-high, -low)
    return least, most


def _signs(axis: Array, mirror: Array) -> Array:
    """Signs of mirrored angles; -1 for joints in the plane, also for those that have no other side."""
    reflected = axis * (-1.0, 1.0, -1.0)
    other = np.where(mirror >= 0, mirror, np.arange(len(mirror)))
    along: Array = np.einsum("ij,ij->i", axis, reflected[other])
    return np.where(along > 0.0, 1.0, -1.0)


def _unit(axis: tuple[float, ...]) -> Array:
    v = np.array(axis)
    size = float(np.linalg.norm(v))
    if size < 1e-6:
        raise SpecProblem("axis", list(axis), "a direction: three numbers that are not all 0")
    return v / size


def _slabs(length: Array, radius: Array, density: Array) -> tuple[Array, Array, Array]:
    """Mass, centre of mass behind the joint, and inertia about it, of trapezoids; half a disc before the root's joint.

    Width is linear from a = 2 r0 to b = 2 r1: m = l (a + b)/2, and moments of that line by hand.
    """
    a, b, l = 2.0 * radius[:, 0], 2.0 * radius[:, 1], length  # noqa: E741 - the length of the formulas
    mass, first = 0.5 * l * (a + b), l**2 * (a / 6.0 + b / 3.0)
    second = l**3 * (a / 12.0 + b / 4.0)  # about the joint, along the link
    across = l * (a + b) * (a**2 + b**2) / 48.0  # of the width about the axis
    r0 = radius[0, 0]
    disc = 0.5 * np.pi * r0**2
    mass[0], first[0] = mass[0] + disc, first[0] - 2.0 / 3.0 * r0**3
    second[0], across[0] = second[0] + disc * r0**2 / 4.0, across[0] + disc * r0**2 / 4.0
    com = np.divide(first, mass, out=np.zeros_like(mass), where=mass > 0.0)
    inertia = second + across - mass * com**2
    return density * mass, com, density * inertia


def scaled(plan: BodyPlan, size: float) -> dict[str, Any]:
    """The columns of `LinkPool` that depend on the size of the animal, in units, water of density 1 and one unit deep."""
    return {
        "joint": size * plan.joint, "length": size * plan.length, "radius": size * plan.radius,
        "height": size * plan.height, "aside": size * plan.aside, "mass": size**2 * plan.mass,
        "com": size * plan.com, "inertia": size**4 * plan.inertia,
    }  # fmt: skip


def rest_frames(plan: BodyPlan) -> tuple[Array, Array]:
    """(n, 3) joints and (n, 3, 3) axes as rows (forward, left, up) of all links at rest, in the axes of the root."""
    joints, axes = np.zeros((plan.count, 3)), np.zeros((plan.count, 3, 3))
    axes[0] = np.eye(3)
    for k in range(1, plan.count):
        above = axes[plan.parent[k]]
        joints[k] = joints[plan.parent[k]] + plan.joint[k] @ above
        axes[k] = turned(plan.axis[k], float(plan.rest[k])) @ above
    return joints, axes


def turned(axis: Array, angle: float) -> Array:
    """(3, 3) rows: forward, left and up after a turn about an axis, in the axes before it. [Rodrigues]"""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    matrix: Array = np.eye(3) + np.sin(angle) * across + (1.0 - np.cos(angle)) * across @ across
    return matrix.T
