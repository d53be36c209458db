"""What all looks have in common. A look is the part of a species that says how its animals appear, one per family:

============  ====================================  =========================================================
family        the look                              what is made of it for pictures and exports
============  ====================================  =========================================================
myriapods     ``[appearance]``, myriapod/           systems/myriapod/painter/colour_row.py
fishes        ``[scales]``, fish/scales.py          systems/fish/painter/looks.py, skin_patterns.py
insects       ``[shell]``, insect/shell.py          systems/insect/painter/shell_looks.py, insect_shapes_kernel.py
swimmers      ``[skin]``, articulated/skin.py       systems/articulated/painter/styles.py and a file per style
============  ====================================  =========================================================

The painter of a family, its modeller for exports and the eyes of fishes read the same look. A family of your own gives its
look a ``whole_colour``, and eyes see it in that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, runtime_checkable

from ..engine import arguments
from ..engine.pool import Pool, Rows

Colour = tuple[float, float, float]


@runtime_checkable
class Look(Protocol):
    """The table of a species that says how its animals appear."""

    @property
    def whole_colour(self) -> Colour:
        """What colour an animal has on the whole, as displayed."""
        ...


def colour_of(specs: Mapping[str, Any]) -> Colour | None:
    """What colour animals of a species have on the whole; None if it says nothing of looks.

    Example::

        colour_of(world.species["koi"].specs)
    """
    return next((spec.whole_colour for spec in specs.values() if isinstance(spec, Look)), None)


class LookHandle:
    """How one animal looks: what the handles of all families have. A family says which colours its look names, in the order
    of the column ``colors``.

    Example::

        fish.scales.color("back")
    """

    __slots__ = ("pool", "rows")

    colours: ClassVar[tuple[str, ...]]

    def __init__(self, pool: Pool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    def color(self, name: str) -> Colour:
        """A colour by name, as red, green, blue from 0 to 1."""
        place = self.colours.index(arguments.choice("color name", name, self.colours))
        red, green, blue = self.pool.view(self.rows, "colors")[0, place]
        return float(red), float(green), float(blue)

    def _choice(self, column: int, options: tuple[str, ...]) -> str:
        """The word of a choice among the parameters."""
        return options[int(self.pool.view(self.rows, "parameters")[0, column])]


def colours_of(spec: Look, names: tuple[str, ...]) -> list[Colour]:
    """The colours of a look, for its row of the column ``colors``."""
    return [getattr(spec, name) for name in names]
