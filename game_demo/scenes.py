"""The scenes of the demo: each builds a world and says how it wants to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..engine.errors import PaludariumError, suggest
from ..engine.maps import Map, load_map
from ..engine.world import World
from ..systems.render import LIGHT_NAMES
from ..systems.tiers.policy import TierPolicy
from .bodies import body_points
from .hunt import PREY_SPECIES, start_hunt

if TYPE_CHECKING:
    from ..engine.creature import Creature

SPHERE_RADIUS = 15.0
SWARM_SPREAD = 140.0  # units around the middle
COLOURINGS = {
    "maroon centipede": {"plate": "#6A2E26", "tissue": "#1C1112", "femur": "#A8682C", "tibia": "#CF963A",
                         "tarsus": "#DDB45A", "head": "#8A3E20", "antenna_base": "#9A522C", "antenna_tip": "#CF9448"},
    "olive centipede": {"plate": "#5B4A22", "tissue": "#17150F", "femur": "#B79A3E", "tibia": "#D9C05A",
                        "tarsus": "#E4D27E", "head": "#8A4A1E", "antenna_base": "#9A7A34", "antenna_tip": "#D0B25A"},
}  # fmt: skip
DROP_HEIGHT, DROP_STEP = 7.0, 1.6  # units above the ground of the lowest one, and between one and the next
DROP_TURN = 0.35  # rad; how much the headings of those who fall differ
DROP_KICK = 22.0  # impulse; up on the head and the tail, aside on the middle: no body falls like a plank
MOST_CREATURES = 1000
"""What the spawn keys fill a scene up to."""


@dataclass(frozen=True)
class Settings:
    """What the player chose: on the command line, or on the title screen."""

    scene: str
    seed: int = 7
    species: str | None = None
    count: int | None = None
    light: str | None = None
    """day, dusk or night; None is the scene's own."""


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
    """Whether the player drives a creature from the start."""
    choosable: bool = True
    """Whether --species and --count mean anything here."""
    view: tuple[float, float] | None = None
    """The place the camera looks at; without one it follows a creature."""
    map_name: str = ""
    """What the scene's map is called: a saved world is recognised by it."""


def build_scene(settings: Settings) -> World:
    """The world of the chosen scene; unknown names and species say what there is."""
    if settings.scene not in SCENES:
        raise PaludariumError(f"--scene {settings.scene}: {suggest(settings.scene, SCENES)}")
    scene = SCENES[settings.scene]
    if not scene.choosable and (settings.species is not None or settings.count is not None):
        raise PaludariumError(f"--scene {settings.scene} brings its own animals: --species and --count are not allowed")
    world = scene.build(settings)
    if settings.light is not None:
        set_light(world, settings.light)
    return world


def scene_of(world: World) -> str | None:
    """Which scene a world is from, by the name of its map; None for worlds of other games."""
    return next((name for name, scene in SCENES.items() if scene.map_name == world.map.name), None)


def set_light(world: World, time: str) -> None:
    """Day, dusk or night from now on; it is saved with the world."""
    if time not in LIGHT_NAMES:
        raise PaludariumError(f"--light {time}: {suggest(time, LIGHT_NAMES)}")
    world.set_time_of_day(time)


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
    kinds = [settings.species] if settings.species is not None else _coloured_kinds(world)
    for place, kind in enumerate(kinds):
        share = count * (place + 1) // len(kinds) - count * place // len(kinds)
        if share:
            world.spawn(kind, count=share, spread=SWARM_SPREAD, tier="follow")
    for _ in range(60):
        world.add_food(world.streams["scene"].uniform(-120.0, 120.0, size=2))
    return world


def _coloured_kinds(world: World) -> list[str]:
    """The giant centipede in three colourings: a crowd of one colour looks like one animal. [look 5]"""
    base = world.species["giant_centipede"].source
    for name, colours in COLOURINGS.items():
        world.define_species(name, **{**base, "name": name, "appearance": {**base["appearance"], **colours}})
    return ["giant_centipede", *COLOURINGS]


def _drop(settings: Settings) -> World:
    world = World(seed=settings.seed, map=Map.define(
        name="drop", area={"width_u": 160, "height_u": 160},
        terrain={"kind": "noise", "amplitude": 0.9, "scale": 34.0, "octaves": 3, "elevation": 1.0},
    ), precision="float32")  # fmt: skip
    count = 3 if settings.count is None else settings.count
    for place in range(count):
        row = place % 10
        y = 12.0 * ((row + 1) // 2) * (-1) ** row  # the first in the middle, where the camera is, then by turns
        x = 48.0 * (place // 10) - 24.0 * (count // 11) + 12.0
        height = float(world.terrain.height([(x, y)])[0]) + DROP_HEIGHT + DROP_STEP * (place % 3)
        heading = world.streams["scene"].uniform(-DROP_TURN, DROP_TURN)
        _tumble(world.spawn(settings.species or "giant_centipede", at=(x, y, height), heading=heading))
    return world


def _tumble(creature: Creature) -> None:
    """Bend a body that falls: up at both ends, and aside in the middle."""
    last = len(body_points(creature)) - 1
    if not last:
        return  # a single piece has no ends
    side = creature.world.streams["scene"].choice((-1.0, 1.0))
    for segment in (0, last):
        creature.push((0.0, side * DROP_KICK, DROP_KICK), segment)
    creature.push((0.0, -2.0 * side * DROP_KICK, 0.0), last // 2)


def _sphere(settings: Settings) -> World:
    world = World(seed=settings.seed, map=Map.define(
        name="ball", area={"width_u": 60, "height_u": 60, "edge": "open"},
        terrain={"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": SPHERE_RADIUS}]},
    ), precision="float32")  # fmt: skip
    for place in range(1 if settings.count is None else settings.count):
        world.spawn(settings.species or "stone_centipede", at=(0.0, 0.0), heading=2.1 * place)
    return world


def _lesson(settings: Settings) -> World:
    from .lesson import start_lesson  # searches need the extra `train`, and some memory

    return start_lesson(settings.seed)


SCENES = {
    "tide_pool": DemoScene(
        "Tide pool", "amphibious centipedes between sand and shallow water", _map_scene("tide_pool"), map_name="tide pool"),
    "forest_floor": DemoScene(
        "Forest floor", "centipedes, millipedes and fruit among rocks", _map_scene("forest_floor"), map_name="forest floor"),
    "swarm": DemoScene(
        "Swarm", "hundreds at once; B brings more, up to 1,000", _swarm, 6.0, TierPolicy(full=4, bush=20), batch=50,
        map_name="swarm"),
    "rainy_pond": DemoScene(
        "Rainy pond", "swimmers, rain rings and wakes", _map_scene("rainy_pond"), 14.0, map_name="rainy pond"),
    "drop": DemoScene(
        "Drop test", "they fall from the sky and find their feet", _drop, 13.0, batch=3, spawn_height=7.0,
        map_name="drop"),
    "sphere": DemoScene(
        "Walking on a sphere", "a centipede walks around a ball, upside down too", _sphere, 20.0,
        species="stone_centipede", batch=1, view=(0.0, 0.0), map_name="ball"),
    "hunt": DemoScene(
        "The hunt", "you are a centipede: eat, grow, and beware of the big one", lambda settings: start_hunt(settings.seed),
        15.0, TierPolicy(full=10, bush=20), species=PREY_SPECIES, driven=True, choosable=False, map_name="hunt"),
    "reef": DemoScene(
        "Coral reef", "fishes over sand and coral gardens, in clear and sunny water", _map_scene("reef"), 13.5,
        species="clownfish", batch=5, view=(-16.0, 2.0), map_name="reef"),
    "koi_pond": DemoScene(
        "Koi pond", "a garden pond: lilies in flower over pebbles and moss", _map_scene("koi_pond"), 14.0,
        species="koi", batch=3, view=(0.0, -3.0), map_name="koi pond"),
    "ant_trail": DemoScene(
        "Ant trail", "leaves on their way home; 6 shows what ants stand on, 7 their trails", _map_scene("ant_trail"), 26.0,
        TierPolicy(full=200, bush=400), species="worker_ant", view=(2.0, 3.0), map_name="ant trail"),
    "beetle_log": DemoScene(
        "Beetle log", "a beetle, a stick insect and a cockroach among fallen logs", _map_scene("beetle_log"), 30.0,
        TierPolicy(full=200, bush=400), species="worker_ant", batch=5, view=(0.0, 0.0), map_name="beetle log"),
    "lagoon": DemoScene(
        "Lagoon", "turtle, manta and eels swim by joints alone; 8 shows their whirls", _map_scene("lagoon"), 13.5,
        species="eel", batch=3, view=(0.0, 0.0), map_name="lagoon"),
    "frog_pond": DemoScene(
        "Frog pond", "frogs, a paper lantern and a guest from elsewhere; 8 shows whirls", _map_scene("frog_pond"), 14.0,
        species="frog", batch=1, view=(0.0, 0.0), map_name="frog pond"),
    "training": DemoScene(
        "Swimming lesson", "eight eels learn to swim from nothing; the one in the middle shows the best so far",
        _lesson, 9.5, TierPolicy(full=16, bush=32), species="eel", choosable=False,
        view=(-8.0, 0.0), map_name="training"),
}  # fmt: skip
