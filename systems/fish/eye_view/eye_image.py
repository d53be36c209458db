"""Pictures of what a fish sees: its retina in colours, a map of who is who, a map of distances. [Tu99 6.3.3, 6.7]

They are for panels, tests and studies; no tick needs them. Nothing of the world is changed by looking.
"""

from __future__ import annotations

from math import cos, log, pi, radians, sin
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....components.fish.springs import FishBodyPool
from ....engine import arguments
from ....engine.bundle import packed
from ....engine.errors import PaludariumError
from ....engine.threads import ThreadsFor
from ...render.scene.light import ABSORPTION, EXPOSURE, SKY, SUN, TO_SUN, WATER_BODY, WATER_SKY, light_vector
from .eye_image_kernel import GROUND, SURFACE, cast_rays, frame_things
from .eye_things import ANIMAL, CLASSES, FISH, FOOD, GROUND_TINT, OBSTACLE, things_of

if TYPE_CHECKING:
    from ....engine.creature import Creature
    from ....engine.pool import Array
    from ....engine.world import World
    from .eye_things import Things

KINDS = ("colour", "identity", "range")
SIDES = ("both", "left", "right")
LARGEST_IMAGE = 512
"""Pixels along an edge."""
FIELD = radians(150.0)
"""From the gaze to the edge of what both eyes see together. [Tu99 6.3.1]"""
ONE_EYE = FIELD / 2.0
"""Half of what one eye sees: from straight ahead to the edge. It looks to the side by as much."""
BRIGHTNESS_SIZE = 16
"""Pixels along an edge of the picture whose brightness is taken."""
FAINTEST = 1.0 / 256.0
"""Share of light that still makes a difference to a pixel; farther than that nothing is seen."""
CLEAREST = 300.0
"""Units; in the clearest water and in the air eyes do not reach farther."""
ROWS_PER_THREAD = 8

HUES = {FISH: ((150, 0, 0), (106, 64, 64)), ANIMAL: ((110, 0, 150), (81, 41, 106)),
        OBSTACLE: ((0, 0, 150), (64, 64, 106)), FOOD: ((0, 150, 0), (64, 106, 64))}  # fmt: skip
"""Darkest colour and width of the range of colours of each class: reds, violets, blues, greens. [Tu99 6.7]"""
GROUND_COLOUR = (122, 84, 48)
SURFACE_COLOUR = (205, 235, 245)
SPREAD = 7919
"""Prime by which numbers are thrown over the colours of a class, so that neighbours look different."""


class EyeLight(NamedTuple):
    """Light and water as eyes need them, linear red, green and blue each."""

    to_sun: Array
    sun: Array
    sky: Array
    sky_on_water: Array
    water: Array
    fading: Array  # per unit of way
    ground: Array
    exposure: float


class EyeView(NamedTuple):
    """From where and whither one looks."""

    eye: Array
    axes: Array  # rows: the gaze, to its left, and up
    half_angle: float
    reach: float
    level: float  # of the water, -1e12 without any
    depth: float  # of the eye below it
    wet: int
    owner: int
    size: int
    coloured: int
    light: EyeLight


class EyePicture(NamedTuple):
    """What is written, a row per row of pixels."""

    rays: Array
    ways: Array
    met: Array
    colours: Array


def eye_image(
    creature: Creature, size: int = 64, kind: str = "colour", side: str = "both", pan: float = 0.0, tilt: float = 0.0
) -> Array:
    """What a fish sees now: (size, size, 3) bytes, or with kind "range" (size, size) distances in units.

    The gaze is in the middle, angles from it grow evenly to the edge of a disc: 150 degrees for both eyes together, 75
    around the side that the left or the right eye looks to. `pan` (to the left) and `tilt` (up) turn the gaze, in radians.
    Beyond the disc pictures are black. In "identity" every object has a flat colour of its own (`identity_colour`). A
    distance is infinite where nothing is met, and beyond the disc.

    Example::

        red, green, blue = fish.eye_image(64)[32, 32]        # straight ahead
        nearest = fish.eye_image(32, "range").min()
    """
    kind, side = arguments.choice("kind", kind, KINDS), arguments.choice("side", side, SIDES)
    size = arguments.whole("size", size, 1, LARGEST_IMAGE)
    pan, tilt = arguments.number("pan", pan, -100.0, 100.0), arguments.number("tilt", tilt, -100.0, 100.0)
    picture, things = _cast(creature, size, kind == "colour", side, pan, tilt)
    if kind == "range":
        return picture.ways
    if kind == "colour":
        return picture.colours
    return _identities(picture.met, things)


def grey_of(distances: Array, length: float) -> Array:
    """A range map as a picture: white at the eye, half as bright one `length` away, black where nothing is met.

    Example::

        picture = grey_of(fish.eye_image(64, "range"), fish.length)      # (64, 64, 3) bytes
    """
    grey = (255.0 * length / (length + distances)).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def eye_picture(creature: Creature, kind: str = "colour", size: int = 64) -> Array:
    """`eye_image` as a panel shows it: always (size, size, 3) bytes."""
    image = eye_image(creature, size, kind)
    return grey_of(image, creature.length) if kind == "range" else image


def retina_brightness(creature: Creature) -> float:
    """Mean intensity of what a fish sees, 0 to 1. [Tu99 6.3.3]

    Example::

        fish.retina_brightness > 0.5      # it swims in bright water
    """
    picture, _ = _cast(creature, BRIGHTNESS_SIZE, True, "both", 0.0, 0.0)
    inside = (picture.rays != 0.0).any(axis=2)
    return float(picture.colours[inside].mean()) / 255.0


def identity_colour(kind: str, number: int) -> tuple[int, int, int]:
    """The colour of one object in identity maps: a creature by its serial number, an obstacle or food by its row.

    Example::

        identity_colour("fish", other.serial)      # a red that nobody else has
    """
    chosen = CLASSES.index(arguments.choice("kind", kind, CLASSES))
    red, green, blue = _hue(chosen, np.array([arguments.whole("number", number)]))[0]
    return int(red), int(green), int(blue)


def _hue(chosen: int, numbers: Array) -> Array:
    """(n, 3) colours of objects of one class. Numbers differ by less than the colours there are, so no two are equal."""
    darkest, (wide_r, wide_g, wide_b) = HUES[chosen]
    place = numbers.astype(np.int64) % (wide_r * wide_g * wide_b) * SPREAD % (wide_r * wide_g * wide_b)
    parts = np.stack([place % wide_r, place // wide_r % wide_g, place // (wide_r * wide_g)], axis=-1)
    return (parts + darkest).astype(np.uint8)


def _identities(met: Array, things: Things) -> Array:
    image = np.zeros((*met.shape, 3), np.uint8)
    image[met == GROUND], image[met == SURFACE] = GROUND_COLOUR, SURFACE_COLOUR
    for chosen in HUES:
        pixels = (met >= 0) & (things.classes[met] == chosen) if len(things.classes) else met >= 0
        image[pixels] = _hue(chosen, things.number[met[pixels]])
    return image


def _cast(creature: Creature, size: int, coloured: bool, side: str, pan: float, tilt: float) -> tuple[EyePicture, Things]:
    world, row = creature.world, creature.row
    if "springs" not in creature.rows:
        raise PaludariumError(f"{creature.name} has no eyes of which there are pictures: only fishes have")
    fishes, things = world.pool(FishBodyPool), things_of(world)
    eye = fishes.mouth[row].copy()
    surface = float(world.water.surface(eye[None, :2])[0])
    under = surface - float(eye[2]) if np.isfinite(surface) else 0.0
    light = _light(world, eye)
    reach = min(-log(FAINTEST) / float(light.fading.min()), CLEAREST) if under > 0.0 else CLEAREST
    turn, half_angle = {"both": (0.0, FIELD), "left": (ONE_EYE, ONE_EYE), "right": (-ONE_EYE, ONE_EYE)}[side]
    view = EyeView(eye, _gaze(fishes.axes[row], pan + turn, tilt), half_angle, reach,
                   surface if np.isfinite(surface) else -1e12, max(under, 0.0), int(under > 0.0), row, size,
                   int(coloured), light)  # fmt: skip
    picture = EyePicture(np.zeros((size, size, 3)), np.full((size, size), np.inf), np.zeros((size, size), np.int64),
                         np.zeros((size, size, 3), np.uint8))  # fmt: skip
    boxes = np.zeros((len(things.solids), 4), np.int64)
    seen, shown = packed(things), packed(view)
    frame_things(shown, seen, boxes)
    with ThreadsFor(size, ROWS_PER_THREAD):
        cast_rays(shown, seen, boxes, packed(world.terrain.ground), packed(world.water.arrays), packed(picture))
    return picture, things


def _gaze(axes: Array, pan: float, tilt: float) -> Array:
    """The axes of the gaze: those of the fish, turned to its left and then up."""
    forward, left, up = axes
    pan, tilt = (pan + pi) % (2.0 * pi) - pi, (tilt + pi) % (2.0 * pi) - pi
    level = cos(pan) * forward + sin(pan) * left
    return np.ascontiguousarray([cos(tilt) * level + sin(tilt) * up, cos(pan) * left - sin(pan) * forward,
                                 cos(tilt) * up - sin(tilt) * level])  # fmt: skip


def _light(world: World, eye: Array) -> EyeLight:
    """The light over an eye: of the time of day, less where the map has shade or says that it is dark."""
    light = light_vector(world.weather.time_of_day).astype(np.float64)
    places = {"sun": SUN, "sky": SKY, "sky_on_water": WATER_SKY, "water": WATER_BODY}
    lit = min(float(world.sea.brightness(eye[None, :2])[0]) / world.weather.daylight, 1.0)
    parts = {name: lit * light[at : at + 3] for name, at in places.items()}
    fading = light[ABSORPTION : ABSORPTION + 3] / world.weather.light.clarity
    to_sun = light[TO_SUN : TO_SUN + 3] * (1.0, -1.0, 1.0)  # given on the screen, whose y axis points south
    return EyeLight(to_sun=to_sun, fading=fading, ground=np.array(GROUND_TINT), exposure=float(light[EXPOSURE]), **parts)
