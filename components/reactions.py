"""Reactions: what attracts and what repels a species. Numbers per kind of stimulus and per relation of factions."""

from __future__ import annotations

from dataclasses import fields, make_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.errors import PluginError
from ..engine.parts import Birth
from ..engine.pool import Array, Pool, Rows
from ..engine.spec import number

if TYPE_CHECKING:
    from ..engine.world import World

STIMULUS_KINDS = {
    "food": (1.0, "smell of food that lies nowhere"),
    "threat": (-1.0, "fire, a footstep, a shadow"),
    "pheromone": (0.5, "a trail of its own kind"),
}
"""Built-in kinds of stimuli with the default reaction to each: 1 comes from far away, -1 flees, 0 does not care."""

OTHERS: dict[str, Any] = {
    "hostile": number(-1.0, low=-1.0, high=1.0, doc="to creatures of a hostile faction: below 0 it avoids, above it hunts"),
    "allied": number(0.0, low=-1.0, high=1.0, doc="to creatures of an allied faction: above 0 it keeps them company"),
    "prey": number(0.0, low=-1.0, high=1.0, doc="to creatures it eats, see [diet]: above 0 it goes after them"),
    "predator": number(-1.0, low=-1.0, high=1.0, doc="to creatures that eat it"),
    "sight": number(15.0, unit="u", low=0.0, high=1000.0, doc="how far away it notices creatures of other factions"),
    "threshold": number(0.02, low=0.0, high=1.0, doc="reaction times nearness times strength below which it does not care"),
    "arrival": number(3.0, unit="u", low=0.0, high=1000.0, doc="nearer than this an attraction is satisfied"),
}
SETTINGS = tuple(OTHERS)


class ReactionPool(Pool):
    """No rows: reactions are the same for all of a species and are gathered when a creature is born."""


class Reactions:
    """What one creature's species reacts to; the numbers are in ``creature.species.specs["reactions"]``."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: ReactionPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows


def no_rows(_spec: Any, specs: dict[str, Any]) -> int:  # noqa: ARG001 - the same signature for all parts
    """Rows that the part needs: none."""
    return 0


def reaction_spec(kinds: dict[str, tuple[float, str]]) -> type:
    """The ``[reactions]`` table of a world: one number per kind of stimulus, and the settings."""
    rules = {kind: number(default, low=-1.0, high=1.0, doc=f"to {doc}") for kind, (default, doc) in kinds.items()}
    made = [(name, float, rule) for name, rule in {**rules, **OTHERS}.items()]
    kind = make_dataclass("ReactionSpec", made, frozen=True, namespace={"row_count": no_rows})
    kind.__doc__ = "The ``[reactions]`` table: 1 attracts from afar, -1 repels, 0 leaves cold."
    return kind


def fill_reactions(birth: Birth, spec: Any, pool: ReactionPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Nothing to write."""


def add_stimulus_kind(world: World, kinds: dict[str, tuple[float, str]], name: str, default: float, doc: str) -> None:
    """Make a kind of stimulus known, and with it a key of the ``[reactions]`` table."""
    if not name.isidentifier() or name in (*kinds, *SETTINGS):
        raise PluginError(f"stimulus kind {name!r}: allowed is a new word of letters, digits and _")
    if not -1.0 <= default <= 1.0:
        raise PluginError(f"stimulus kind {name!r}: default = {default!r}: allowed is a number from -1 to 1")
    kinds[name] = (float(default), doc)
    world.parts["reactions"] = replace(world.parts["reactions"], spec=reaction_spec(kinds))


def reaction_row(spec: Any, kinds: dict[str, tuple[float, str]]) -> Array:
    """Settings and reactions of a species as one row, defaults where it says nothing: first the settings, then the kinds."""
    rules = {item.name: item.default for item in fields(reaction_spec({}))}
    settings = [getattr(spec, name, rules[name]) for name in SETTINGS]
    return np.array([*settings, *(getattr(spec, kind, default) for kind, (default, _) in kinds.items())], dtype=np.float64)
