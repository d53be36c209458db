"""What tables hold of one tick: whole columns of all creatures at once. Names end with their units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...components.brain import BrainPool
from ...components.brain_modes import GoalKind
from ...components.head_command import HeadCommandPool
from ...components.leg_states import LegState
from ...components.legs import LegPool
from ...components.segments import SegmentPool
from ...engine.creature import TIERS
from ...engine.pool import NO_OWNER

if TYPE_CHECKING:
    from ...engine.pool import Array, Pool
    from ...engine.world import World

Columns = dict[str, "Array"]
SIDES = ("left", "right")
UNITS = {"_u": "units, about one segment of a centipede", "_s": "seconds", "_rad": "radians", "_u_per_s": "units per second",
         "_rad_per_s": "radians per second"}  # fmt: skip
"""Endings of column names and what they mean; a name without one is a number, a word or a flag."""


def observe(world: World) -> dict[str, Columns]:
    """The rows of every table at this tick. Words are kept as numbers, see `words_of`; flags are bools."""
    return {"trajectories": _trajectories(world), "segments": _segments(world), "legs": _legs(world), "brain": _brain(world)}


def unit_of(column: str) -> str:
    """What the numbers of a column are measured in; "" for words, flags and plain numbers.

    >>> unit_of("speed_u_per_s")
    'units per second'
    """
    endings = [ending for ending in UNITS if column.endswith(ending)]
    return UNITS[max(endings, key=len)] if endings else ""


def words_of(world: World) -> dict[str, Sequence[str]]:
    """What the numbers in columns of words stand for."""
    return {"tier": TIERS, "side": SIDES, "state": [state.name for state in LegState],
            "mode": list(world.pool(BrainPool).mode_names), "goal": [kind.name for kind in GoalKind]}  # fmt: skip


def _axes(name: str, points: Array, unit: str = "_u") -> Columns:
    """Three columns of a column of points."""
    return {f"{name}{axis}{unit}": points[:, place] for place, axis in enumerate("xyz")}


def _trajectories(world: World) -> Columns:
    pool = world.creature_pool
    velocity = pool.live("velocity")
    return {
        "creature": pool.live("owner"), **_axes("", pool.live("position")),
        **_axes("v", velocity, "_u_per_s"), "speed_u_per_s": np.linalg.norm(velocity, axis=1),
        "heading_rad": pool.live("heading"), "tier": pool.live("tier"),
        "dead": pool.live("dead") != 0,
    }  # fmt: skip


def _segments(world: World) -> Columns:
    pool, turn = world.pool(SegmentPool), world.pool(SegmentPool).live("orientation")
    return {
        "creature": pool.live("owner"), "segment": _counted(pool), **_axes("", pool.live("position")),
        **{f"q{name}": turn[:, place] for place, name in enumerate("wxyz")},
        "supported": pool.live("supported") != 0, "submerged": pool.live("submerged") != 0,
    }  # fmt: skip


def _legs(world: World) -> Columns:
    pool, angles = world.pool(LegPool), world.pool(LegPool).live("angles")
    first = _first_rows(world.pool(SegmentPool))
    owners = pool.live("owner")
    starts = np.array([first.get(owner, 0) for owner in owners.tolist()], dtype=np.int64)
    return {
        "creature": owners, "segment": pool.live("segment_row") - starts, "side": (_counted(pool) % 2).astype(np.uint8),
        "state": pool.live("state"), **_axes("tip_", pool.live("tip")),
        **{f"{name}_rad": angles[:, place] for place, name in enumerate(("theta", "alpha", "beta"))},
    }  # fmt: skip


def _brain(world: World) -> Columns:
    pool, creatures, head = world.pool(BrainPool), world.creature_pool, world.pool(HeadCommandPool)
    rows = np.flatnonzero(pool.owner[: pool.end] != NO_OWNER)
    goal = creatures.goal_kind[rows]
    place = np.where((goal != GoalKind.NONE)[:, None], creatures.goal_position[rows], np.nan)
    return {
        "creature": pool.owner[rows], "mode": pool.mode[rows],
        "goal": goal, **_axes("goal_", place),
        "goal_done": creatures.goal_done[rows] != 0,
        "commanded_speed_u_per_s": head.speed[rows], "commanded_yaw_rate_rad_per_s": head.yaw_rate[rows],
    }  # fmt: skip


def _counted(pool: Pool) -> Array:
    """For every living row its number within its creature."""
    counts = pool.spans[:, 1]
    return np.concatenate([np.arange(count) for count in counts.tolist()] or [np.zeros(0, np.int64)])


def _first_rows(pool: Pool) -> dict[int, int]:
    """The first row of every owner."""
    return {int(pool.owner[start]): int(start) for start in pool.spans[:, 0].tolist()}
