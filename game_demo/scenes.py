"""The scenes of the demo: each builds a world and says what the camera should look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..engine.errors import PaludariumError, suggest
from ..engine.maps import Map
from ..engine.world import World

SPHERE_RADIUS = 15.0


@dataclass(frozen=True)
class Settings:
    """What the player chose on the command line."""

    scene: str
    seed: int
    species: str | None
    count: int | None


@dataclass(frozen=True)
class DemoScene:
    """One scene: its builder, and how close the camera starts."""

    description: str
    build: Callable[[Settings], World]
    pixels_per_unit: float = 16.0


def build_scene(settings: Settings) -> World:
    """The world of the chosen scene; unknown names and species say what there is."""
    if settings.scene not in SCENES:
        raise PaludariumError(f"--scene {settings.scene}: {suggest(settings.scene, SCENES)}")
    return SCENES[settings.scene].build(settings)


def _forest_floor(settings: Settings) -> World:
    world = World(seed=settings.seed, map="forest_floor", precision="float32", populate=settings.species is None)
    if settings.species is not None:
        world.spawn(settings.species, count=settings.count or 1, spread=20.0)
    return world


def _swarm(settings: Settings) -> World:
    count = settings.count or 200
    world = World(seed=settings.seed, map=Map.define(
        name="swarm", area={"width_u": 320, "height_u": 320},
        terrain={"kind": "noise", "amplitude": 1.2, "scale": 24.0, "octaves": 3},
    ), precision="float32")  # fmt: skip
    near = min(count, 24)
    species = settings.species or "giant_centipede"
    world.spawn(species, count=near, spread=40.0, tier="bush")
    world.spawn(species, count=count - near, spread=120.0, tier="follow")
    for _ in range(40):
        world.add_food(world.streams["scene"].uniform(-100.0, 100.0, size=2))
    return world


def _drop(settings: Settings) -> World:
    world = World(seed=settings.seed, precision="float32")
    for place in range(settings.count or 3):
        world.spawn(settings.species or "giant_centipede", at=(0.0, 12.0 * place, 5.0))
    return world


def _sphere(settings: Settings) -> World:
    world = World(seed=settings.seed, map=Map.define(
        name="ball", area={"width_u": 60, "height_u": 60, "edge": "open"},
        terrain={"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": SPHERE_RADIUS}]},
    ), precision="float32")  # fmt: skip
    ride = 1.0
    world.spawn(settings.species or "stone_centipede", at=(0.0, 0.0, SPHERE_RADIUS + ride))
    return world


SCENES = {
    "forest_floor": DemoScene("centipedes and millipedes among rocks and fruit", _forest_floor),
    "swarm": DemoScene("hundreds at once", _swarm, pixels_per_unit=6.0),
    "drop": DemoScene("centipedes fall from the sky and find their feet", _drop, pixels_per_unit=14.0),
    "sphere": DemoScene("a centipede walks around a ball, upside down too", _sphere, pixels_per_unit=14.0),
}
