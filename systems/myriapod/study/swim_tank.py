"""A batch of equal bodies, each with its own gait, in unlimited still water: the test tank of swimming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....components.myriapod.construction.anatomy import rest_nodes
from ....components.myriapod.construction.assembly import Blueprint, draw_blueprint
from ....components.myriapod.muscles import LINE_POINTS, MuscleSpec
from ....components.myriapod.tissue import TissueSpec
from ....components.parameters import parameter_row
from ....components.segments import SegmentSpec
from ....engine.species import Species
from ..body.body_columns import BodyColumns, allocate
from ..body.full_tier_kernel import step_full
from ..body.scratch_layout import scratch_width
from ..swim.muscle_kernel import drive_muscles
from ..swim.stiffness_kernel import stiffen_bodies

Floats = NDArray[np.float64]

TICK = 1.0 / 60.0
"""Seconds; ten substeps of the source's tissue fit into it."""
DEEP = 1e5
"""Units of water above the body: it never meets the surface."""
SWIMMER_SEGMENTS = 12
"""Rigid segments of the source's swimmer, with 11 blocks between them. [Fang15 6]"""


@dataclass(frozen=True)
class Track:
    """What a batch did: one entry per tick and swimmer."""

    centers: Floats  # (ticks, n, 3) mean of the segment centres
    power: Floats  # (ticks, n) work against the water per second
    segments: Floats  # (ticks, n, segments, 3)
    head_direction: Floats  # (ticks, n, 3) where each head points


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
        specs: dict[str, Any] = {"segments": segments or SegmentSpec(SWIMMER_SEGMENTS), "tissue": tissue or TissueSpec()}
        self.muscles = specs["muscles"] = muscles or MuscleSpec()
        self.blueprint = draw_blueprint(Species("swimmer", "swimmer", specs, {}), tick)
        self.columns = lay_out(self.blueprint, count)
        self.columns.rotation_free[:] = specs["tissue"].damping_kind == "rotation_free"
        length, blocks = len(self.blueprint.mass), len(self.blueprint.block_size)
        self.parameters = np.tile(parameter_row(self.muscles, **changes), (count, 1))
        self.line = np.zeros((count, 3, LINE_POINTS))
        self.line[:] = (self.muscles.line_speed, self.muscles.line_frequency, self.muscles.line_shift)
        self.command, self.drive, self.strength = np.zeros((count, 2)), np.zeros((count, 3)), np.ones((count, 2))
        self.lame = np.tile(specs["tissue"].lame, (count, 1))
        self.swimming, self.dead = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        self.phase, self.amplitude = np.zeros(count * blocks), np.zeros((count * blocks, 2))
        self.blend = np.zeros(count * blocks)
        self.submerged = np.ones(count * length, np.uint8)
        self.rows = np.arange(count, dtype=np.int32)
        self.scratch_width = scratch_width(length, blocks)
        self._scratch = np.zeros((count, self.scratch_width))
        self._contact = np.zeros(4)  # there is no ground
        self.columns.water_level[:] = DEEP

    def set_gait(self, frequency: ArrayLike, shift: ArrayLike) -> None:
        """Give every swimmer one frequency (1/s) and one phase shift (rad); a negative shift swims backward."""
        shifts = np.broadcast_to(np.asarray(shift, dtype=np.float64), self.count)
        self.line[:, 0] = np.arange(1.0, LINE_POINTS + 1.0)
        self.line[:, 1] = np.broadcast_to(np.asarray(frequency, dtype=np.float64), self.count)[:, None]
        self.line[:, 2] = np.abs(shifts)[:, None]
        self.command[:, 0] = np.where(shifts < 0.0, -LINE_POINTS, LINE_POINTS)
        self.drive[:] = np.stack([self.line[:, 1, 0], shifts, np.ones(self.count)], axis=1)

    def step(self) -> None:
        """One tick: muscles, then bodies."""
        c = self.columns
        c.lengths_before[:] = c.lengths
        drive_muscles(self.rows, self.dead, c.first_segment, c.segment_count, c.kinematic, self.parameters, self.line,
                      self.command, self.drive, self.strength, self.swimming, c.first_block, c.block_count, c.segment_a,
                      c.segment_b, self.submerged, self.phase, self.amplitude, self.blend, c.lengths, self.tick)  # fmt: skip
        stiffen_bodies(self.rows, self.parameters, self.lame, c.first_block, c.block_count, c.lengths, c.elastic)
        step_full(self.rows, *c, self._contact, self.tick, self._scratch)

    def run(self, seconds: float) -> Track:
        """Swim for so long and keep track."""
        ticks = round(seconds / self.tick)
        n, length = self.count, len(self.blueprint.mass)
        power, places = np.zeros((ticks, n)), np.zeros((ticks, n, length, 3))
        ahead = np.zeros((ticks, n, 3))
        for k in range(ticks):
            self.step()
            places[k] = self.columns.position.reshape(n, length, 3)
            power[k] = self.columns.water_power
            w, x, y, z = self.columns.orientation[self.columns.first_segment].T
            ahead[k] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
        return Track(places.mean(axis=2), power, places, ahead)


def lay_out(blueprint: Blueprint, count: int) -> BodyColumns:
    """Columns of so many straight bodies along x, heads at the origin."""
    length, blocks = len(blueprint.mass), len(blueprint.block_size)
    c = allocate(count, count * length, count * blocks)
    c.first_segment[:], c.segment_count[:] = np.arange(count) * length, length
    c.first_block[:], c.block_count[:] = np.arange(count) * blocks, blocks
    c.substeps[:], c.damping_inverse[:] = blueprint.substeps, blueprint.damping
    place = np.zeros((length, 3))
    place[1:, 0] = -np.cumsum(blueprint.pitches)
    c.position[:] = np.tile(place, (count, 1))
    for name in ("half_extents", "mass", "center_of_mass", "inertia", "inverse_inertia"):
        _fill(getattr(c, name), getattr(blueprint, name), count)
    for name in ("anchor_a", "anchor_b", "elastic", "joint"):
        _fill(getattr(c, name), getattr(blueprint, name), count)
    _fill(c.size, blueprint.block_size, count)
    ahead = (np.arange(count)[:, None] * length + np.arange(blocks)).ravel()
    c.segment_a[:], c.segment_b[:] = ahead, ahead + 1
    still = (np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), np.zeros(3))
    for k in range(blocks):
        nodes, _ = rest_nodes((place[k], *still), (place[k + 1], *still), c.anchor_a[k], c.anchor_b[k], c.size[k])
        c.node_position[k::blocks] = nodes
    return c


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
