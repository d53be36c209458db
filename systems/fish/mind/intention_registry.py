"""The intentions of fishes, to which mods add their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.fish.intentions import PRIORITY, Intention
from ...brain.mode_registry import ModeRegistry

if TYPE_CHECKING:
    from ....engine.world import World


class Intentions(ModeRegistry):
    """A registry of intentions: ``world.resource(Intentions).add("bask", priority=35.0, decide=bask)``.

    `decide` gets the `MindPool` and creature rows, and returns a `Wish` in u/s and rad/s, with climb.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world, Intention, PRIORITY)
