"""Watch the worlds that ship, record what happens, and write docs/worlds.md with its pictures::

    python3 dev worlds                          # every map for ten minutes, three seeds; about an hour on one core
    python3 dev worlds reef koi_pond --seeds 2  # two of them, with two seeds
    python3 dev worlds --minutes 1 --dry        # a short look that only prints
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from paludarium.game_demo.progress import Progress

from . import record
from .page import current
from .pictures import SHEET, save_sheet
from .scenes import MAPS, watched

PAGE = Path(__file__).resolve().parents[2] / "docs" / "worlds.md"
FIRST_SEED = 4001
"""Of the seeds that worlds are watched with; nothing else uses them, so nothing is tuned on them."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 dev worlds", description="Watch the worlds that ship.")
    parser.add_argument("maps", nargs="*", metavar="MAP", help=f"of {', '.join(MAPS)} (default: all)")
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds for each map (default 3)")
    parser.add_argument("--minutes", type=float, default=10.0, help="of the world's time (default 10)")
    parser.add_argument("--dry", action="store_true", help="print what happened; record nothing")
    parser.add_argument("--page", action="store_true", help="run nothing; write the page of what is recorded")
    wanted = parser.parse_args(words)
    unknown = [name for name in wanted.maps if name not in MAPS]
    if unknown:
        parser.error(f"no map is called {unknown[0]!r}; there are {', '.join(MAPS)}")
    if wanted.seeds < 1 or not 0.0 < wanted.minutes <= 1440.0:
        parser.error("--seeds takes a whole number from 1, --minutes a number above 0 and up to 1440")
    if not wanted.page:
        watch_all(wanted.maps or list(MAPS), wanted.seeds, 60.0 * wanted.minutes, dry=wanted.dry)
    if not wanted.dry:
        PAGE.write_text(current(), encoding="utf-8")
        print(f"written: {PAGE.relative_to(PAGE.parents[1])}")
    return 0


def watch_all(maps: list[str], seeds: int, seconds: float, *, dry: bool) -> None:
    """Watch maps with some seeds each; every world is recorded as soon as it is done."""
    with Progress("watching", total=int(len(maps) * seeds * seconds)) as bar:
        for name in maps:
            for seed in range(FIRST_SEED, FIRST_SEED + seeds):
                each = partial(bar.advance, f"{name}, seed {seed}")
                figures, pictures = watched(name, seed, seconds, each, pictures=seed == FIRST_SEED)
                run = record.plain(name, seed, figures)
                if dry:
                    print(run, flush=True)
                    continue
                record.save(run)
                if pictures:
                    save_sheet(SHEET, name, pictures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
