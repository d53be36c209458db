"""The scenes of the demo: each builds a world and says how it wants to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..engine.errors import PaludariumError, suggest
from ..engine.maps import Map, load_map
from ..engine.world import World
from ..systems.tiers import TierPolicy
from .hunt import start_hunt

SPHERE_RADIUS = 15.0
MOST_CREATURES = 1000
"""What the spawn keys fill a scene up to."""


@dataclass(frozen=True)
class Settings:
    """What the player chose: on the command line, or on the title screen."""

    scene: str
    seed: int = 7
    species: str | None = None
    count: int | None = None


@dataclass(frozen=True)
class DemoScene:
    """One scene: its builder, and how it is looked at and played with."""

    title: str
    description: str
    build: Callable[[Settings], World]
    pixels_per_unit: float = 16.0
    policy: TierPolicy = TierPolicy()
    species: str = "giant_centipede"
    """What the spawn keys bring."""
    batch: int = 10
    spawn_height: float = 0.0
    """Units above the ground at which newcomers begin; 0 is on it."""
    driven: bool = False
    """The player starts in somebody's skin."""
    choosable: bool = True
    """Whether --species and --count mean anything here."""


def build_scene(settings: Settings) -> World:
    """The world of the chosen scene; unknown names and species say what there is."""
    if settings.scene not in SCENES:
        raise PaludariumError(f"--scene {settings.scene}: {suggest(settings.scene, SCENES)}")
    scene = SCENES[settings.scene]
    if not scene.choosable and (settings.species is not None or settings.count is not None):
        raise PaludariumError(f"--scene {settings.scene} brings its own animals: --species and --count are not allowed")
    return scene.build(settings)


def _map_scene(name: str) -> Callable[[Settings], World]:
    """A builder for a map of the package: with its own animals, or with the chosen ones in their place."""

    def build(settings: Settings) -> World:
        world_map = load_map(name)
        if settings.species is None and settings.count is None:
            return World(seed=settings.seed, map=world_map, precision="float32")
        world = World(seed=settings.seed, map=replace(world_map, creatures=()), precision="float32")
        own = world_map.creatures[0].species if world_map.creatures else "giant_centipede"
        count = 1 if settings.count is None else settings.count
        spread = 0.2 * min(world_map.area.width, world_map.area.height) * min(1.0 + count / 100.0, 2.0)
        world.spawn(settings.species or own, count=count, spread=spread)
        return world

    return build


def _swarm(settings: Settings) -> World:
    count = 200 if settings.count is None else settings.count
    world = World(seed=settings.seed, map=Map.define(
        name="swarm", area={"width_u": 320, "height_u": 320},
        terrain={"kind": "noise", "amplitude": 1.2, "scale": 24.0, "octaves": 3, "elevation": 1.0},
    ), precision="float32")  # fmt: skip
    world.spawn(settings.species or "giant_centipede", count=count, spread=140.0, tier="follow")
    for _ in range(60):
        world.add_food(world.streams["scene"].uniform(-120.0, 120.0, size=2))
    return world


def _drop(settings: Settings) -> World:
    world = World(seed=settings.seed, map=Map.define(
        name="drop", area={"width_u": 160, "height_u": 160},
        terrain={"kind": "noise", "amplitude": 0.9, "scale": 34.0, "octaves": 3, "elevation": 1.0},
    ), precision="float32")  # fmt: skip
    count = 3 if settings.count is None else settings.count
    for place in range(count):
        x, y = 48.0 * (place // 10) - 24.0 * (count // 11), 12.0 * (place % 10 - (min(count, 10) - 1) / 2)
        height = float(world.terrain.height([(x, y)])[0]) + 6.0 + 1.5 * (place % 3)
        world.spawn(settings.species or "giant_centipede", at=(x + 12.0, y, height))
    return world


def _sphere(settings: Settings) -> World:
    world = World(seed=settings.seed, map=Map.define(
        name="ball", area={"width_u": 60, "height_u": 60, "edge": "open"},
        terrain={"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": SPHERE_RADIUS}]},
    ), precision="float32")  # fmt: skip
    for place in range(1 if settings.count is None else settings.count):
        world.spawn(settings.species or "stone_centipede", at=(0.0, 0.0), heading=2.1 * place)
    return world


SCENES = {
    "tide_pool": DemoScene("Tide pool", "amphibious centipedes between sand and shallow water", _map_scene("tide_pool")),
    "forest_floor": DemoScene(
        "Forest floor", "centipedes, millipedes and fruit among rocks", _map_scene("forest_floor")),
    "swarm": DemoScene(
        "Swarm", "hundreds at once; B brings more, up to 1,000", _swarm, 6.0, TierPolicy(full=4, bush=20), batch=50),
    "rainy_pond": DemoScene("Rainy pond", "swimmers, rain rings and wakes", _map_scene("rainy_pond"), 14.0),
    "drop": DemoScene(
        "Drop test", "they fall from the sky and find their feet", _drop, 14.0, batch=3, spawn_height=7.0),
    "sphere": DemoScene(
        "Walking on a sphere", "a centipede walks around a ball, upside down too", _sphere, 16.0,
        species="stone_centipede", batch=1),
    "hunt": DemoScene(
        "The hunt", "you are a centipede: eat, grow, and beware of the big one", lambda settings: start_hunt(settings.seed),
        15.0, TierPolicy(full=10, bush=20), species="pauropod", driven=True, choosable=False),
}  # fmt: skip
