"""Small bodies for the tests: chains, and any graph of boxes and soft blocks."""

from __future__ import annotations

import numpy as np

from paludarium.components.body import BodyPool
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.construction.anatomy import (
    damping_inverse,
    rest_nodes,
    rigid_properties,
)
from paludarium.components.myriapod.construction.joint_table import joint_table
from paludarium.components.myriapod.tissue import TissuePool, TissueSpec
from paludarium.components.segments import SegmentPool
from paludarium.lab.myriapod.substeps import stable_substeps
from paludarium.systems.myriapod.body.full_tier_kernel import step_full
from paludarium.systems.myriapod.body.scratch_layout import scratch_width

TICK = 1.0 / 60.0
MU, LAM = TissueSpec(young_modulus=4000.0, poisson_ratio=0.4).lame
GAMMA = 50.0
IDENTITY = (1.0, 0.0, 0.0, 0.0)
UP = (np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0)  # turns x to z: a block whose front face looks up
CONTACT = np.array([1500.0, 20.0, 0.05])  # stiffness 1/s^2, damping 1/s, slip speed
FRICTION = 0.6
NO_GROUND_DEPTH = 1e6  # units; deep enough that a body without terrain never meets its plane


class Bodies:
    """The pools of some creatures. A column of any of them is an attribute, of all rows in use: ``bodies.position``."""

    def __init__(self, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
                 blocks: TissuePool) -> None:  # fmt: skip
        self.pools = (bodies, chains, segments, chained, blocks)  # in the order in which kernels take them

    def __getattr__(self, name):
        for pool in self.__dict__["pools"]:
            if name in pool.columns:
                return getattr(pool, name)[: pool.end]
        raise AttributeError(name)

    def take(self, other, creature=0, segment=0, block=0) -> None:
        """Copy all columns of other bodies to rows that begin with these."""
        for pool, source, first in zip(self.pools, other.pools, (creature, creature, segment, segment, block), strict=True):
            for name in pool.columns:
                getattr(pool, name)[first : first + source.end] = getattr(source, name)[: source.end]


def claimed(creatures: int, segments: int, blocks: int) -> Bodies:
    """Fresh pools with so many rows."""
    bodies = Bodies(BodyPool(), ChainPool(), SegmentPool(), ChainSegmentPool(), TissuePool())
    for pool, count in zip(bodies.pools, (creatures, creatures, segments, segments, blocks), strict=True):
        pool.claim(count, owner=1)
    return bodies


def allocate(creatures: int, segments: int, blocks: int) -> Bodies:
    """The same with boxes that are upright but without mass, and ground far below."""
    bodies = claimed(creatures, segments, blocks)
    bodies.orientation[:, 0] = bodies.anchor_a[:, 3] = bodies.anchor_b[:, 3] = 1.0
    bodies.ground_point[:, 2], bodies.ground_normal[:, 2] = -NO_GROUND_DEPTH, 1.0
    return bodies


def quaternion_product(p, q):
    a, b = np.asarray(p), np.asarray(q)
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.r_[a[0] * b[0] - a[1:] @ b[1:], vector]


def body(boxes, blocks, substeps=None, tick=TICK, mu=MU, lam=LAM, gamma=GAMMA) -> Bodies:
    """One creature: boxes are (position, half extents), blocks are (a, b, centre, quaternion, size), all at rest."""
    columns = allocate(1, len(boxes), len(blocks))
    attached = [[] for _ in boxes]
    for k, (a, b, center, quaternion, size) in enumerate(blocks):
        columns.segment_a[k], columns.segment_b[k], columns.size[k] = a, b, size
        columns.elastic[k] = (mu, lam, 1.0, gamma)
        columns.joint[k] = joint_table(size, mu, lam)
        for i, anchor, front in ((a, columns.anchor_a, True), (b, columns.anchor_b, False)):
            anchor[k] = np.r_[np.asarray(center, dtype=float) - boxes[i][0], quaternion]
            attached[i].append((anchor[k].copy(), size, 1.0, front))
    for i, (position, half) in enumerate(boxes):
        columns.position[i], columns.half_extents[i] = position, half
        columns.mass[i], columns.center_of_mass[i], columns.inertia[i] = rigid_properties(half, 1.0, attached[i])
        columns.inverse_inertia[i] = np.linalg.inv(columns.inertia[i])
    count = substeps or stable_substeps(columns.size, columns.elastic, 0.5, tick)
    columns.segment_count[0], columns.block_count[0], columns.substeps[0] = len(boxes), len(blocks), count
    columns.damping_inverse[0] = damping_inverse(gamma, 1.0, tick / count)
    settle_nodes(columns)
    return columns


def settle_nodes(columns: Bodies) -> None:
    """Put every free node halfway between its two faces."""
    for k in range(len(columns.size)):
        poses = [
            (columns.position[i], columns.orientation[i], columns.velocity[i], columns.angular_velocity[i])
            for i in (columns.segment_a[k], columns.segment_b[k])
        ]
        columns.node_position[k], columns.node_velocity[k] = rest_nodes(
            *poses, columns.anchor_a[k], columns.anchor_b[k], columns.size[k]
        )


def chain(segments: int, **options) -> Bodies:
    """Unit boxes at pitch 2 from the head at the origin toward -x, joined by unit blocks."""
    boxes = [((-2.0 * i, 0.0, 0.0), (0.5, 0.5, 0.5)) for i in range(segments)]
    blocks = [(i, i + 1, (-2.0 * i - 1.0, 0.0, 0.0), IDENTITY, (1.0, 1.0, 1.0)) for i in range(segments - 1)]
    return body(boxes, blocks, **options)


def hanging_chain(segments: int, **options) -> Bodies:
    """The same chain with the head at the origin and the body hanging down along -z."""
    boxes = [((0.0, 0.0, -2.0 * i), (0.5, 0.5, 0.5)) for i in range(segments)]
    blocks = [(i, i + 1, (0.0, 0.0, -2.0 * i - 1.0), UP, (1.0, 1.0, 1.0)) for i in range(segments - 1)]
    return body(boxes, blocks, **options)


def stacked(bodies: list[Bodies]) -> Bodies:
    """Several creatures in the same pools."""
    segments = np.cumsum([0] + [len(b.mass) for b in bodies])
    blocks = np.cumsum([0] + [len(b.size) for b in bodies])
    joined = claimed(len(bodies), segments[-1], blocks[-1])
    for row, b in enumerate(bodies):
        joined.take(b, row, segments[row], blocks[row])
        joined.first_segment[row], joined.first_block[row] = segments[row], blocks[row]
        rows = slice(blocks[row], blocks[row] + len(b.size))
        joined.segment_a[rows] += segments[row]
        joined.segment_b[rows] += segments[row]
    return joined


def copied(bodies: Bodies) -> Bodies:
    copy = claimed(len(bodies.substeps), len(bodies.mass), len(bodies.size))
    copy.take(bodies)
    return copy


def advance(columns, ticks=1, contact=CONTACT, friction=FRICTION, tick=TICK, dtype=np.float64, step=step_full,
            scratch=None) -> np.ndarray:  # fmt: skip
    """Step all creatures for so many ticks; returns the union of the disturbed flags."""
    rows = np.arange(len(columns.substeps), dtype=np.int32)
    if scratch is None:
        width = scratch_width(int(columns.segment_count.max(initial=1)), int(columns.block_count.max(initial=1)))
        scratch = np.zeros((len(rows), width), dtype=dtype)
    flags = np.zeros_like(columns.disturbed)
    columns.friction[:] = friction
    for _ in range(ticks):
        step(rows, *columns.pools, contact, tick, scratch)
        flags |= columns.disturbed
    return flags
