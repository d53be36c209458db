"""docs/worlds.md, made of what is recorded: one table of worlds, one of their animals, and the sheet of pictures."""

from __future__ import annotations

from collections import Counter
from statistics import mean
from typing import Any

from .record import load
from .scenes import MAPS, PICTURE_SECONDS

HEAD = f"""# The worlds that ship, watched

Every map, left to itself, with seeds that nothing was tuned on: `python3 dev worlds` runs them and makes this page of
`tests/worlds/results.json`; do not edit. The scene's camera stands where the demo's does, and tiers are those that a player
gets. The bounds of `tests/worlds/` hold in a short form in every test run, and in this one in `python3 dev test --slow`.

![Each world after {" s, ".join(map(str, PICTURE_SECONDS))} s, as far as it was watched](images/worlds.png)

- *rest*: share of the animals that come less than 0.03 lengths far in a second (of long bodies, 0.24 units)
- *stuck*: share of those that have wanted to go for half a minute and have not come half a length far
- *aground*: share of swimmers that are for more than two seconds over water shallower than their body
- *deep*: share of those that are more than a fifth of the narrower radius inside another one
- *quiet*: longest time without an event, in seconds
- *empty*: share of the seconds in which the scene's camera shows fewer than five animals
- *torn*: what must not happen: tissue that was untangled, invalid numbers, animals beyond the edge, water that was restarted

Counts are means over the seeds; speeds are in lengths per second, median and 99th percentile.
"""
COUNTS = ("begun", "left", "meals", "matings", "births")
"""Of each species, as they are recorded."""

Runs = list[dict[str, Any]]


def page(runs: Runs) -> str:
    """The text of the page."""
    of_maps = {name: [run for run in runs if run["map"] == name] for name in MAPS}
    worlds = [_world(name, mine) for name, mine in of_maps.items() if mine]
    animals = [_animal(name, key, mine) for name, mine in of_maps.items()
               for key in sorted({key for run in mine for key in run["species"]})]  # fmt: skip
    return f"{HEAD}\n## Worlds\n\n{_table(worlds)}\n## Animals\n\n{_table(animals)}"


def current() -> str:
    """The page of what is recorded."""
    return page(load())


def _world(name: str, runs: Runs) -> dict[str, str]:
    """One row of the table of worlds."""
    all_species = [species for run in runs for species in run["species"].values()]
    looks = max(sum(species["looks"] for species in all_species), 1)
    torn = sum((Counter(run["torn"]) for run in runs), Counter[str]())
    return {
        "world": name,
        "seeds": str(len(runs)),
        "minutes": _number(mean(run["seconds"] for run in runs) / 60.0),
        **_counts(all_species, len(runs)),
        "events/min": _number(mean(run["events_per_minute"] for run in runs)),
        "quiet": _number(max(run["longest_gap"] for run in runs)),
        "deep": _percent(mean(run["deep_share"] for run in runs)),
        "stuck": _percent(sum(species["stuck_seconds"] for species in all_species) / looks),
        "aground": _percent(sum(species["aground_seconds"] for species in all_species) / looks),
        "empty": _percent(mean(run["empty_views"] for run in runs)),
        "torn": ", ".join(f"{count} {kind}" for kind, count in sorted(torn.items())) or "none",
    }


def _animal(name: str, key: str, runs: Runs) -> dict[str, str]:
    """One row of the table of animals."""
    mine = [run["species"][key] for run in runs if key in run["species"]]
    looks = max(sum(species["looks"] for species in mine), 1)
    hunger = [species["hunger"] for species in mine if species["hunger"] is not None]
    return {
        "world": name,
        "animal": key,
        **_counts(mine, len(runs)),
        "hunger": f"{mean(hunger):.2f}" if hunger else "",
        "rest": _percent(mean(species["resting"] for species in mine)),
        "speed": f"{mean(species['median_speed'] for species in mine):.2f}",
        "top speed": f"{mean(species['top_speed'] for species in mine):.2f}",
        "stuck": _percent(sum(species["stuck_seconds"] for species in mine) / looks),
        "aground": _percent(sum(species["aground_seconds"] for species in mine) / looks),
    }


def _counts(all_species: Runs, runs: int) -> dict[str, str]:
    causes = sum((Counter(species["deaths"]) for species in all_species), Counter[str]())
    deaths = ", ".join(f"{_number(count / runs)} {cause}" for cause, count in sorted(causes.items())) or "0"
    return {**{what: _number(sum(species[what] for species in all_species) / runs) for what in COUNTS}, "deaths": deaths}


def _table(rows: list[dict[str, str]]) -> str:
    if not rows:
        return ""
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 10.0 or value == round(value) else f"{value:.1f}"


def _percent(share: float) -> str:
    return "0" if share == 0.0 else f"{100.0 * share:.{0 if share >= 0.1 else 2}f} %"
