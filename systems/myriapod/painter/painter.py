"""The painter of the myriapods: what of them moves, and their looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.antennae import MOST_LINKS, AntennaPool
from ....components.body import BodyPool
from ....components.legs import LegPool
from ....components.myriapod.appearance import COLOURS, PROPORTIONS, AppearancePool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.gait import GaitPool
from ....components.segments import SegmentPool
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...legs.leg_joints_kernel import place_all_leg_joints
from . import colour_row as look
from .antenna_copy_kernel import carry_antennae, copy_antennae, drop_antennae
from .group import MyriapodGroup
from .herd import STYLE_CENTIPEDE

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

PLATE_COVER = 0.95
"""Share of the way to its hinge that a plate covers."""


class MyriapodPainter:
    """Draws centipedes, millipedes, robots and smooth swimmers of one world.

    Example::

        world.picture.add_painter("myriapod", MyriapodPainter(world))
    """

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.body, self.segments, self.legs = world.pool(BodyPool), world.pool(SegmentPool), world.pool(LegPool)
        self.gait, self.antennae, self.looks = world.pool(GaitPool), world.pool(AntennaPool), world.pool(AppearancePool)
        self.chained = world.pool(ChainSegmentPool)
        self._table_key: tuple[bytes, ...] = ()
        self._table: Array = np.zeros(0)

    def poses(self) -> dict[str, Array]:
        """Copies of segments, joints of legs and points of antennae."""
        s, legs, body, antennae = self.segments, self.legs, self.body, self.antennae
        joints = np.zeros((legs.end, 4, 3))
        walkers = np.ascontiguousarray(self.gait.spans[:, 0])
        with ThreadsFor(walkers.size, CREATURES_PER_THREAD):
            place_all_leg_joints(walkers, self.creatures, body, s, legs, joints)
        points = np.empty_like(antennae.points[: antennae.end])
        copy_antennae(antennae.parameters, antennae.points, points)
        self._drop_antennae_of_dead(points)
        return {
            "segment_position": s.position[: s.end].copy(),
            "segment_orientation": s.orientation[: s.end].copy(),
            "leg_joints": joints,
            "antenna_points": points.reshape(-1, MOST_LINKS + 1, 3),
        }

    def _drop_antennae_of_dead(self, points: Array) -> None:
        """Update copies of antennae: nothing senses with those of the dead any more, so they are as they were in life."""
        rows = self.antennae.spans[:, 0]
        rows = np.ascontiguousarray(rows[(self.creatures.dead[rows] != 0) & (self.body.segment_count[rows] > 0)])
        if rows.size:
            carry_antennae(rows, self.body, self.segments, self.antennae, points)
            clearance = self.world.terrain.height(np.nan_to_num(points[rows].reshape(-1, 3)))
            drop_antennae(rows, self.antennae, clearance.reshape(rows.size, 2, -1), points)

    def group(self, moving: dict[str, Array]) -> MyriapodGroup:
        """All myriapods with these poses."""
        body, looks, legs = self.body, self.looks, self.legs
        rows = np.ascontiguousarray(looks.spans[:, 0])
        rows = rows[body.segment_count[rows] > 0]
        feels = np.zeros(self.creatures.capacity, np.int64)
        feels[self.antennae.spans[:, 0]] = 2
        return MyriapodGroup(
            first_segment=body.first_segment[rows], segment_count=body.segment_count[rows],
            first_leg=body.first_leg[rows], leg_count=body.leg_count[rows],
            first_antenna=2 * rows.astype(np.int64), antenna_count=feels[rows],
            style=looks.style[rows], appearance=np.arange(rows.size), creature=rows,
            segment_half_extents=_drawn_extents(self.segments, self.chained),
            segment_ahead=self.chained.ahead[: self.segments.end].astype(np.int64),
            leg_segment=legs.segment_row[: legs.end].copy(),
            leg_state=legs.state[: legs.end].copy(), appearance_table=self._table_of(rows), **moving,
        )  # fmt: skip

    def _table_of(self, rows: Array) -> Array:
        """The appearance table, made anew only when one of them looks different."""
        pool = self.looks
        key = tuple(column[: pool.end].tobytes() for column in (pool.style, pool.colors, pool.proportions))
        if (rows.tobytes(), *key) != self._table_key:
            self._table_key, self._table = (rows.tobytes(), *key), _appearance_table(pool, rows)
        return self._table


def _drawn_extents(segments: SegmentPool, chained: ChainSegmentPool) -> Array:
    """Half sizes of the drawn plates: each covers the tissue up to its hinges, as the shields of real animals do."""
    extents = segments.half_extents[: segments.end].copy()
    extents[:, 0] = PLATE_COVER * chained.half_pitch[: segments.end]
    return extents


def _appearance_table(pool: AppearancePool, rows: Array) -> Array:
    """One row per creature: linear colours and proportions."""
    table = np.zeros((max(rows.size, 1), look.APPEARANCE_FIELDS), dtype=np.float32)
    if not rows.size:
        return table
    for place, name in enumerate(COLOURS):
        first = getattr(look, name.upper())
        table[:, first : first + 3] = pool.colors[rows, place] ** 2  # the renderer's gamma of 2
    columns = {"width": look.WIDTH, "leg_width": look.LEG_WIDTH, "antenna_width": look.ANTENNA_WIDTH, "gloss": look.GLOSS,
               "rim": look.RIM_GAIN, "rings_per_segment": look.RINGS, "forcipules": look.FORCIPULES,
               "tail_legs": look.TAIL_LEGS, "eyes": look.EYES}  # fmt: skip
    for place, name in enumerate(PROPORTIONS):
        table[:, columns[name]] = pool.proportions[rows, place]
    table[:, look.FLANK] = pool.style[rows] == STYLE_CENTIPEDE
    return table
