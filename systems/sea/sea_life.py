"""Which parts of the sea take part in the tick of a world: none, until something asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.errors import shortened
from ...engine.roles import Picture
from ...engine.water import WaterError
from ..tick import SEA, TICK, join_as_package

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

PARTS = tuple(step.whose.removeprefix(SEA) for step in TICK if step.whose.startswith(SEA))
"""In the order of the tick."""


class SeaLife:
    """The parts of one world's sea that are loaded: ``world.resource(SeaLife)``. Which they are is saved with the world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.loaded: set[str] = set()

    def require(self, name: str) -> None:
        """Load a part of the sea, once."""
        if name in self.loaded:
            return
        join_as_package(self._world, SEA + name)
        if not self.loaded:
            self._show()
        self.loaded.add(name)

    def _show(self) -> None:
        picture = self._world.resources.find(Picture)
        add_painter = getattr(picture, "add_painter", None)
        if add_painter is not None:  # a mod's picture may show something else
            from .painter import SeaPainter

            add_painter("sea", SeaPainter(self._world))

    def state(self) -> dict[str, Array]:
        """Which parts are loaded."""
        return {"loaded": np.array([name in self.loaded for name in PARTS], np.uint8)}

    def restore(self, state: dict[str, Array]) -> None:
        """Load what was loaded when the world was saved."""
        loaded = np.asarray(state.get("loaded", ()), np.uint8)
        if loaded.shape != (len(PARTS),) or (loaded > 1).any():
            raise WaterError(f"loaded is {shortened(loaded.tolist())}; allowed are {len(PARTS)} times 0 or 1")
        for name, wanted in zip(PARTS, loaded.tolist(), strict=True):
            if wanted:
                self.require(name)
