"""What a swimmer looks like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import Within
from ...engine.pool import Pool, Rows, column
from ...engine.spec import choice, color, number
from ..family_looks import LookHandle, colours_of
from ..parameters import ParametersOf, parameter_columns, parameter_row

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth

COLOURS = ("back", "belly", "marking", "fin")
STYLES = ("eel", "fish", "turtle", "frog", "manta", "alien", "accordion")


@dataclass(frozen=True)
class SkinSpec:
    """The ``[skin]`` table."""

    style: str = choice("eel", *STYLES, doc="what is drawn around the links")
    back: tuple[float, float, float] = color("#4A5A38", doc="of the back")
    belly: tuple[float, float, float] = color("#C8C49A", doc="of what is below and at the edges")
    marking: tuple[float, float, float] = color("#22301E", doc="of spots, bars and seams")
    fin: tuple[float, float, float] = color("#6A7A50", doc="of fins, webs and limbs")
    gloss: float = number(0.5, low=0.0, high=1.0, doc="how wet it shines")
    markings: float = number(0.5, low=0.0, high=1.0, doc="how strong spots and bars are")

    @property
    def whole_colour(self) -> tuple[float, float, float]:
        """What colour an animal has on the whole, see `family_looks`."""
        return self.back

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


Skin = parameter_columns("Skin", SkinSpec, __name__)


class SkinPool(Pool):
    """One row per swimmer, aligned with `CreaturePool`."""

    aligned = True

    parameters = column(np.float64, len(Skin), holds=ParametersOf(SkinSpec), fixed=True)
    colors = column(np.float64, len(COLOURS), 3, holds=Within(0.0, 1.0), fixed=True)  # back, belly, marking, fin


class SkinHandle(LookHandle):
    """The looks of one swimmer."""

    __slots__ = ()

    colours = COLOURS

    @property
    def style(self) -> str:
        """What is drawn around its links."""
        return self._choice(Skin.STYLE, STYLES)


def fill_skin(birth: Birth, spec: SkinSpec, pool: SkinPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    write_skin(pool, rows.start, spec)


def renew_skin(creature: Creature, spec: SkinSpec, pool: SkinPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Looks of the species."""
    write_skin(pool, rows.start, spec)


def write_skin(pool: SkinPool, row: int, spec: SkinSpec) -> None:
    """Update the looks of one animal."""
    pool.parameters[row] = parameter_row(spec)
    pool.colors[row] = colours_of(spec, COLOURS)
