"""Orders that change by themselves: goals about creatures that are gone, and the next point of a path."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from ...components.brain_modes import GoalKind
from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...components.paths import PathPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array


@kernel()
def forget_the_gone(rows: Array, creatures: CreaturePool) -> None:
    """Update goals about creatures that have left the world to none; rows are used again, serial numbers are not."""
    kind, about, serial, owner = creatures.goal_kind, creatures.goal_row, creatures.goal_serial, creatures.owner
    for k in range(rows.shape[0]):
        c = rows[k]
        needs_other = kind[c] == GoalKind.FOLLOW or kind[c] == GoalKind.FLEE_CREATURE
        if needs_other and owner[about[c]] != serial[c]:
            kind[c] = GoalKind.NONE


@kernel()
def follow_paths(spans: Array, paths: PathPool, creatures: CreaturePool, over: Array) -> int:
    """Update the goals of creatures on a path to its next point, and which paths are over; return how many are.

    A path is over when its creature is gone or has been told something else. A point counts as reached also when the
    creature itself says so: it measures along its own ground, which on a slope is not the plan view, and stops there.
    """
    point, place, count_over = paths.point, paths.place, 0
    position, goal = creatures.position, creatures.goal_position
    for k in range(spans.shape[0]):
        first, count = spans[k, 0], spans[k, 1]
        c = paths.creature_row[first]
        over[k] = creatures.owner[c] != paths.owner[first] or creatures.goal_kind[c] != GoalKind.PATH
        if over[k]:
            count_over += 1
            continue
        at = first + place[first]
        near = hypot(position[c, 0] - point[at, 0], position[c, 1] - point[at, 1]) < creatures.goal_radius[c]
        if (near or creatures.goal_done[c] != 0) and (place[first] + 1 < count or paths.loop[first] != 0):
            place[first] = (place[first] + 1) % count
            at = first + place[first]
            creatures.goal_done[c] = 0
        for axis in range(3):
            goal[c, axis] = point[at, axis]
    return count_over
