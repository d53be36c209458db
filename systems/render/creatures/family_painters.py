"""The painters of a world: their groups for a frame, with poses between two ticks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....engine.plugins import disable
from ..scene.mix_poses_kernel import mix, mix_turns
from .painter import Array, Group, GuardedGroup, Painter, Poses

if TYPE_CHECKING:
    from ....engine.world import World


class _Seen(NamedTuple):
    """A state of the world that was looked at."""

    tick: int
    version: int
    poses: dict[str, Poses]
    """By family."""


class FamilyPainters:
    """One painter per family.

    Example::

        families = FamilyPainters(world)
        families.add("ball", BallPainter(world))
        scene = Scene(ground, creatures=families.groups())
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.painters: dict[str, Painter] = {}
        self._added_by: dict[str, str | None] = {}
        self._guarded: list[GuardedGroup] = []
        self._before: _Seen | None = None
        self._now: _Seen | None = None

    def add(self, family: str, painter: Painter) -> None:
        """Let a painter draw a family from the next frame on."""
        known = ["sea", *self.world.families]
        painters = {**self.painters, family: painter}
        # which of two animals lies above the other must not depend on which came first: after a load that is another one
        order = sorted(painters, key=lambda name: (known.index(name) if name in known else len(known), name))
        self.painters = {name: painters[name] for name in order}
        self._added_by[family] = self.world.building
        self._before = self._now = None  # poses of another painter would not fit

    def forget_mod(self, mod: str) -> None:
        """Take out the painters that a mod has added."""
        for family in [family for family, by in self._added_by.items() if by == mod]:
            del self.painters[family], self._added_by[family]

    def groups(self) -> tuple[Group, ...]:
        """One group per family that has a painter, as they are to be shown now."""
        self._report_failures()
        groups: list[Group] = []
        for family, poses in self._in_between().items():
            if family not in self.painters:  # its mod has just failed
                continue
            try:
                group = self.painters[family].group(poses)
            except Exception as problem:
                self._give_up(family, problem)
                continue
            if self._added_by[family] is not None:
                group = GuardedGroup(group, family)
                self._guarded.append(group)
            groups.append(group)
        return tuple(groups)

    def _in_between(self) -> dict[str, Poses]:
        """Poses at the moment shown: the last two states that were seen, mixed by the waiting time."""
        tick, version = self.world.tick, rows_version(self.world)
        if self._now is None or (self._now.tick, self._now.version) != (tick, version):
            self._before, self._now = self._now, _Seen(tick, version, self._poses())
        before, now = self._before, self._now
        if before is None or before.version != now.version or before.tick >= now.tick:
            return now.poses
        shown = now.tick - 1 + self.world.clock.fraction
        share = (shown - before.tick) / (now.tick - before.tick)
        if share >= 1.0 or share < 0.0:
            return now.poses
        return {family: mixed(before.poses.get(family, {}), poses, share) for family, poses in now.poses.items()}

    def _poses(self) -> dict[str, Poses]:
        poses: dict[str, Poses] = {}
        for family, painter in list(self.painters.items()):
            try:
                poses[family] = painter.poses()
            except Exception as problem:
                self._give_up(family, problem)
        return poses

    def _report_failures(self) -> None:
        """Take out mods whose groups could not be drawn in the frame before."""
        for group in self._guarded:
            if group.problem is not None and group.family in self.painters:
                self._give_up(group.family, group.problem)
        self._guarded = []

    def _give_up(self, family: str, problem: Exception) -> None:
        """Take out the mod of a painter that failed, so that the picture goes on; a painter of our own raises."""
        mod = self._added_by[family]
        if mod is None:
            raise problem
        disable(self.world, mod, f"painter of {family}", problem)


OFTEN_CHANGED = ("FoodPool", "PatchPool")
"""Pools whose rows come and go all the time, and of which no animal is made: a bite must not make a whole picture jerk."""


def rows_version(world: World) -> int:
    """A number that changes with every birth and death: rows of pools may then belong to others than before."""
    return sum(pool.version for name, pool in world.pools.items() if name not in OFTEN_CHANGED)


def mixed(before: Poses, now: Poses, share: float) -> Poses:
    """Poses at a share of the way from one tick to the next; arrays of another shape than before are as they are now."""
    return {
        name: between(before[name], array, share, name) if name in before and before[name].shape == array.shape else array
        for name, array in now.items()
    }


def between(before: Array, now: Array, share: float, name: str = "") -> Array:
    """A pose on the way from one to another; turns, whose name ends in "orientation", go the short way and stay turns."""
    before, now = (np.ascontiguousarray(array, dtype=np.float64) for array in (before, now))
    shown = np.empty_like(now)
    if name.endswith("orientation"):
        mix_turns(before.reshape(-1, 4), now.reshape(-1, 4), share, shown.reshape(-1, 4))
    else:
        mix(before.reshape(-1), now.reshape(-1), share, shown.reshape(-1))
    return shown
