"""The command line: ``paludarium`` plays, ``paludarium bench`` measures, ``paludarium warm`` compiles ahead."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..engine.errors import PaludariumError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "play")  # the default, so that `paludarium --seed 7` works
    options = _parser().parse_args(words)
    try:
        return int(options.run(options))
    except PaludariumError as problem:
        print(f"paludarium: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    from .. import __version__
    from . import (
        bench_command,
        doctor_command,
        export_command,
        maps_command,
        pack_command,
        play_command,
        species_command,
        sweep_command,
        train_command,
        warm_command,
    )

    parser = argparse.ArgumentParser(
        prog="paludarium", description="Living, physically simulated creatures. Without a subcommand the demo starts.",
        epilog="`paludarium SUBCOMMAND --help` explains one of them.",
    )
    parser.add_argument("--version", action="version", version=f"paludarium {__version__}")
    subcommands = parser.add_subparsers(title="subcommands", metavar="SUBCOMMAND", required=True)
    for command in (play_command, bench_command, species_command, maps_command, sweep_command, train_command, export_command,
                    warm_command, doctor_command, pack_command):  # fmt: skip
        command.add_to(subcommands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
