"""Compiling kernels with a progress bar that names what is being compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import event as numba_event

from ..engine.kernel import KERNELS
from .progress import Progress

WARM_TICKS = 3
"""Enough for every system to run at least once on living creatures."""

WARM_SIZE = (160, 90)


def warm() -> None:
    """Run a tiny world at every tier and draw one frame: whatever that calls is compiled and cached."""
    from ..engine.creature import TIERS
    from ..engine.world import World
    from .headless import draw_once

    for precision in ("float64", "float32"):
        world = World(seed=1, map="forest_floor", precision=precision, populate=False)
        world.add_food((3.0, 2.0))
        world.add_obstacle("cylinder", (30.0, 30.0), 1.0)
        for place, tier in enumerate(TIERS):
            world.spawn("stone_centipede", at=(0.0, 12.0 * place), tier=tier)
        world.step(WARM_TICKS)
        world.state_hash()
    draw_once(world, WARM_SIZE)


def kernels_compiled_in(task: Callable[[], Any]) -> int:
    """Run a task under a progress bar that names each kernel as it is compiled; return how many were."""
    from ..engine import world as _world  # noqa: F401 - loads the engine's kernels, so that the total is known

    with Progress("compiling kernels (first start only)", total=len(KERNELS)) as bar:
        listener = _Listener(bar)
        with numba_event.install_listener("numba:compile", listener):
            task()
        return bar.done


class _Listener(numba_event.Listener):  # type: ignore[misc] - numba has no types
    """Tells the progress bar about every function numba compiles."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        self.bar.advance(dispatcher.py_func.__name__.replace("_", " "))

    def on_end(self, event: Any) -> None:
        pass
