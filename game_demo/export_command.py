"""``paludarium export``: record a scene and write it for POV-Ray, for glTF viewers, as OBJ meshes and as tables."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.errors import PaludariumError, suggest
from .play_command import MOST_CREATURES
from .progress import Progress
from .scenes import SCENES, Settings, build_scene

if TYPE_CHECKING:
    from ..systems.export.motion_recorder import Recorder

FORMATS = ("povray", "gltf", "obj", "tables")
GLTF_NAME = "scene.glb"


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "export", help="record a scene for POV-Ray, glTF (Blender, web), OBJ and tables",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Run a scene and write what happened. docs/export.md says what is in the files.",
        epilog="scenes:\n" + "\n".join(f"  {name:<14} {scene.description}" for name, scene in SCENES.items()),
    )
    command.add_argument("--scene", required=True, metavar="NAME", help="which scene; they are listed below")
    command.add_argument("--ticks", required=True, type=int, metavar="N", help="how many ticks (60 are one second)")
    command.add_argument("--to", required=True, type=Path, metavar="DIR", help="the folder to write to")
    command.add_argument("--formats", default=",".join(FORMATS), metavar="LIST",
                         help=f"some of {','.join(FORMATS)} (default: all)")
    command.add_argument("--every", type=int, default=2, metavar="K", help="a frame every K ticks (default 2: 30 a second)")
    command.add_argument("--seed", type=int, default=7, metavar="N", help="another seed, another world (default 7)")
    command.add_argument("--species", metavar="NAME", help="who lives in the scene (default: its own animals)")
    command.add_argument("--count", type=int, metavar="N", help=f"how many of them, 0 to {MOST_CREATURES}")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    formats = _check(options)
    from ..systems.export.motion_recorder import Recorder

    world = build_scene(Settings(options.scene, options.seed, options.species, options.count))
    with Progress("recording", total=options.ticks) as bar, Recorder(world, options.every) as recorder:
        for _ in range(options.ticks):
            world.step()
            bar.advance(f"{world.time:.1f} s, {len(recorder)} frames")
    try:
        for chosen in formats:
            _write(recorder, chosen, options.to)
    except OSError as problem:
        raise PaludariumError(f"--to {options.to}: {problem.strerror}") from None
    return 0


def _check(options: argparse.Namespace) -> list[str]:
    """The chosen formats, or an error that names option, value and what is allowed."""
    if options.scene not in SCENES:
        raise PaludariumError(f"--scene {options.scene}: {suggest(options.scene, SCENES)}")
    for name, least in (("ticks", 1), ("every", 1), ("seed", 0)):
        if getattr(options, name) < least:
            raise PaludariumError(f"--{name} {getattr(options, name)}: allowed is a whole number, {least} or more")
    if options.count is not None and not 0 <= options.count <= MOST_CREATURES:
        raise PaludariumError(f"--count {options.count}: allowed is 0 to {MOST_CREATURES}")
    if options.to.exists() and not options.to.is_dir():
        raise PaludariumError(f"--to {options.to}: is a file; allowed is a folder, or a name for a new one")
    formats = [word.strip() for word in options.formats.split(",") if word.strip()]
    for word in formats:
        if word not in FORMATS:
            raise PaludariumError(f"--formats {word}: {suggest(word, FORMATS)}")
    if not formats:
        raise PaludariumError(f"--formats {options.formats!r}: allowed are some of {', '.join(FORMATS)}")
    return list(dict.fromkeys(formats))


def _write(recorder: Recorder, chosen: str, folder: Path) -> None:
    """Write one format into its place below the folder, and say where it is."""
    target = folder / (GLTF_NAME if chosen == "gltf" else chosen)
    with Progress(f"writing {chosen}", total=len(recorder) if chosen in ("povray", "obj") else 1) as bar:

        def done(frame: int) -> None:
            bar.advance(f"frame {frame}")

        if chosen == "povray":
            files = recorder.to_povray(target, done)
        elif chosen == "obj":
            files = recorder.to_obj(target, done)
        else:
            files = [recorder.to_gltf(target)] if chosen == "gltf" else recorder.to_tables(target)
            bar.advance()
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"written: {target} ({len(files)} file{'s' if len(files) > 1 else ''}, {size:.1f} MB)")
