"""A batch of equal bodies, each with its own gait, in unlimited still water: the test tank of swimming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...components.body import BodyPool
from ...components.head_command import HeadCommandPool
from ...components.myriapod.chain import ChainPool
from ...components.myriapod.chain_segments import ChainSegmentPool
from ...components.myriapod.construction.anatomy import rest_nodes
from ...components.myriapod.construction.assembly import Blueprint, draw_blueprint
from ...components.myriapod.muscles import LINE_POINTS, MusclePool, MuscleSpec, muscle_line
from ...components.myriapod.tissue import TissuePool, TissueSpec
from ...components.parameters import parameter_row
from ...components.segments import SegmentPool, SegmentSpec
from ...engine.creature import CreaturePool
from ...engine.species import Species
from ...systems.myriapod.body.scratch_layout import scratch_width
from .trial_kernel import swim_together

Floats = NDArray[np.float64]

TICK = 1.0 / 60.0
"""Seconds; ten substeps of the source's tissue fit into it."""
DEEP = 1e5
"""Units of water above the body, and of room below it: it meets neither surface nor ground."""
SWIMMER_SEGMENTS = 12
"""Rigid segments of the source's swimmer, with 11 blocks between them. [Fang15 App. C]"""


@dataclass(frozen=True)
class Track:
    """What a batch did: one entry per tick and swimmer."""

    centers: Floats  # (ticks, n, 3) mean of the segment centres
    power: Floats  # (ticks, n) work against the water per second
    segments: Floats  # (ticks, n, segments, 3)
    head_direction: Floats  # (ticks, n, 3) where each head points


class TankPools(NamedTuple):
    """The tables of all bodies in a tank, in the order in which kernels take them."""

    creatures: CreaturePool
    bodies: BodyPool
    chains: ChainPool
    segments: SegmentPool
    chained: ChainSegmentPool
    blocks: TissuePool
    muscles: MusclePool
    heads: HeadCommandPool

    def copy(self) -> TankPools:
        """The same bodies in tables of their own."""
        made: list[Any] = [type(pool)() for pool in self]
        twins = TankPools(*made)
        for twin, pool in zip(twins, self, strict=True):
            twin.restore(dict(pool.arrays()))
        return twins


class Swimmers:
    """Straight bodies at rest, side by side in memory but each alone in its own water.

    Example::

        swimmers = Swimmers(2)
        swimmers.set_gait([1.0, 2.0], [0.9, 0.9])
        track = swimmers.run(6.0)
    """

    def __init__(self, count: int, segments: SegmentSpec | None = None, tissue: TissueSpec | None = None,
                 muscles: MuscleSpec | None = None, tick: float = TICK, **changes: float) -> None:
        self.count, self.tick = count, tick
        self.specs: dict[str, Any] = {"segments": segments or SegmentSpec(SWIMMER_SEGMENTS),
                                      "tissue": tissue or TissueSpec(), "muscles": muscles or MuscleSpec()}
        self.blueprint = draw_blueprint(Species("swimmer", "swimmer", self.specs, {}), tick)
        self.pools = lay_out(self.blueprint, count)
        self.pools.chains.rotation_free[:] = self.specs["tissue"].damping_kind == "rotation_free"
        own = self.pools.muscles
        own.parameters[:] = parameter_row(self.specs["muscles"], **changes)
        own.line[:], own.lame[:] = muscle_line(self.specs["muscles"]), self.specs["tissue"].lame
        self.rows = np.arange(count, dtype=np.int32)
        self.scratch_width = scratch_width(len(self.blueprint.ahead), len(self.blueprint.joint))
        self._scratch = np.zeros((count, self.scratch_width))
        self._contact = np.zeros(3)  # there is no ground

    def set_gait(self, frequency: ArrayLike, shift: ArrayLike) -> None:
        """Give every swimmer one frequency (1/s) and one phase shift (rad); a negative shift swims backward."""
        both = (np.broadcast_to(np.asarray(values, dtype=np.float64), self.count) for values in (frequency, shift))
        give_gait(self.pools, *both)

    def step(self) -> None:
        """One tick: muscles, then bodies."""
        swim_together(self.rows, *self.pools, self._contact, self.tick, self._scratch)

    def run(self, seconds: float) -> Track:
        """Swim for so long and keep track."""
        ticks = round(seconds / self.tick)
        n, length = self.count, len(self.blueprint.ahead)
        power, places = np.zeros((ticks, n)), np.zeros((ticks, n, length, 3))
        ahead = np.zeros((ticks, n, 3))
        heads, segments = self.pools.bodies.first_segment, self.pools.segments
        for k in range(ticks):
            self.step()
            places[k] = segments.position.reshape(n, length, 3)
            power[k] = self.pools.chains.water_power
            w, x, y, z = segments.orientation[heads].T
            ahead[k] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
        return Track(places.mean(axis=2), power, places, ahead)


def give_gait(pools: TankPools, frequency: Floats, shift: Floats) -> None:
    """Let the swimmers of a tank beat at these frequencies (1/s) and phase shifts (rad), whatever speed comes of it."""
    here = slice(0, pools.muscles.end)
    line, drive = pools.muscles.line[here], pools.muscles.drive[here]
    line[:, 0] = np.arange(1.0, LINE_POINTS + 1.0)
    line[:, 1], line[:, 2] = frequency[:, None], np.abs(shift)[:, None]
    pools.heads.speed[here] = np.where(shift < 0.0, -LINE_POINTS, LINE_POINTS)
    drive[:] = np.stack([frequency, shift, np.ones(len(shift))], axis=1)


def lay_out(blueprint: Blueprint, count: int) -> TankPools:
    """Tables of so many straight bodies along x, heads at the origin, all of them under water."""
    skeleton, length, blocks = blueprint.skeleton, len(blueprint.ahead), len(blueprint.joint)
    pools = TankPools(CreaturePool(count), BodyPool(count), ChainPool(count), SegmentPool(count * length),
                      ChainSegmentPool(count * length), TissuePool(count * blocks), MusclePool(count),
                      HeadCommandPool(count))  # fmt: skip
    for pool in pools:
        pool.claim(pool.capacity, owner=0)
    pools.bodies.first_segment[:], pools.bodies.segment_count[:] = np.arange(count) * length, length
    pools.chains.first_block[:], pools.chains.block_count[:] = np.arange(count) * blocks, blocks
    pools.chains.substeps[:], pools.chains.damping_inverse[:] = blueprint.substeps, blueprint.damping
    s, chained, t = pools.segments, pools.chained, pools.blocks
    s.position[:], s.orientation[:, 0] = np.tile(skeleton.places, (count, 1)), 1.0
    for name, pool in (("half_extents", s), ("mass", s), ("center_of_mass", chained), ("inertia", chained)):
        _fill(getattr(pool, name), getattr(skeleton, name), count)
    _fill(chained.inverse_inertia, blueprint.inverse_inertia, count)
    chained.ground_point[:, 2], chained.ground_normal[:, 2] = -DEEP, 1.0
    s.water_level[:], s.submerged[:] = DEEP, 1
    for name in ("anchor_a", "anchor_b", "size"):
        _fill(getattr(t, name), getattr(skeleton.joints, name), count)
    _fill(t.elastic, blueprint.elastic, count)
    _fill(t.joint, blueprint.joint, count)
    ahead = (np.arange(count)[:, None] * length + np.arange(blocks)).ravel()
    t.segment_a[:], t.segment_b[:] = ahead, ahead + 1
    still = (np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), np.zeros(3))
    for k in range(blocks):
        ends = (skeleton.places[k], *still), (skeleton.places[k + 1], *still)
        nodes, _ = rest_nodes(*ends, t.anchor_a[k], t.anchor_b[k], t.size[k])
        t.node_position[k::blocks] = nodes
    return pools


def _fill(column: Floats, values: Floats, count: int) -> None:
    column[:] = np.tile(values, (count,) + (1,) * (values.ndim - 1))


def mean_speed(track: Track, frequency: Sequence[float] | Floats, tick: float, periods: int) -> tuple[Floats, Floats]:
    """Speed along the path (plan view) and power of every swimmer, over its last so many whole beats."""
    speed, power = np.zeros(len(frequency)), np.zeros(len(frequency))
    for k, f in enumerate(frequency):
        ticks = round(periods / (f * tick))
        if not 0 < ticks < len(track.power):
            raise ValueError(f"{periods} beats at {f} 1/s are {ticks} ticks; the track has {len(track.power)}")
        way = track.centers[-1, k, :2] - track.centers[-1 - ticks, k, :2]
        speed[k] = np.hypot(*way) / (ticks * tick)
        power[k] = track.power[-ticks:, k].mean()
    return speed, power
