"""The painter of what fills the water: seaweed, plankton, bubbles, hooks and their lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.bundle import packed
from ...engine.props import ADRIFT
from .bubbles import BubblePool
from .hooks import HookPool
from .seaweed import SeaweedPool

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World
    from ..render.creatures.sheet import Sheet, View

HUES = 5
"""Colours of seaweed; a cluster has one."""
HUE_STEP = 0.381966
"""Golden section: neighbours in the table differ."""


class SeaThings(NamedTuple):
    """What a frame shows, as the kernel takes it."""

    weed: Array  # (n, 8, 3) nodes of leaves
    leaves: Array  # (n, 3): width, tint, hue
    plankton: Array  # (n, 3)
    bubbles: Array  # (n, 3)
    sizes: Array  # (n,) of bubbles
    hooks: Array  # (n, 3)
    tops: Array  # (n, 3) where their lines come from
    baits: Array  # (n,) 1 where there is bait
    time: float


@dataclass(frozen=True)
class SeaGroup:
    """Everything of the sea in one frame."""

    things: SeaThings

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        from .painter_kernel import put_sea

        return int(put_sea(sheet, n, view, packed(self.things)))


class SeaPainter:
    """Draws the sea of one world.

    Example::

        world.picture.add_painter("sea", SeaPainter(world))
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._weed, self._bubbles, self._hooks = world.pool(SeaweedPool), world.pool(BubblePool), world.pool(HookPool)
        self._leaves_of = -1
        self._leaves: Array = np.zeros((0, 3))

    def poses(self) -> dict[str, Array]:
        """Copies of all that moves."""
        food = self._world.props.food
        return {
            "weed": self._weed.live("position"), "bubbles": self._bubbles.live("position"),
            "plankton": food.live("position")[food.live("drift") == ADRIFT],
            "hooks": self._hooks.live("position"), "tops": self._hooks.live("line_top"),
        }  # fmt: skip

    def group(self, moving: dict[str, Array]) -> SeaGroup:
        """The sea with these poses."""
        if self._leaves_of != self._weed.version:
            self._leaves_of, self._leaves = self._weed.version, self._looks()
        arrays = {name: np.ascontiguousarray(array, np.float64) for name, array in moving.items()}
        return SeaGroup(SeaThings(
            **arrays, leaves=self._leaves, sizes=self._bubbles.live("size"), time=float(self._world.time),
            baits=self._hooks.live("bait").astype(np.float64),
        ))  # fmt: skip

    def _looks(self) -> Array:
        spans = self._weed.spans
        hue = np.floor(HUES * np.modf(HUE_STEP * (spans[:, 0] + 1))[0])
        return np.column_stack([self._weed.live("width"), self._weed.live("tint"), np.repeat(hue, spans[:, 1])])
