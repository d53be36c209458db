"""How a species looks: a few colours and proportions that the renderer reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import Codes
from ...engine.parts import Birth
from ...engine.pool import Pool, Rows, column
from ...engine.spec import choice, color, flag, integer, number
from ..family_looks import LookHandle, colours_of
from ..segments import is_piece

if TYPE_CHECKING:
    from ...engine.creature import Creature

STYLES = ("centipede", "millipede", "robot", "smooth")


@dataclass(frozen=True)
class AppearanceSpec:
    """The ``[appearance]`` table. Colours are display colours; 1.0 is the proportion of the default animal."""

    style: str = choice("centipede", *STYLES, doc="plates, rings, machine parts or smooth skin")
    plate: tuple[float, float, float] = color("#8C3C22", doc="back plates")
    tissue: tuple[float, float, float] = color("#24120F", doc="soft skin between them")
    femur: tuple[float, float, float] = color("#B5702A", doc="first leg link")
    tibia: tuple[float, float, float] = color("#DDA23A", doc="second leg link")
    tarsus: tuple[float, float, float] = color("#EBC05A", doc="last leg link")
    head: tuple[float, float, float] = color("#7A2A18", doc="head")
    antenna_base: tuple[float, float, float] = color("#A8562A", doc="antenna at the root")
    antenna_tip: tuple[float, float, float] = color("#DDA048", doc="antenna at the tip")
    width: float = number(1.65, low=0.1, high=5.0, doc="drawn width of the body")
    leg_width: float = number(1.0, low=0.05, high=5.0, doc="drawn width of the legs")
    antenna_width: float = number(1.0, low=0.05, high=5.0, doc="drawn width of the antennae")
    gloss: float = number(0.62, low=0.0, high=1.0, doc="shine")
    rim: float = number(0.16, low=0.0, high=1.0, doc="light around the edge")
    rings_per_segment: int = integer(1, low=1, high=4, doc="drawn rings, and leg pairs, per simulated segment")
    forcipules: bool = flag(True, doc="venom claws at the head")
    tail_legs: bool = flag(True, doc="long trailing legs")
    eyes: bool = flag(True, doc="eyes")

    @property
    def whole_colour(self) -> tuple[float, float, float]:
        """What colour an animal has on the whole, see `family_looks`."""
        return self.plate

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


COLOURS = ("plate", "tissue", "femur", "tibia", "tarsus", "head", "antenna_base", "antenna_tip")
PROPORTIONS = ("width", "leg_width", "antenna_width", "gloss", "rim", "rings_per_segment", "forcipules", "tail_legs", "eyes")
"""Columns of the pool after the colours."""


class AppearancePool(Pool):
    """One row per creature, aligned with `CreaturePool`. Read by the picture, by exports and by eyes."""

    aligned = True

    style = column(np.int64, holds=Codes(len(STYLES)), fixed=True)
    colors = column(np.float32, len(COLOURS), 3, fixed=True)  # display red, green, blue, 0..1
    proportions = column(np.float32, len(PROPORTIONS), fixed=True)


class Appearance(LookHandle):
    """How one creature looks."""

    __slots__ = ()

    colours = COLOURS


def fill_appearance(birth: Birth, spec: AppearanceSpec, pool: AppearancePool, rows: Rows) -> None:  # noqa: ARG001 - as all
    write_appearance(pool, rows.start, spec)


def renew_appearance(creature: Creature, spec: AppearanceSpec, pool: AppearancePool, rows: Rows) -> None:
    """Looks of the species; a piece of an animal has lost what sat on the other."""
    lost = (pool.proportions[rows.start] == 0.0) & is_piece(creature.species)
    write_appearance(pool, rows.start, spec)
    pool.proportions[rows.start, lost] = 0.0


def write_appearance(pool: AppearancePool, row: int, spec: AppearanceSpec) -> None:
    """Update the looks of one animal."""
    pool.style[row] = STYLES.index(spec.style)
    pool.colors[row] = colours_of(spec, COLOURS)
    pool.proportions[row] = [float(getattr(spec, name)) for name in PROPORTIONS]
