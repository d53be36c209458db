"""Insects of one frame: plain arrays, and how they become primitives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....components.leg_states import LegState
from ....engine.bundle import packed
from ...render.creatures.sheet import NO_CREATURE, Sheet, View
from .insect_kernel import build_insects
from .swarm import HELD_FIELDS, Swarm
from .trail_stain_kernel import put_stains

Array = NDArray[Any]


def _none(*shape: int) -> Any:
    return field(default_factory=lambda: np.zeros(shape))


@dataclass(frozen=True)
class InsectGroup:
    """Insects with three segments and six legs each.

    ``position``, ``orientation`` and ``half_extents`` are those of head, thorax and gaster, ``leg_joints`` hip, knee, ankle
    and tip of every leg, ``antennae`` the base and the end of every link (NaN beyond the last one), ``looks`` rows of
    `shell_looks`. ``held`` rows say what the jaws hold: its kind (1 fruit, 2 carrion), amount, and a seed of its colour.
    ``trails`` is a grid of worn ground, ``trail_frame`` its west, south and cell.

    Example::

        looks = shell_looks(parameters, colours, serials)
        InsectGroup(position, orientation, half_extents, leg_joints, antennae, looks)
    """

    position: Array
    orientation: Array
    half_extents: Array
    leg_joints: Array
    antennae: Array
    looks: Array
    held: Array = _none(0, HELD_FIELDS)
    leg_states: Array = _none(0, 6)
    dead: Array = _none(0)
    creature: Array = field(default_factory=lambda: np.array(NO_CREATURE))
    trails: Array = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    trail_frame: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        if self.trails.size:
            n = int(put_stains(sheet, n, view, self.trails, self.trail_frame))
        return int(build_insects(sheet, n, view, packed(self.swarm())))

    def swarm(self) -> Swarm:
        """All of them as compiled code takes them."""
        count = len(self.position)
        return Swarm(
            position=np.ascontiguousarray(self.position, dtype=np.float64),
            orientation=np.ascontiguousarray(self.orientation, dtype=np.float64),
            half_extents=np.ascontiguousarray(self.half_extents, dtype=np.float64),
            joints=np.ascontiguousarray(self.leg_joints, dtype=np.float64),
            states=_filled(self.leg_states, (count, 6), LegState.STANCE, np.int64),
            antennae=np.ascontiguousarray(self.antennae, dtype=np.float64),
            held=_filled(self.held, (count, HELD_FIELDS), 0.0, np.float64),
            looks=np.ascontiguousarray(self.looks, dtype=np.float32),
            dead=_filled(self.dead, (count,), 0, np.int64),
            creature=np.ascontiguousarray(np.broadcast_to(self.creature, count), dtype=np.int64),
        )


def _filled(given: Array, shape: tuple[int, ...], otherwise: float, kind: Any) -> Array:
    """An array of a shape: what was given, if anything."""
    if len(given):
        return np.ascontiguousarray(given, dtype=kind)
    return np.full(shape, otherwise, dtype=kind)
