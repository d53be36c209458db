"""``paludarium doctor``: everything about this machine that a bug report needs, on one page."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
from time import perf_counter
from typing import Any

PACKAGES = ("numpy", "numba", "llvmlite", "esper", "pymunk", "pygame", "pygame-ce", "pillow", "platformdirs", "noise",
            "trimesh", "matplotlib", "distributed")  # fmt: skip
SPEED_SECONDS = 3.0


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "doctor", help="versions, processor, pack, cache, threads, display, sound, speed: for bug reports",
        description="Say what a bug report needs: versions, processor, where machine code comes from, threads, display, "
                    "sound, and three seconds of a speed test.",
    )
    command.add_argument("--quick", action="store_true", help="without the speed test")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    for title, lines in (("versions", _versions()), ("machine", _machine()), ("machine code", _machine_code()),
                         ("screen and sound", _screen_and_sound())):  # fmt: skip
        _print(title, lines)
    if not options.quick:
        _print("speed", _speed())
    return 0


def _print(title: str, lines: dict[str, str]) -> None:
    print(title)
    for name, text in lines.items():
        print(f"  {name:<14} {text}")


def _versions() -> dict[str, str]:
    from .. import __version__

    found = {"paludarium": __version__, "python": f"{platform.python_version()} {platform.python_implementation()}"}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def _machine() -> dict[str, str]:
    import llvmlite.binding as llvm
    import numba

    from ..engine.machine_code.processor_level import levels_here
    from ..engine.threading_layer import offer_tbb

    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": f"{llvm.get_host_cpu_name()}, level {', '.join(levels_here()) or 'below those of packs'}",
        "threads": f"{numba.get_num_threads()} of {os.cpu_count()} cores{', oneTBB' if offer_tbb() else ''}",
    }


def _machine_code() -> dict[str, str]:
    from ..engine.machine_code.code_pack import found_pack
    from ..engine.machine_code.inner_code import is_lean
    from ..engine.machine_code.private_folder import code_folder

    pack, where = found_pack()
    folder, place = code_folder()
    files = list(folder.path.glob("*.code")) if folder is not None else []
    size = sum(file.stat().st_size for file in files) / 1e6
    kept = "kernels are compiled once" if folder is not None else "kernels are compiled at every start"
    return {
        "pack": f"{where} ({len(pack)} kernels)" if pack is not None else f"none: {where}; {kept}",
        "cache": f"{place} ({len(files)} kernels, {size:.1f} MB)" if folder is not None else f"none: {place}; {kept}",
        "compiler": "lean" if is_lean() else "as numba does it (this version of numba is not tested for less)",
    }


def _screen_and_sound() -> dict[str, str]:
    from .headless import has_display

    found = {"display": "a window can be opened" if has_display() else "none: `paludarium` draws to files"}
    if importlib.util.find_spec("pygame") is None:
        return {**found, "sound": "pygame is not installed: pip install 'paludarium[demo]'"}
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    try:
        pygame.mixer.init()
        found["sound"] = f"{pygame.mixer.get_init()}"
        pygame.mixer.quit()
    except pygame.error as problem:
        found["sound"] = f"none: {problem}"
    return {**found, "sdl": ".".join(map(str, pygame.get_sdl_version()))}


def _speed() -> dict[str, str]:
    """Ticks and pictures of the forest floor for three seconds."""
    from ..engine.machine_code.compile_news import compiled_so_far
    from ..engine.world import World
    from ..systems.render.scene.camera import Camera

    start = perf_counter()
    world = World(seed=7, map="forest_floor")
    world.step()
    camera, size = Camera((1280, 720)), (1280, 720)
    world.picture.frame(camera, size, still=True)
    ready = perf_counter() - start
    ticks = _rate(lambda: world.step())
    pictures = _rate(lambda: world.picture.frame(camera, size))
    return {
        "first frame": f"{ready:.2f} s, {compiled_so_far()} kernels compiled",
        "tick": f"{1000.0 * ticks:.2f} ms with {len(world.creatures)} animals",
        "picture": f"{1000.0 * pictures:.2f} ms, {size[0]}x{size[1]}",
    }


def _rate(work: Any) -> float:
    """Seconds that a piece of work takes: the median of as many as fit into half the time of the test."""
    taken: list[float] = []
    start = perf_counter()
    while perf_counter() - start < 0.5 * SPEED_SECONDS:
        begin = perf_counter()
        work()
        taken.append(perf_counter() - begin)
    return sorted(taken)[len(taken) // 2]
