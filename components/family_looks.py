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
from typing import Any, Protocol, runtime_checkable

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
