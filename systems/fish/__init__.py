"""Fishes: senses, minds, bodies of springs in water, motor centre, and how they are drawn.

Their steps in the tick are in `systems.tick`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the fishes; called when the first of them is born."""
    from ..export.modellers import Modellers
    from ..tick import join
    from .body.kind_table import KindTable
    from .eye_view.eye_calls import add_eye_calls
    from .mind.intention_registry import Intentions
    from .painter.fish_painter import add_painter
    from .senses.sight import Sight

    world.add_resource(KindTable(world))
    world.add_resource(Sight())
    world.add_resource(Intentions(world))
    join(world, "fish")
    add_painter(world)
    add_eye_calls(world)
    world.resource(Modellers).add("fish", _modeller)


def _modeller(world: World) -> Modeller:
    from .fish_modeller import FishModeller

    return FishModeller(world)
