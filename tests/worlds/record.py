"""What is kept of a watched world: plain numbers, one line in a file for each world and seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .figures import Figures, SpeciesFigures

RESULTS = Path(__file__).with_name("results.json")
DIGITS = 3


def plain(name: str, seed: int, figures: Figures) -> dict[str, Any]:
    """The figures of one world as they are kept."""
    return {
        "map": name, "seed": seed, "seconds": round(figures.seconds),
        "events_per_minute": _rounded(figures.events_per_minute),
        "longest_gap": _rounded(figures.longest_gap), "deep_share": _rounded(figures.deep_share, 5),
        "empty_views": _rounded(figures.empty_views), "torn": figures.torn,
        "species": {key: _plain_species(species) for key, species in figures.species.items()},
    }  # fmt: skip


def load() -> list[dict[str, Any]]:
    """What is recorded of all worlds."""
    return list(json.loads(RESULTS.read_text(encoding="utf-8"))) if RESULTS.exists() else []


def save(run: dict[str, Any]) -> None:
    """Record one world; it replaces an older run of the same map and seed."""
    others = [old for old in load() if (old["map"], old["seed"]) != (run["map"], run["seed"])]
    runs = sorted([*others, run], key=lambda old: (old["map"], old["seed"]))
    lines = ",\n".join(json.dumps(old) for old in runs)
    temporary = RESULTS.with_suffix(".new")
    temporary.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    temporary.replace(RESULTS)


def _plain_species(figures: SpeciesFigures) -> dict[str, Any]:
    hunger = figures.last_hunger
    return {
        "begun": figures.begun, "left": figures.left, "meals": figures.meals, "matings": figures.matings,
        "births": figures.births, "deaths": figures.deaths, "events": figures.events, "looks": figures.looks,
        "resting": _rounded(figures.resting_share), "stuck_seconds": figures.stuck, "aground_seconds": figures.aground,
        "hunger": None if hunger is None else _rounded(hunger), "median_speed": _rounded(figures.speed(0.5)),
        "top_speed": _rounded(figures.speed(0.99)),
    }  # fmt: skip


def _rounded(value: float, digits: int = DIGITS) -> float:
    return round(float(value), digits)
