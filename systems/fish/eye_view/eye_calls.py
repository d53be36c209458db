"""What fishes can be asked about their sight. The code behind it is loaded when somebody asks for the first time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ....engine.pool import Array

if TYPE_CHECKING:
    from ....engine.creature import Creature
    from ....engine.world import World


def add_eye_calls(world: World) -> None:
    """Give creatures ``c.eye_image(...)`` and ``c.retina_brightness``, and the handle of their eyes its pictures.

    Handles know their pool only: a pool of eyes that has a place for it gets ``look(serial, kind) -> picture``.
    """
    world.add_verb("eye_image", image)
    world.add_attribute("retina_brightness", brightness)
    eyes: Any = world.pools.get("EyePool")
    if eyes is not None and hasattr(eyes, "look"):
        eyes.look = partial(look, world)


def image(
    creature: Creature, size: int = 64, kind: str = "colour", side: str = "both", pan: float = 0.0, tilt: float = 0.0
) -> Array:
    """See `eye_image.eye_image`."""
    from .eye_image import eye_image

    return eye_image(creature, size, kind, side, pan, tilt)


image.unrecorded = True  # type: ignore[attr-defined] # looking changes nothing


def brightness(creature: Creature) -> float:
    """See `eye_image.retina_brightness`."""
    from .eye_image import retina_brightness

    return retina_brightness(creature)


def look(world: World, serial: int, kind: str) -> Array:
    """What the fish of a serial number sees, as a picture for a panel."""
    from .eye_image import eye_picture

    return eye_picture(world.creatures[serial], kind)
