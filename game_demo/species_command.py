"""``paludarium species``: the animals there are, and every key their files may have."""

from __future__ import annotations

import argparse
from typing import Any

from ..engine.families import DEFAULT_FAMILY
from ..engine.spec import keys_of
from ..engine.species import LARGEST_FILE
from .reference import key_table


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "species", help="list the animals, or with --keys every key of a species file",
        description="List the animals that come with the package, or with --keys every key a species file may have.",
    )
    command.add_argument("--keys", action="store_true", help="the reference of all keys, as Markdown")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..engine.world import World

    world = World(seed=0)
    if options.keys:
        print(reference(world), end="")
        return 0
    for key in world.species:
        species = world.species[key]
        print(f"{key:<18} {species.source.get('description', species.name)}")
    return 0


def reference(world: Any) -> str:
    """The Markdown page with one table per part, made from the specs themselves."""
    lines = [
        "# Species files", "",
        "Made by `paludarium species --keys`. Lengths are in units (`_u`), angles in degrees (`_deg`).",
        "`name`, `description`, `inherits` and `family` stand before the first table; who inherits overrides single keys.",
        f"Without `family` it is a {DEFAULT_FAMILY}. Tables that only one family has say so.",
        f"A file has at most {LARGEST_FILE:,} bytes.", "",
    ]  # fmt: skip
    for part in world.parts.values():
        if keys_of(part.spec):
            family = world.families.owner_of(part.name)
            brackets = f"[[{part.name}]]" if part.repeated else f"[{part.name}]"
            lines += [f"## {brackets}{f' of {article(family)} {family}' if family else ''}", "", *key_table(part.spec), ""]
    return "\n".join(lines)


def article(word: str) -> str:
    """The English article before a word: ``article("insect") == "an"``."""
    return "an" if word[:1] in "aeiou" else "a"
