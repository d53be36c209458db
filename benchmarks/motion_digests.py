"""Proof that nothing moves differently: digests of segment positions, leg states and brain modes after 600 ticks.

Run it with the code before and after a change, with ``NUMBA_NUM_THREADS=1`` and 2; equal lines mean equal motion::

    python -m paludarium.benchmarks.motion_digests                    # all scenes
    python -m paludarium.benchmarks.motion_digests crowd hunt 120     # some of them, for 120 ticks
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import partial

from ..engine.world import World
from ..game_demo.hunt import start_hunt
from .example_worlds import crowd_world

TICKS = 600
SCENES: dict[str, Callable[[], World]] = {
    **{name: partial(World, seed=7, map=name) for name in ("forest_floor", "tide_pool", "rainy_pond")},
    "hunt": partial(start_hunt, 7),
    "crowd": crowd_world,
    "forest_floor_float32": partial(World, seed=7, map="forest_floor", precision="float32"),
}
WATCHED = (("SegmentPool", "position"), ("LegPool", "state"), ("BrainPool", "mode"))


def motion_digest(world: World) -> str:
    """A digest of what can be seen of all creatures. It stays the same when columns move between pools."""
    digest = hashlib.blake2b(digest_size=12)
    for pool, column in WATCHED:
        digest.update(world.pools[pool].live(column).tobytes())
    return digest.hexdigest()


def main(words: list[str]) -> int:
    ticks = next((int(word) for word in words if word.isdigit()), TICKS)
    names = [word for word in words if not word.isdigit()] or list(SCENES)
    unknown = [name for name in names if name not in SCENES]
    if unknown:
        print(f"no scene is called {unknown[0]}: allowed is {', '.join(SCENES)}")
        return 2
    for name in names:
        world = SCENES[name]()
        world.step(ticks)
        print(f"{name:<22} {motion_digest(world)}  {len(world.creatures)} creatures", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
