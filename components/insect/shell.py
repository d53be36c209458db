"""How an insect looks: its build, colours, gloss and markings. Read by the picture, by exports and by eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import Within
from ...engine.pool import Pool, Rows, column
from ...engine.spec import choice, color, integer, number
from ..family_looks import LookHandle, colours_of
from ..parameters import ParametersOf, parameter_columns, parameter_row

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth

BUILDS = ("ant", "soldier", "beetle", "roach", "stick")
COLOURS = ("head", "thorax", "gaster", "leg", "antenna", "jaw", "sheen")


@dataclass(frozen=True)
class ShellSpec:
    """The ``[shell]`` table. Colours are display colours; 1.0 is the proportion that the style has."""

    style: str = choice("ant", *BUILDS, doc="ant; soldier, an ant with a large head; beetle, with domed wing cases; roach, "
                        "flat with leathery wings; stick, long and thin")
    head: tuple[float, float, float] = color("#B5481F", doc="head")
    thorax: tuple[float, float, float] = color("#AE4420", doc="thorax and waist, of a beetle the shield behind its head")
    gaster: tuple[float, float, float] = color("#9C371B", doc="rear part, or the wing cases over it")
    leg: tuple[float, float, float] = color("#A8461E", doc="legs")
    antenna: tuple[float, float, float] = color("#B25426", doc="antennae")
    jaw: tuple[float, float, float] = color("#7A2C14", doc="jaws; their tips are black")
    sheen: tuple[float, float, float] = color("#E08A3C", doc="what the shell shimmers in away from the light")
    iridescence: float = number(0.12, low=0.0, high=1.0, doc="how much it does")
    gloss: float = number(1.0, low=0.0, high=3.0, doc="shine")
    hair: float = number(0.5, low=0.0, high=1.0, doc="short hair on rear part and legs, seen from near")
    bands: int = integer(4, low=0, high=16, doc="plates of the rear part")
    striae: int = integer(7, low=0, high=24, doc="grooves along each wing case")
    punctures: float = number(0.6, low=0.0, high=1.0, doc="how clear the pits in them are")
    split: float = number(0.0, low=0.0, high=1.0, doc="how far the wing cases stand apart behind")
    head_length: float = number(1.0, low=0.2, high=4.0, doc="of the head")
    head_width: float = number(1.0, low=0.2, high=4.0, doc="of the head")
    thorax_length: float = number(1.0, low=0.2, high=4.0, doc="of the thorax")
    thorax_width: float = number(1.0, low=0.2, high=4.0, doc="of the thorax")
    gaster_length: float = number(1.0, low=0.2, high=4.0, doc="of the rear part")
    gaster_width: float = number(1.0, low=0.2, high=4.0, doc="of the rear part")
    leg_width: float = number(1.0, low=0.1, high=5.0, doc="thickness of legs")
    antenna_width: float = number(1.0, low=0.1, high=5.0, doc="thickness of antennae")
    jaw_size: float = number(1.0, low=0.0, high=6.0, doc="of the jaws; 3 are antlers")
    eye_size: float = number(1.0, low=0.0, high=4.0, doc="of the eyes")

    @property
    def whole_colour(self) -> tuple[float, float, float]:
        """What colour an animal has on the whole, see `family_looks`."""
        return self.gaster

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


Shell = parameter_columns("Shell", ShellSpec, __name__)


class ShellPool(Pool):
    """One row per insect, aligned with `CreaturePool`."""

    aligned = True

    parameters = column(np.float64, len(Shell), holds=ParametersOf(ShellSpec), fixed=True)
    colors = column(np.float32, len(COLOURS), 3, holds=Within(0.0, 1.0), fixed=True)  # display red, green, blue


class ShellHandle(LookHandle):
    """How one insect looks.

    Example::

        ant.shell.style            # "ant"
        ant.shell.color("head")
    """

    __slots__ = ()

    colours = COLOURS

    @property
    def style(self) -> str:
        """The name of its build."""
        return self._choice(Shell.STYLE, BUILDS)


def fill_shell(birth: Birth, spec: ShellSpec, pool: ShellPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    write_shell(pool, rows.start, spec)


def renew_shell(creature: Creature, spec: ShellSpec, pool: ShellPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Looks of the species."""
    write_shell(pool, rows.start, spec)


def write_shell(pool: ShellPool, row: int, spec: ShellSpec) -> None:
    """Update the looks of one animal."""
    pool.parameters[row] = parameter_row(spec)
    pool.colors[row] = colours_of(spec, COLOURS)
