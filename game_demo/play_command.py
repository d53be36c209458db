"""``paludarium play``: the demo, in a window or, without a display, as a clip."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..engine.errors import PaludariumError, suggest
from ..systems.render import LIGHT_NAMES
from .scenes import SCENES, Settings, build_scene

DEFAULT_SIZE = (1280, 720)
HEADLESS_TICKS = 360
DEFAULT_SCENE = "forest_floor"
ALL = "all"
MOST_CREATURES = 10_000


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "play", help="the demo (default)", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="The demo: worlds from above, to look at, to poke and to play. Press H in it for the keys.",
        epilog="scenes:\n" + "\n".join(f"  {name:<14} {scene.description}" for name, scene in SCENES.items()),
    )
    command.add_argument("--scene", metavar="NAME", help="start in this scene instead of the title screen; "
                         "without a window: which one is drawn, or `all` (default forest_floor)")
    command.add_argument("--seed", type=int, default=7, metavar="N", help="another seed, another world (default 7)")
    command.add_argument("--species", metavar="NAME", help="who lives in the scene (default: its own animals)")
    command.add_argument("--count", type=int, metavar="N", help="how many of them, 0 to 10000")
    command.add_argument("--light", choices=LIGHT_NAMES, help="the time of day (default: the scene's own; L changes it)")
    command.add_argument("--size", type=_size, default=DEFAULT_SIZE, metavar="WxH", help="window size (default 1280x720)")
    command.add_argument("--headless", action="store_true", help="no window: write a clip and a picture")
    command.add_argument("--ticks", type=int, metavar="N", help="stop after so many ticks (60 are one second)")
    command.add_argument("--record", type=Path, metavar="FILE",
                         help="no window: where the clip and the picture go (default recordings/SCENE)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from .headless import has_display

    _check(options)
    headless = options.headless or options.record is not None or not has_display()
    if not headless:
        return _play_in_a_window(options)
    if not (options.headless or options.record):
        print("No display found: drawing to files instead of a window.")
    if options.scene == ALL:
        for name in SCENES:
            _draw_to_files(name, options, _target(options, name, several=True))
        return 0
    scene = options.scene or DEFAULT_SCENE
    _draw_to_files(scene, options, _target(options, scene, several=False))
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.scene is not None and options.scene not in (*SCENES, ALL):
        raise PaludariumError(f"--scene {options.scene}: {suggest(options.scene, SCENES)}")
    if options.seed < 0:
        raise PaludariumError(f"--seed {options.seed}: allowed is a whole number, 0 or more")
    if options.count is not None and not 0 <= options.count <= MOST_CREATURES:
        raise PaludariumError(f"--count {options.count}: allowed is 0 to {MOST_CREATURES}")
    if options.ticks is not None and options.ticks < 1:
        raise PaludariumError(f"--ticks {options.ticks}: allowed is 1 or more")


def _play_in_a_window(options: argparse.Namespace) -> int:
    from .window import play

    if options.scene == ALL:
        raise PaludariumError(f"--scene all is for --headless; in a window: {', '.join(SCENES)}")
    picky = any(option is not None for option in (options.species, options.count, options.light))
    chosen = options.scene or (DEFAULT_SCENE if picky else None)
    settings = None if chosen is None else Settings(chosen, options.seed, options.species, options.count, options.light)
    return play(options.size, settings, options.seed, options.ticks)


def _target(options: argparse.Namespace, scene: str, *, several: bool) -> Path:
    """Where the files of a scene go: several scenes each get their name added to the one that was given."""
    if options.record is None:
        return Path("recordings") / scene
    given: Path = options.record
    return given.with_name(f"{given.stem}_{scene}") if several else given


def _draw_to_files(scene: str, options: argparse.Namespace, target: Path) -> None:
    from ..systems.render.scene.camera import Camera
    from .headless import record
    from .hunt import hunt_of

    choosable = SCENES[scene].choosable or options.scene != ALL
    world = build_scene(Settings(scene, options.seed, options.species, options.count, options.light) if choosable
                        else Settings(scene, options.seed, light=options.light))  # fmt: skip
    view, hunt, first = SCENES[scene].view, hunt_of(world), next(iter(world.creatures.values()), None)

    def star() -> Any:
        return hunt.player if hunt is not None else first if view is None else None  # as in the window

    center = view or (star().position[:2] if star() is not None else (0.0, 0.0))
    camera = Camera(options.size, center=center, pixels_per_unit=SCENES[scene].pixels_per_unit)
    ticks = options.ticks or HEADLESS_TICKS
    for file in record(world, camera, options.size, ticks, target, star, policy=SCENES[scene].policy):
        print(f"written: {file}")


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: allowed is WIDTHxHEIGHT, for instance 1280x720") from None
    if not (160 <= width <= 7680 and 90 <= height <= 4320):
        raise argparse.ArgumentTypeError(f"{text!r}: allowed is 160x90 to 7680x4320")
    return width, height
