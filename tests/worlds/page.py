"""docs/worlds.md, made of what is recorded: one table of worlds, one of their animals, and the sheet of pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import mean
from typing import Any

from .record import load
from .scenes import MAPS, PICTURE_SECONDS

HEAD = f"""# The worlds that ship, watched

Every map, left to itself, with seeds that nothing was tuned on: `python3 dev worlds` runs them and makes this page of
`tests/worlds/results.json`; do not edit. The scene's camera stands where the demo's does, and tiers are those that a player
gets. The bounds of `tests/worlds/` hold in a short form in every test run, and in this one in `python3 dev test --slow`.

![Each world after {PICTURE_SECONDS[0]} s, {PICTURE_SECONDS[1]} s and {PICTURE_SECONDS[2] // 60} minutes](images/worlds.png)

*Rest* is the share of the animals that come less than 0.03 lengths far in a second. *Stuck* animals have wanted to go for half
a minute and have not come half a length far; swimmers *aground* are for more than two seconds over water shallower than their
body; *deep* are animals more than a fifth of the narrower radius inside another one; *quiet* is the longest time without an
event; *empty* is the share of the seconds in which the scene's camera shows fewer than five animals; *torn* counts what must
not happen: tissue that was untangled, invalid numbers, animals beyond the edge, fluid that had to be restarted.
"""
WORLDS = """
## Worlds

| world | seeds | minutes | animals | left | meals | matings | births | deaths | events/min | quiet s | deep | stuck | aground | \
empty | torn |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""
ANIMALS = """
## Animals

Means over the seeds; speeds in lengths per second, median and 99th percentile.

| world | animal | count | left | meals | matings | births | deaths | hunger | rest | speed | top speed | stuck | aground |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""


COUNTS = ("begun", "left", "meals", "matings", "births")
"""Of each species, as they are recorded."""


def page(runs: list[dict[str, Any]]) -> str:
    """The text of the page."""
    worlds, animals = [], []
    for name in MAPS:
        mine = [run for run in runs if run["map"] == name]
        if mine:
            worlds.append(_world_row(name, mine))
            animals += [_animal_row(name, key, mine) for key in sorted({key for run in mine for key in run["species"]})]
    return "".join([HEAD, WORLDS, *worlds, ANIMALS, *animals])


def current() -> str:
    """The page of what is recorded."""
    return page(load())


def _world_row(name: str, runs: list[dict[str, Any]]) -> str:
    def total(key: str) -> str:
        return _number(mean(sum(species[key] for species in run["species"].values()) for run in runs))

    looks = mean(sum(species["looks"] for species in run["species"].values()) for run in runs)
    seconds = {key: mean(sum(species[key] for species in run["species"].values()) for run in runs) / max(looks, 1)
               for key in ("stuck_seconds", "aground_seconds")}  # fmt: skip
    deaths = [Counter(species["deaths"]) for run in runs for species in run["species"].values()]
    torn = Counter[str]()
    for run in runs:
        torn.update(run["torn"])
    cells = (name, len(runs), _number(mean(run["seconds"] for run in runs) / 60.0), *map(total, COUNTS),
             _deaths(deaths, len(runs)), _number(mean(run["events_per_minute"] for run in runs)), _number(max(run["longest_gap"] for run in runs)),
             _percent(mean(run["deep_share"] for run in runs)), _percent(seconds["stuck_seconds"]),
             _percent(seconds["aground_seconds"]), _percent(mean(run["empty_views"] for run in runs)),
             ", ".join(f"{count} {kind}" for kind, count in sorted(torn.items())) or "none")  # fmt: skip
    return _row(cells)


def _animal_row(name: str, key: str, runs: list[dict[str, Any]]) -> str:
    mine = [run["species"][key] for run in runs if key in run["species"]]

    def middle(what: str) -> float:
        return mean(species[what] for species in mine)

    looks = max(middle("looks"), 1)
    hunger = [species["hunger"] for species in mine if species["hunger"] is not None]
    cells = (name, key, *(_number(sum(species[what] for species in mine) / len(runs)) for what in COUNTS),
             _deaths([Counter(species["deaths"]) for species in mine], len(runs)), f"{mean(hunger):.2f}" if hunger else "", _percent(middle("resting")), f"{middle('median_speed'):.2f}",
             f"{middle('top_speed'):.2f}", _percent(middle("stuck_seconds") / looks),
             _percent(middle("aground_seconds") / looks))  # fmt: skip
    return _row(cells)


def _deaths(deaths: Iterable[Counter[str]], runs: int) -> str:
    causes = Counter[str]()
    for counted in deaths:
        causes.update(counted)
    return ", ".join(f"{_number(count / runs)} {cause}" for cause, count in sorted(causes.items())) or "0"


def _row(cells: Iterable[Any]) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |\n"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 10.0 or value == round(value) else f"{value:.1f}"


def _percent(share: float) -> str:
    return "0" if share == 0.0 else f"{100.0 * share:.2g} %"
