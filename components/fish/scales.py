"""How a fish looks: colours and pattern of its skin, shapes of its fins, eyes. Read by the picture and by exports only."""

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

PATTERNS = ("plain", "bars", "stripes", "spots", "koi", "band", "saddle", "palette")
TAILS = ("forked", "lunate", "straight", "rounded", "veil")
STROKES = ("flap", "oar")
COLOURS = ("back", "flank", "belly", "bar", "edge", "fin", "eye")


@dataclass(frozen=True)
class ScalesSpec:
    """The ``[scales]`` table. Colours are display colours; 1.0 is the proportion of the default fish."""

    pattern: str = choice("plain", *PATTERNS, doc="plain; bars across, stripes along; spots; koi, patches of two colours; "
                          "band, over the eyes and before the tail; saddle, marks over the back; palette, a hook on flanks")
    back: tuple[float, float, float] = color("#3E5C68", doc="back")
    flank: tuple[float, float, float] = color("#A9C0C6", doc="sides")
    belly: tuple[float, float, float] = color("#E4ECEC", doc="belly")
    bar: tuple[float, float, float] = color("#28424E", doc="bars, stripes, spots, patches")
    edge: tuple[float, float, float] = color("#10181C", doc="margin of bars, second kind of patches")
    fin: tuple[float, float, float] = color("#9FB4B4", doc="fins")
    eye: tuple[float, float, float] = color("#D9B23C", doc="ring of the eye")
    bars: int = integer(3, low=0, high=24, doc="how many bars, stripes or rows of spots")
    cover: float = number(0.5, low=0.0, high=1.0, doc="share of the skin that the pattern covers")
    shading: float = number(0.7, low=0.0, high=1.0, doc="how much the back is darker and the belly paler than the sides")
    gloss: float = number(0.6, low=0.0, high=2.0, doc="shine of the skin")
    silver: float = number(0.5, low=0.0, high=1.0, doc="shine of the flanks beyond that of the back")
    scale_marks: float = number(0.6, low=0.0, high=1.0, doc="how clearly single scales are seen from near")
    width: float = number(1.0, low=0.3, high=3.0, doc="drawn width of the body")
    height: float = number(1.0, low=0.3, high=3.0, doc="drawn height of the body")
    snout: float = number(1.0, low=0.3, high=2.0, doc="how pointed the snout is: 1 round, more is pointed, less is blunt")
    translucency: float = number(0.45, low=0.0, high=0.95, doc="of the fins")
    tail: str = choice("forked", *TAILS, doc="outline of the tail fin")
    tail_length: float = number(1.0, low=0.1, high=4.0, doc="of the tail fin")
    tail_spread: float = number(1.0, low=0.1, high=4.0, doc="how far its lobes lean apart, seen from above")
    dorsal: float = number(1.0, low=0.0, high=4.0, doc="height of the fin on the back")
    pectorals: float = number(1.0, low=0.0, high=4.0, doc="length of the fins on the breast")
    stroke: str = choice("flap", *STROKES, doc="how they beat: up and down, or like oars")
    eye_size: float = number(1.0, low=0.0, high=3.0, doc="of the eyes")

    @property
    def whole_colour(self) -> tuple[float, float, float]:
        """What colour an animal has on the whole, see `family_looks`."""
        return self.flank

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


Scales = parameter_columns("Scales", ScalesSpec, __name__)


class ScalesPool(Pool):
    """One row per fish, aligned with `CreaturePool`. What differs from one to the next follows from its serial number."""

    aligned = True

    parameters = column(np.float64, len(Scales), holds=ParametersOf(ScalesSpec), fixed=True)
    colors = column(np.float32, len(COLOURS), 3, holds=Within(0.0, 1.0), fixed=True)  # display red, green, blue


class ScalesHandle(LookHandle):
    """How one fish looks.

    Example::

        fish.scales.pattern        # "koi"
        fish.scales.color("back")
    """

    __slots__ = ()

    colours = COLOURS

    @property
    def pattern(self) -> str:
        """The name of its pattern."""
        return self._choice(Scales.PATTERN, PATTERNS)


def fill_scales(birth: Birth, spec: ScalesSpec, pool: ScalesPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    write_scales(pool, rows.start, spec)


def renew_scales(creature: Creature, spec: ScalesSpec, pool: ScalesPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Looks of the species."""
    write_scales(pool, rows.start, spec)


def write_scales(pool: ScalesPool, row: int, spec: ScalesSpec) -> None:
    """Update the looks of one animal."""
    pool.parameters[row] = parameter_row(spec)
    pool.colors[row] = colours_of(spec, COLOURS)
