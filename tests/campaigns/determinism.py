"""One world, run in every way that must not matter: threads, pictures, a save in the middle, machine code from a pack.

Each combination of threads and machine code is a process of its own, for numba reads both once, when it starts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from .outcome import LOADED, SHIPPED_MAPS, Report

LIVELY, LIVELY_32 = "lively", "lively, float32"
"""The small world with all families, with numbers of both widths."""
SCENES = (*SHIPPED_MAPS, LIVELY, LIVELY_32)
THREADS = (1, 2, 4)
VARIANTS = tuple(product((False, True), (False, True)))
"""With pictures or without, saved and loaded in the middle or not."""
SHIPPED, NONE = "", "0"
"""What the switch of packs is set to: the pack that ships, and none, so that kernels are compiled."""


def run(seed: int, count: int, *, scenes: tuple[str, ...] = SCENES, threads: tuple[int, ...] = THREADS,
        packs: tuple[str, ...] = (SHIPPED, NONE)) -> Report:  # fmt: skip
    """Compare the hashes of all ways to run so many ticks, half of them after the save."""
    report = Report("determinism", seed)
    hashes: dict[str, dict[str, str]] = {scene: {} for scene in scenes}
    for number, pack in product(threads, packs):
        environment = {**os.environ, "NUMBA_NUM_THREADS": str(number), "PALUDARIUM_PACK": pack,
                       "PYGAME_HIDE_SUPPORT_PROMPT": "1"}  # fmt: skip
        command = [sys.executable, "-m", "paludarium.tests.campaigns.determinism", str(seed), str(count), *scenes]
        told = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)  # an error ends it
        if told.returncode:
            report.add(f"the process ended with {told.returncode}", told.stderr[-300:])
            continue
        for scene, variant, found in map(json.loads, told.stdout.splitlines()):
            hashes[scene][f"{number} threads, {'compiled' if pack == NONE else 'pack'}, {variant}"] = found
    for scene, found in hashes.items():
        first = next(iter(found.values()), "")
        for way, value in found.items():
            report.add(LOADED if value == first else f"{scene} differs", way)
    told_packs = [{SHIPPED: "from the pack", NONE: "compiled"}[pack] for pack in packs]
    report.figures |= {"ticks each": count, "scenes": list(scenes), "threads": list(threads), "machine code": told_packs}
    return report


def main(seed: int, ticks: int, scenes: list[str]) -> None:
    import pygame

    from paludarium import Camera, World

    from .file_cases import lively_world

    for scene, (drawn, saved) in product(scenes, VARIANTS):
        small = {LIVELY: "float64", LIVELY_32: "float32"}
        world = lively_world(small[scene]) if scene in small else World(seed=seed, map=scene)
        surface, camera = pygame.Surface((160, 100), 0, 32), Camera((160, 100))
        for tick in range(ticks):
            if drawn and tick % 5 == 0:
                world.draw(surface, camera)
            if saved and tick == ticks // 2:
                with tempfile.TemporaryDirectory() as folder:
                    world.save(Path(folder) / "world.palu")
                    world = World.load(Path(folder) / "world.palu")
            world.step()
        variant = f"{'with' if drawn else 'without'} pictures, {'saved in the middle' if saved else 'in one go'}"
        print(json.dumps([scene, variant, world.state_hash()]), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
