"""The diet: what an animal eats, and what it has eaten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.column_rules import BITS, FLAG, ON_MAP, Codes
from ..engine.errors import SpawnError, suggest
from ..engine.pool import Array, MovedFrom, Pool, Rows, column
from ..engine.readings import Reading
from ..engine.spec import number, texts
from .body import Physics
from .parameters import key_of

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.parts import Birth
    from ..engine.world import World

UNLIMITED_BITE = 1e9
"""An amount no piece of food has: eaten whole in one tick."""
EAT_KEYS = {"eat_radius_u": "reach_u", "eat_height_u": "height_u", "bite": "bite"}
"""Keys that older species files have in ``[antennae]``, and what they are called here."""
TAKES_FOOD, TAKES_PREY = 1, 2
"""Bits of what a mouth takes."""
OLD_REACH, OLD_HEIGHT, OLD_BITE = 21, 22, 23
"""Columns of the antennae's parameters that older saves keep them in."""


@dataclass(frozen=True)
class DietSpec:
    """The ``[diet]`` table. A creature with antennae and no such table eats fruit."""

    eats: tuple[str, ...] = texts(("fruit",), doc="kinds of food, keys of species, or families")
    reach: float = number(1.0, unit="u", low=0.001, high=100.0,
                          doc="plan-view distance from the mouth at which food is eaten")
    height: float = number(2.0, unit="u", low=0.001, high=1000.0, doc="and the largest difference of height")
    bite: float = number(UNLIMITED_BITE, low=0.0, above=True, high=UNLIMITED_BITE, doc="amount eaten per tick at most")
    largest: float = number(0.6, low=0.0, high=10.0, doc="longest prey, as a share of its own length")
    appetite: float = number(0.0, low=0.0, high=UNLIMITED_BITE, doc="amount after which it is full; 0 is never")
    digestion: float = number(0.05, unit="per_s", low=0.0, doc="amount that makes room again in a second")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


def _was(place: int) -> MovedFrom:
    return MovedFrom("AntennaPool", "parameters", lambda parameters: parameters[:, place])


def had_own_mouth(physics: Array) -> Array:
    """Whether bodies of an older save have a mouth of their own: all but chains did."""
    return (physics != Physics.CHAIN).astype(np.uint8)


class DietPool(Pool):
    """One row per creature that eats, aligned with `CreaturePool`."""

    aligned = True
    format = 3

    foods = column(np.uint64, fill=1, older=1, holds=BITS)  # one bit per kind of food it eats
    reach = column(np.float64, older=_was(OLD_REACH), holds=key_of(DietSpec, "reach"), fixed=True)
    height = column(np.float64, older=_was(OLD_HEIGHT), holds=key_of(DietSpec, "height"), fixed=True)
    bite = column(np.float64, older=_was(OLD_BITE), holds=key_of(DietSpec, "bite"), fixed=True)
    largest = column(np.float64, fill=0.6, holds=key_of(DietSpec, "largest"), fixed=True)
    appetite = column(np.float64, holds=key_of(DietSpec, "appetite"), fixed=True)
    digestion = column(np.float64, fill=0.05, holds=key_of(DietSpec, "digestion"), fixed=True)
    eaten = column(np.float64)  # amount that is not digested yet
    since_meal = column(np.float64)  # seconds
    meal = column(np.float64, older=MovedFrom("AntennaPool", "meal"))  # eaten in the last tick
    mouth = column(np.float64, 3, holds=ON_MAP)  # where its body system says it is, if it has one of its own
    # 1: its body system writes where its mouth is; 0: it is where its head is
    own_mouth = column(np.uint8, since=3, older=MovedFrom("BodyPool", "physics", had_own_mouth), holds=FLAG)
    # what its mouth takes now, see `TAKES_FOOD` and `TAKES_PREY`; minds that decide about it write it
    gape = column(np.uint8, fill=TAKES_FOOD | TAKES_PREY, since=2, older=TAKES_FOOD | TAKES_PREY, holds=Codes(4))


class Diet:
    """What one creature eats and has eaten."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: DietPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def eaten(self) -> float:
        """Amount that is not digested yet."""
        return float(self.pool.view(self.rows, "eaten")[0])

    @property
    def since_meal(self) -> float:
        """Seconds since it last ate."""
        return float(self.pool.view(self.rows, "since_meal")[0])

    def readings(self) -> list[Reading]:
        """How full it is, if it can be."""
        appetite = float(self.pool.view(self.rows, "appetite")[0])
        share = min(self.eaten / appetite, 1.0) if appetite else 0.0
        return [Reading("bar", "fed", "amber", share, text=f"{self.eaten:.1f}")] if appetite else []


def fill_diet(birth: Birth, spec: DietSpec, pool: DietPool, rows: Rows) -> None:
    pool.foods[rows.start] = food_bits(birth.world, birth.species.key, spec.eats)
    pool.mouth[rows.start] = birth.at
    write_diet(pool, rows.start, spec)


def renew_diet(creature: Creature, spec: DietSpec, pool: DietPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Numbers of the species; what it eats are bits of the kinds of food that its world knows."""
    write_diet(pool, rows.start, spec)


def write_diet(pool: DietPool, row: int, spec: DietSpec) -> None:
    """Update the numbers of one that eats."""
    for name in ("reach", "height", "bite", "largest", "appetite", "digestion"):
        getattr(pool, name)[row] = getattr(spec, name)


def give_own_mouth(birth: Birth) -> None:
    """Say of a newborn that eats that its body system writes where its mouth is."""
    if birth.has("diet"):
        birth.world.pool(DietPool).own_mouth[birth.rows["diet"].start] = 1


def food_bits(world: World, species: str, eats: tuple[str, ...]) -> Array:
    """One bit per kind of food that is named; other names must be species or families."""
    bits = np.uint64(0)
    for name in eats:
        kind = world.props.food_kinds.find(name)
        if kind >= 0:
            bits |= np.uint64(1) << np.uint64(kind)
        elif name not in world.families and name not in set(world.species):
            kinds = [world.props.food_kinds.name(row) for row in range(len(world.props.food_kinds))]
            known = [*kinds, *world.families, *world.species]
            raise SpawnError(f"{species}: [diet] eats = {name!r} is no food, species or family; {suggest(name, known)}")
    return np.asarray(bits)


def with_diet(tables: dict[str, Any]) -> dict[str, Any]:
    """Tables of a species with its ``[diet]``: given, or with what an older file says in ``[antennae]``."""
    antennae = tables.get("antennae")
    if not isinstance(antennae, dict):
        return tables
    moved = {EAT_KEYS[key]: value for key, value in antennae.items() if key in EAT_KEYS}
    kept = {key: value for key, value in antennae.items() if key not in EAT_KEYS}
    diet = tables.get("diet", {})
    return {**tables, "antennae": kept, "diet": {**moved, **diet} if isinstance(diet, dict) else diet}
