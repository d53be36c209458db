"""Which parts of the sea take part in the tick of a world: none, until something asks for them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ...engine.errors import shortened
from ...engine.plugins import build_as
from ...engine.roles import Picture
from ...engine.water import WaterError

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

STEPS = {
    "current": ("current_step", "CurrentStep"),
    "plankton": ("plankton_step", "PlanktonStep"),
    "bubbles": ("bubbles_step", "BubblesStep"),
    "seaweed": ("seaweed_step", "SeaweedStep"),
    "hooks": ("hooks_step", "HooksStep"),
}
"""In the order of the tick: the part, the module beside this one, and the class that steps it."""


class Step(Protocol):
    """One part of the sea."""

    def step(self, dt: float) -> None:
        """Let one tick pass."""


class SeaLife:
    """The parts of one world's sea that are loaded: ``world.resource(SeaLife)``. Which they are is saved with the world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.steps: dict[str, Step] = {}

    def require(self, name: str) -> None:
        """Load a part of the sea, once."""
        if name in self.steps:
            return
        build_as(self._world, self._join_tick, None)  # whoever asks for it, the package answers for it
        module, kind = STEPS[name]
        steps = {**self.steps, name: getattr(import_module(f".{module}", __package__), kind)(self._world)}
        self.steps = {part: steps[part] for part in STEPS if part in steps}

    def _join_tick(self, world: World) -> None:
        from .system import SeaSystem

        if SeaSystem.__name__ in world.schedule:
            return
        world.add_system(SeaSystem, after="WaterSystem")
        picture = world.resources.find(Picture)
        add_painter = getattr(picture, "add_painter", None)
        if add_painter is not None:  # a mod's picture may show something else
            from .painter import SeaPainter

            add_painter("sea", SeaPainter(world))

    def state(self) -> dict[str, Array]:
        """Which parts are loaded."""
        return {"loaded": np.array([name in self.steps for name in STEPS], np.uint8)}

    def restore(self, state: dict[str, Array]) -> None:
        """Load what was loaded when the world was saved."""
        loaded = np.asarray(state.get("loaded", ()), np.uint8)
        if loaded.shape != (len(STEPS),) or (loaded > 1).any():
            raise WaterError(f"loaded is {shortened(loaded.tolist())}; allowed are {len(STEPS)} times 0 or 1")
        for name, wanted in zip(STEPS, loaded.tolist(), strict=True):
            if wanted:
                self.require(name)
