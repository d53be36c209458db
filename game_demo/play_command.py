"""``paludarium play``: the demo, in a window or, without a display, as a clip."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..engine.errors import PaludariumError
from .scenes import SCENES, Settings, build_scene

DEFAULT_SIZE = (1280, 720)
HEADLESS_TICKS = 360


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "play", help="the demo (default)", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="The demo: a world from above, to look at and to poke. Press H in it for the keys.",
        epilog="scenes:\n" + "\n".join(f"  {name:<14} {scene.description}" for name, scene in SCENES.items()),
    )
    command.add_argument("--scene", default="forest_floor", metavar="NAME", help="which scene (default forest_floor)")
    command.add_argument("--seed", type=int, default=7, metavar="N", help="another seed, another world (default 7)")
    command.add_argument("--species", metavar="NAME", help="who lives in it (default: the scene's own animals)")
    command.add_argument("--count", type=int, metavar="N", help="how many of them")
    command.add_argument("--size", type=_size, default=DEFAULT_SIZE, metavar="WxH", help="window size (default 1280x720)")
    command.add_argument("--headless", action="store_true", help="no window: write a clip and a picture")
    command.add_argument("--ticks", type=int, metavar="N", help="stop after so many ticks (60 are one second)")
    command.add_argument("--record", type=Path, metavar="FILE", help="where the clip goes (default recordings/SCENE)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from .headless import has_display
    from .warming import kernels_compiled_in

    if options.count is not None and not 1 <= options.count <= 10_000:
        raise PaludariumError(f"--count {options.count}: allowed is 1 to 10000")
    if options.ticks is not None and options.ticks < 1:
        raise PaludariumError(f"--ticks {options.ticks}: allowed is 1 or more")
    settings = Settings(options.scene, options.seed, options.species, options.count)
    world = build_scene(settings)
    scale = SCENES[options.scene].pixels_per_unit
    kernels_compiled_in(lambda: _first_frame(world, options.size))
    if options.headless or options.record or not has_display():
        return _play_headless(world, options, scale)
    from .window import play

    return play(world, options.size, scale, options.ticks)


def _first_frame(world: Any, size: tuple[int, int]) -> None:
    """Whatever the scene needs is compiled here, under the progress bar, before the window opens."""
    from .headless import draw_once

    world.step()
    draw_once(world, size)


def _play_headless(world: Any, options: argparse.Namespace, scale: float) -> int:
    from ..systems.render.camera import Camera
    from .headless import has_display, record

    if not (options.headless or options.record or has_display()):
        print("No display found: drawing to files instead of a window.")
    target = options.record or Path("recordings") / options.scene
    star = next(iter(world.creatures.values()), None)
    center = star.position[:2] if star is not None else (0.0, 0.0)
    camera = Camera(options.size, center=center, pixels_per_unit=scale)
    for file in record(world, camera, options.size, options.ticks or HEADLESS_TICKS, target, follow=star):
        print(f"written: {file}")
    return 0


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: allowed is WIDTHxHEIGHT, for instance 1280x720") from None
    if not (160 <= width <= 7680 and 90 <= height <= 4320):
        raise argparse.ArgumentTypeError(f"{text!r}: allowed is 160x90 to 7680x4320")
    return width, height
