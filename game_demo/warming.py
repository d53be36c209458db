"""Compiling kernels with a progress bar that names what is being compiled."""

from __future__ import annotations

import multiprocessing
import queue
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba.core import event as numba_event

from ..engine.kernel import KERNELS
from .progress import Progress

if TYPE_CHECKING:
    from ..engine.world import World

Result = TypeVar("Result")

WARM_TICKS = 3
"""Enough for every system to run at least once on living creatures."""

WARM_SPREAD = 40.0  # units around the middle of the map
WARM_SIZE = (160, 90)
OTHER_ZOOM = 1.6  # is another step of the zoom, and between two of them
USUAL_KERNELS = 530
"""Functions that a first start compiles, with both precisions; only the length of the progress bar depends on it."""

TITLE = "compiling kernels (first start only)"


def kinds_of_animals(world: World) -> list[str]:
    """One species for every set of parts that animals of this world have: together they need all of its kernels."""
    kinds: dict[frozenset[str], str] = {}
    for key in world.species:
        kinds.setdefault(frozenset(world.species[key].specs), key)
    return list(kinds.values())


def warm_bodies() -> None:
    """Compile the body simulation in both precisions, and a trial of the sweep in the one it uses."""
    from ..engine.creature import TIERS
    from ..engine.schedule import Phase
    from ..engine.world import World
    from .sweep_command import warm_trial

    for precision in ("float64", "float32"):
        world = World(seed=1, precision=precision)
        for kind in kinds_of_animals(world):
            for tier in TIERS:
                world.spawn(kind, spread=WARM_SPREAD, tier=tier)
        for entry in world.schedule:
            if entry.phase is Phase.BODY:
                entry.system.process(world.clock.tick_seconds)
    warm_trial()


def warm_world() -> None:
    """Compile everything else: senses, brains, legs, water, pictures."""
    from ..engine.errors import PaludariumError
    from ..engine.world import World
    from .bodies import body_points

    world = World(seed=1, map="rainy_pond")
    world.add_obstacle("cylinder", (30.0, 30.0), 1.0)
    for kind in kinds_of_animals(world):
        creature = world.spawn(kind, spread=WARM_SPREAD, tier="follow")
        if "sever" in world.verbs:
            with suppress(PaludariumError):  # who cannot be cut stays whole
                creature.sever(len(body_points(creature)) // 2)
    world.step(WARM_TICKS)
    world.state_hash()
    rehearse(world)


def rehearse(world: World) -> None:
    """Draw small pictures in all the ways a player may come to see, so that nothing is compiled when it is late anyway."""
    from ..systems.render import LIGHT_NAMES, Camera, Renderer
    from ..systems.render.creatures.family_painters import mixed
    from ..systems.render.detail import LEVELS
    from ..systems.tiers.policy import TierPolicy

    camera, renderer = Camera(WARM_SIZE), Renderer(WARM_SIZE)
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


def warm(processes: int) -> int:
    """Compile and cache all kernels, in this process or in several; return how many had to be compiled."""
    tasks = [warm_bodies, warm_world]
    if processes < 2:
        return kernels_compiled_in(lambda: [task() for task in tasks])
    context = multiprocessing.get_context("spawn")  # forked children of a threaded numba are killed
    with context.Manager() as manager, Progress(TITLE, USUAL_KERNELS) as bar:
        names = manager.Queue()
        with ProcessPoolExecutor(len(tasks), mp_context=context) as pool:
            running = [pool.submit(_warm_telling, task, names) for task in tasks]
            while not all(job.done() for job in running):
                _show_next(bar, names)
            for job in as_completed(running):
                job.result()
        while not names.empty():
            _show_next(bar, names)
        return bar.done


def kernels_compiled_in(task: Callable[[], Any]) -> int:
    """Run a task under a progress bar that names each kernel as it is compiled; return how many were."""
    with Progress(TITLE, total=max(len(KERNELS), 1)) as bar:
        _listening(task, bar.advance)
        return bar.done


def tell_of_kernels(task: Callable[[], Result], tell: Callable[[str], None]) -> Result:
    """Run a task and return its result; `tell` hears the name of every kernel that has to be compiled meanwhile."""
    results: list[Result] = []
    _listening(lambda: results.append(task()), tell)
    return results[0]


def _warm_telling(task: Callable[[], None], names: Any) -> None:
    _listening(task, names.put)


def _show_next(bar: Progress, names: Any) -> None:
    try:
        bar.advance(names.get(timeout=0.1))
    except queue.Empty:
        return


def _listening(task: Callable[[], Any], tell: Callable[[str], None]) -> None:
    with numba_event.install_listener("numba:compile", _Listener(tell)):
        task()


class _Listener(numba_event.Listener):
    """Tells the name of every function that numba compiles."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell

    def on_start(self, event: Any) -> None:
        self.tell(event.data["dispatcher"].py_func.__name__.replace("_", " "))

    def on_end(self, event: Any) -> None:
        pass
