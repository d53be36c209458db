"""The painter of the fishes: what of them moves, and their looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.fish.motor import MotorPool
from ....components.fish.nodes import NodePool
from ....components.fish.scales import ScalesPool
from ....components.fish.springs import FishBodyPool
from ....components.fish.topology import LOWER_TIP, NODES, UPPER_TIP
from .fish_group import FishGroup
from .looks import look_rows
from .school import FIN_FIELDS

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World


class FishPainter:
    """Draws the fishes of one world.

    Example::

        world.picture.add_painter("fish", FishPainter(world))
    """

    def __init__(self, world: World) -> None:
        self.nodes, self.body, self.motor = world.pool(NodePool), world.pool(FishBodyPool), world.pool(MotorPool)
        self.scales = world.pool(ScalesPool)
        self._key: tuple[bytes, ...] = ()
        self._looks: Array = np.zeros(0)

    def poses(self) -> dict[str, Array]:
        """Copies of nodes, fins and the speed of tails."""
        rows = self._rows()
        places = self.body.first_node[rows].astype(np.int64)[:, None] + np.arange(NODES)
        velocity = self.nodes.velocity[places]
        tips = 0.5 * (velocity[:, UPPER_TIP] + velocity[:, LOWER_TIP])
        motor, fins = self.motor, np.empty((len(rows), FIN_FIELDS))
        fins[:, :2], fins[:, 4] = motor.gamma[rows], motor.gape[rows]
        fins[:, 2], fins[:, 3] = np.sin(motor.fin_phase[rows]), np.cos(motor.fin_phase[rows])
        return {"nodes": self.nodes.position[places], "fins": fins, "tail_velocity": tips - velocity.mean(axis=1)}

    def group(self, moving: dict[str, Array]) -> FishGroup:
        """All fishes with these poses."""
        rows = self._rows()
        return FishGroup(looks=self._looks_of(rows), creature=rows.astype(np.int64), **moving)

    def _rows(self) -> Array:
        """Rows in `CreaturePool` of all fishes."""
        found: Array = np.ascontiguousarray(self.scales.spans[:, 0])
        return found

    def _looks_of(self, rows: Array) -> Array:
        """The looks, made anew only when one of them looks different."""
        pool = self.scales
        serials = pool.owner[rows]
        key = (rows.tobytes(), serials.tobytes(), pool.parameters[rows].tobytes(), pool.colors[rows].tobytes())
        if key != self._key:
            self._key, self._looks = key, look_rows(pool.parameters[rows], pool.colors[rows], serials)
        return self._looks


def add_painter(world: World) -> None:
    """Let the picture of a world show its fishes; called when the first of them is born."""
    world.picture.add_painter("fish", FishPainter(world))
