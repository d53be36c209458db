"""What fishes can be asked about their sight. The code behind it is loaded when somebody asks for the first time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

from ....engine.errors import StaleHandleError
from ....engine.pool import Array

if TYPE_CHECKING:
    from ....engine.creature import Creature
    from ....engine.world import World


def add_eye_calls(world: World) -> None:
    """Give creatures ``c.eye_image(...)`` and ``c.retina_brightness``, and the handle of their eyes its pictures.

    Handles know their pool only. A pool of eyes with places for them gets two functions of a serial number: ``take_image``,
    which takes the rest of what `eye_image` takes, and ``show``, which makes a picture of a kind for a panel. They hold the
    world weakly: esper keeps handles in module state, and through them a world with a fish would live for ever.
    """
    world.add_verb("eye_image", image)
    world.add_attribute("retina_brightness", brightness)
    eyes: Any = world.pools.get("EyePool")
    if eyes is not None and hasattr(eyes, "take_image"):
        eyes.take_image, eyes.show = _holding_weakly(world, image_of), _holding_weakly(world, look)


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


def image_of(world: World, serial: int, *options: Any) -> Array:
    """What the fish of a serial number sees; the options are those of `image`."""
    return image(world.creatures[serial], *options)


def look(world: World, serial: int, kind: str) -> Array:
    """What the fish of a serial number sees, as a picture for a panel."""
    from .eye_image import eye_picture

    return eye_picture(world.creatures[serial], kind)


def _holding_weakly(world: World, function: Callable[..., Array]) -> Callable[..., Array]:
    """A function of a world without its first argument."""
    held = ref(world)

    def call(*arguments: Any) -> Array:
        world = held()
        if world is None:
            raise StaleHandleError("these eyes: their world is gone; keep the World as long as you use its creatures")
        return function(world, *arguments)

    return call
