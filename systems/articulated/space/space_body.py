"""Bodies in space as arrays for kernels: shapes, masses and servos of all links, and the state of one swimmer.

Lengths in body lengths, water of density 1, seconds. A link is a tapered bar of elliptic cross-section with a rounded nose
before the root; its mass is what it displaces times its density, added up in slices. [articulated-swimmers 2.2]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....components.articulated.link_plan import MOST_LINKS, rest_frames
from ....engine.bundle import packed
from .space_body_kernel import FREE, place_links

if TYPE_CHECKING:
    from ....components.articulated.link_plan import BodyPlan
    from ....components.articulated.servo import ServoSpec
    from ....engine.pool import Array

SLICES = 64
"""Of a link that its mass is added up in."""
POINTS = 3
"""Samples of a link's shape along each of its axes, by which overlap is measured."""
MOST_RATES = FREE - 1 + MOST_LINKS
LEAST_LENGTHS = 2.0
"""Body lengths of a box along x; it is half as wide and half as high. [swimmer 6]"""
ROOM = 1.25
"""Width of a box over that of a body at rest, at least."""


class SpaceBody(NamedTuple):
    """What does not change: one row per link, the root first."""

    parent: Array
    joint: Array  # (n, 3) in the parent's axes
    axis: Array  # (n, 3)
    rest: Array
    length: Array
    width: Array  # (n, 2) half width at the joint and at the rear end
    height: Array  # (n, 2)
    aside: Array
    mass: Array
    com: Array  # (n, 3) from the joint, in its own axes
    inertia: Array  # (n, 3) about its centre, about its own axes
    kp: Array
    kd: Array
    chain: Array  # (n, MOST_LINKS) links with hinges that move it, itself included
    depth: Array  # (n,) how many they are
    frames: Array  # (n, 3, 3) axes at rest, in those of the root
    apart: Array  # (n, n) 1 for links that must not overlap
    points: Array  # (n, POINTS^3, 3) samples of its shape, in its own axes
    volume: Array  # (n,) that a sample stands for


class SpaceState(NamedTuple):
    """One swimmer: its coordinates, rates and costs, and what kernels write down of its links."""

    place: Array  # (3,) joint of the root
    turn: Array  # (4,) quaternion of the root, wxyz
    angle: Array  # (n,) hinges from rest; the root has 0
    rate: Array  # (FREE + n - 1,)
    wanted: Array  # (n,) what the servos are to have at the end of the step
    wanted_rate: Array
    outer: Array  # (FREE + n - 1,) forces from outside on every rate, beside those of water and servos
    torque: Array
    work: Array  # (1,) of all servos so far
    overlap: Array  # (1,) volume of links within links, times seconds
    time: Array  # (1,) since the stroke began, s
    axes: Array  # (n, 3, 3) forward, left and up of each link as rows
    joints: Array  # (n, 3)
    hinges: Array
    middles: Array  # centres of mass
    velocity: Array  # of the joints
    spin: Array
    mass_matrix: Array
    factor: Array
    bias: Array
    goal: Array
    columns: Array
    forces: Array
    moments: Array
    pull: Array
    swing: Array


def space_body(plan: BodyPlan, servo: ServoSpec | None = None) -> SpaceBody:
    """The body of a plan, one body length long.

    Example::

        body = space_body(load_body("fish_3d").plan)
        body.mass.sum()            # of the water that it displaces, in cubic body lengths
    """
    from ....components.articulated.servo import ServoSpec

    servo = servo or ServoSpec()
    n = plan.count
    mass, com, inertia = _solids(plan)
    chain, depth = np.zeros((n, MOST_LINKS), np.int64), np.zeros(n, np.int64)
    for k in range(1, n):
        above = plan.parent[k]
        depth[k] = depth[above] + 1
        chain[k, : depth[above]] = chain[above, : depth[above]]
        chain[k, depth[above]] = k
    kp = np.full(n, servo.stiffness * mass.sum())
    kp[0] = 0.0
    points, volume = _samples(plan)
    _, frames = rest_frames(plan)
    body = SpaceBody(
        plan.parent.astype(np.int64), plan.joint, plan.axis, plan.rest, plan.length, plan.radius, plan.height, plan.aside,
        mass, com, inertia, kp, servo.damping * kp, chain, depth, frames, np.zeros((n, n), np.uint8), points, volume,
    )  # fmt: skip
    body.apart[...] = _apart(plan)
    return packed(body)


def new_state(body: SpaceBody) -> SpaceState:
    """A swimmer at rest, its root's joint at the origin, looking along x."""
    n = len(body.parent)
    rates = FREE - 1 + n
    one, three, square = np.zeros(n), np.zeros((n, 3)), np.zeros((rates, rates))
    state = packed(SpaceState(
        np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), one.copy(), np.zeros(rates), one.copy(), one.copy(), np.zeros(rates),
        one.copy(),
        np.zeros(1), np.zeros(1), np.zeros(1), np.zeros((n, 3, 3)), three.copy(), three.copy(), three.copy(), three.copy(),
        three.copy(), square.copy(), square.copy(), np.zeros(rates), np.zeros(rates), np.zeros((rates, 9)), three.copy(),
        three.copy(), three.copy(), three.copy(),
    ))  # fmt: skip
    place_links(body, state)
    return state


def box_lengths(plan: BodyPlan) -> float:
    """How long a box has to be for a body, in body lengths: wide bodies need more. [Tan11 6]"""
    joints, axes = rest_frames(plan)
    aside = plan.aside[:, None] * axes[:, 1]
    ends = np.concatenate([joints + aside, joints + aside - plan.length[:, None] * axes[:, 0]])
    reach = np.abs(ends[:, 1]) + plan.radius.T.ravel()
    return max(LEAST_LENGTHS, float(np.ceil(20.0 * 2.0 * ROOM * reach.max()) / 10.0))


def _solids(plan: BodyPlan) -> tuple[Array, Array, Array]:
    """Masses, centres of mass and moments of inertia of all links, from elliptic slices; half an ellipsoid is the nose."""
    mass, com, inertia = np.zeros(plan.count), np.zeros((plan.count, 3)), np.zeros((plan.count, 3))
    share = (np.arange(SLICES) + 0.5) / SLICES
    for k in range(plan.count):
        x, thick = -share * plan.length[k], plan.length[k] / SLICES
        w, h = (r[0] + share * (r[1] - r[0]) for r in (plan.radius[k], plan.height[k]))
        m = np.pi * w * h * thick
        if k == 0 and plan.length[0] > 0.0:
            wide, high = plan.radius[0, 0], plan.height[0, 0]
            nose, size = min(wide, high), np.sqrt(1.0 - share**2)
            x, m = np.append(x, share * nose), np.append(m, np.pi * size**2 * wide * high * nose / SLICES)
            w, h = np.append(w, size * wide), np.append(h, size * high)
        m = m * plan.density[k]
        if not (whole := float(m.sum())) > 0.0:
            continue
        middle = float(m @ x) / whole
        along, wide, high = float(m @ (x - middle) ** 2), float(m @ w**2) / 4.0, float(m @ h**2) / 4.0
        mass[k], com[k] = whole, (middle, plan.aside[k], 0.0)
        inertia[k] = wide + high, along + high, along + wide
    return mass, com, inertia


def _samples(plan: BodyPlan) -> tuple[Array, Array]:
    """Points within every link that stand for equal volumes, on a grid of its own axes."""
    mid = (np.arange(POINTS) + 0.5) / POINTS
    t, y, z = (grid.ravel() for grid in np.meshgrid(mid, 2.0 * mid - 1.0, 2.0 * mid - 1.0, indexing="ij"))
    points = np.zeros((plan.count, POINTS**3, 3))
    for k in range(plan.count):
        w, h = (r[0] + t * (r[1] - r[0]) for r in (plan.radius[k], plan.height[k]))
        points[k] = np.column_stack([-t * plan.length[k], plan.aside[k] + 0.7 * w * y, 0.7 * h * z])
    mass, _, _ = _solids(plan)
    return points, mass / plan.density / POINTS**3


def _apart(plan: BodyPlan) -> Array:
    """Which links must not overlap: all pairs of shapes but those that a hinge joins. [articulated-swimmers 7.21]"""
    holder = np.zeros(plan.count, np.int64)  # the nearest link above that has a shape
    apart = np.zeros((plan.count, plan.count), np.uint8)
    shaped, (joints, _) = plan.length > 0.0, rest_frames(plan)
    for k in range(1, plan.count):
        above = plan.parent[k]
        holder[k] = above if shaped[above] else holder[above]
        for other in np.flatnonzero(shaped[:k]):
            siblings = holder[other] == holder[k] and np.allclose(joints[other], joints[k])
            apart[k, other] = apart[other, k] = shaped[k] and other != holder[k] and not siblings
    return apart
