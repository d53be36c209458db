"""A tour through everything that calls a kernel: what `paludarium warm` compiles ahead, and what a pack holds.

Each stop is a small part of what users do. Nothing may be left out that a start, a scene, an example or a command needs:
a kernel that no stop calls is compiled when it is first needed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.world import World

SPREAD = 40.0  # units around the middle of the map
FEW_TICKS = 3  # enough for every system to run at least once on living creatures
SCENE_TICKS = 30
"""Of each scene: long enough for feet to touch, food to be smelled and water to be entered."""
SMALL, USUAL = (160, 90), (1280, 720)  # pixels
FAR = 100.0  # units from the middle of a picture: no animal in it is seen from there
OTHER_ZOOM = 1.6  # is another step of the zoom, and between two of them
EXAMPLE_TICKS = 30
NO_EXAMPLES = ("__init__", "__pycache__", "mods")


@dataclass(frozen=True)
class Stop:
    """One part of the tour."""

    name: str
    visit: Callable[[], None]


def short_tour() -> list[list[Stop]]:
    """What a game needs, in two halves that two processes can take: bodies, and everything else."""
    from .scenes import SCENES

    bodies = [Stop(f"bodies in {precision}", partial(visit_bodies, precision)) for precision in ("float64", "float32")]
    bodies += [Stop("a trial of the sweep", visit_trial), Stop("calls of a host", visit_calls)]
    pictures = [Stop("a pond, and all kinds of pictures", visit_pond), Stop("a clip and a picture", visit_files)]
    pictures += [Stop(f"scene {name}", partial(visit_scene, name)) for name in SCENES]
    return [bodies, pictures]


def whole_tour() -> list[Stop]:
    """The short tour, every example, every benchmark, the demo in a window."""
    examples = sorted(file.name.removesuffix(".py") for file in files("paludarium.examples").iterdir())
    stops = [stop for half in short_tour() for stop in half]
    stops += [Stop(f"example {name}", partial(visit_example, name)) for name in examples if name not in NO_EXAMPLES]
    return [*stops, *_benchmark_stops(), Stop("the demo", visit_demo)]


def visit_files() -> None:
    """The demo without a window: a clip and a picture."""
    from ..engine.world import World
    from ..systems.render.scene.camera import Camera
    from .headless import record

    with tempfile.TemporaryDirectory() as folder:
        record(World(seed=1), Camera(SMALL), SMALL, FEW_TICKS, Path(folder) / "clip")


def kinds_of_animals(world: World) -> list[str]:
    """One species for every set of parts that animals of this world have: together they need all of its kernels."""
    kinds: dict[frozenset[str], str] = {}
    for key in world.species:
        kinds.setdefault(frozenset(world.species[key].specs), key)
    return list(kinds.values())


def visit_bodies(precision: str) -> None:
    """All kinds of animals in all tiers, as a game has them that owns nothing but a world."""
    from ..engine.creature import TIERS
    from ..engine.world import World

    world = World(seed=1, precision=precision)
    for kind in kinds_of_animals(world):
        for tier in TIERS:
            world.spawn(kind, spread=SPREAD, tier=tier)
    world.step(FEW_TICKS)
    world.state_hash()


def visit_trial() -> None:
    """What `paludarium sweep` runs many thousand times."""
    from ..lab.myriapod.trial import Trial

    Trial(fewest_seconds=1.0, longest_seconds=1.0).measure(2.0, 1.0)


def visit_pond() -> None:
    """Water, rain, rocks, whole animals and halves, and a look at them in every light."""
    from ..engine.errors import PaludariumError
    from ..engine.world import World
    from .bodies import body_points

    world = World(seed=1, map="rainy_pond")
    world.add_obstacle("cylinder", (30.0, 30.0), 1.0)
    for kind in kinds_of_animals(world):
        creature = world.spawn(kind, spread=SPREAD, tier="follow")
        if "sever" in world.verbs:
            with suppress(PaludariumError):  # who cannot be cut stays whole
                creature.sever(len(body_points(creature)) // 2)
    world.step(FEW_TICKS)
    rehearse(world)


def visit_scene(name: str) -> None:
    """A scene of the demo, played for a moment and drawn."""
    from ..systems.render.scene.camera import Camera
    from .scenes import SCENES, Settings, build_scene

    world = build_scene(Settings(name))
    scene = SCENES[name]
    camera = Camera(USUAL, pixels_per_unit=scene.pixels_per_unit)
    for _ in range(2):
        scene.policy.apply(world, camera.center, camera.visible_bounds, [])
        world.step(SCENE_TICKS)
        world.picture.frame(camera, USUAL, still=True)
    rehearse(world)


def visit_calls() -> None:
    """Orders, violence, questions, saving: what a host calls on a world and its creatures."""
    from ..engine.maps import Map
    from ..engine.replay import Recording, replay
    from ..engine.world import World

    with tempfile.TemporaryDirectory() as folder:
        for here in ("tide_pool", "forest_floor", Map.define(name="noise", terrain={"kind": "noise"})):
            world = World(seed=3, map=here, populate=False)
            recording = Recording(world)
            animals = world.spawn("giant_centipede", count=6, spread=SPREAD)
            _ask(world)
            _order(world, animals)
            world.step(FEW_TICKS)
            world.save(Path(folder) / "world.save")
            World.load(Path(folder) / "world.save").step(FEW_TICKS)
            recording.save(Path(folder) / "run.jsonl")
            if isinstance(here, str):
                replay(Path(folder) / "run.jsonl")


def _ask(world: World) -> None:
    points = np.random.default_rng(1).uniform(-20.0, 20.0, (5, 3))
    for ask in (world.terrain.height, world.terrain.normal, world.terrain.inside, world.water.surface):
        ask(points)
    world.near((0.0, 0.0), SPREAD)
    world.hit((0.0, 0.0), 2.0)
    world.raycast((-SPREAD, 0.0), (SPREAD, 0.0))


def _order(world: World, animals: list[Creature]) -> None:
    world.add_food((3.0, 4.0))
    world.add_obstacle("box", (9.0, 0.0), size=(4.0, 1.0))
    world.add_obstacle("sphere", (-9.0, 3.0), 1.5)
    world.add_stimulus("threat", (0.0, 5.0))
    world.water.splash((0.0, 0.0), radius=1.0, height=0.2)
    first, second, third, fourth, fifth, sixth = animals
    first.goto((10.0, 0.0))
    second.follow(first)
    third.flee_from((0.0, 0.0))
    fourth.control(1.0, 0.2)
    fifth.push((0.0, 0.0, 10.0), segment=3)
    world.step(FEW_TICKS)
    sixth.sever(8)
    fifth.kill()
    fourth.release()
    third.despawn()


def visit_example(name: str) -> None:
    """An example as its test runs it, or the world of a figure."""
    os.environ.setdefault("MPLBACKEND", "agg")
    try:
        example = import_module(f"..examples.{name}", __package__)
    except ImportError:
        return  # it needs something that is not installed here
    build = getattr(example, "build_world", None)
    if build is not None:
        build().step(EXAMPLE_TICKS)
    elif hasattr(example, "main") and name.startswith("figure_"):
        with tempfile.TemporaryDirectory() as folder, suppress(TypeError):  # some figures take no file
            example.main(str(Path(folder) / "figure.png"))


def _benchmark_stops() -> list[Stop]:
    from ..benchmarks.run import measure
    from ..benchmarks.tick_scenes import LAB_SCENE, SCENES

    def run(scene: Any) -> None:
        lengths = {field.name for field in fields(scene)} & {"ticks", "warm_up_ticks", "frames", "warm_up_frames"}
        measure(replace(scene, **dict.fromkeys(lengths, 1)), 1, lambda _what: None)

    return [Stop(f"benchmark {name}", partial(run, scene)) for name, scene in SCENES.items() if name != LAB_SCENE]


def visit_demo() -> None:
    """The demo in a hidden window: title, inspector, overlays."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    from .window import Demo

    demo = Demo(USUAL, None, ticks=FEW_TICKS)
    demo.run()


def _look_at_pictures(world: World) -> None:
    """What the inspector shows in pictures of one animal of each species."""
    from .watch import Watch

    for creature in {creature.species.key: creature for creature in world.creatures.values()}.values():
        watch = Watch()
        watch.update(creature)
        for report in watch.reports:
            for reading in report.readings:
                if reading.kind == "picture":
                    watch.picture(report.part, reading)


def rehearse(world: World) -> None:
    """Draw small pictures in all the ways a player may come to see, so that nothing is compiled when it is late anyway."""
    from ..systems.render import LIGHT_NAMES, Camera, Renderer
    from ..systems.render.creatures.family_painters import mixed
    from ..systems.render.detail import LEVELS
    from ..systems.tiers.policy import TierPolicy

    _look_at_pictures(world)
    camera, renderer = Camera(SMALL), Renderer(SMALL)
    picture = world.picture
    scene = picture.scene(camera.visible_bounds)
    for painter in picture.painters.values():
        poses = painter.poses()
        mixed(poses, poses, 0.5)
    TierPolicy().choose(world, world.creature_pool.spans[:, 0], camera.center, camera.visible_bounds)
    firefly = np.array([[*camera.center, 2.0, 1.0]])  # so bright that it shines beyond its outline
    for light in LIGHT_NAMES:
        renderer.draw(replace(scene, light=light, fireflies=firefly), camera, 0.0)
    for detail in range(len(LEVELS)):
        renderer.detail = detail
        camera.zoom(OTHER_ZOOM)
        renderer.draw(scene, camera, 0.0)
    aside = (camera.center[0] + FAR, camera.center[1])  # the coarsest level draws crowds and empty places in two ways
    renderer.draw(scene, Camera(SMALL, center=aside), 0.0)
