"""What is drawn around the links of a swimmer, by the style of its skin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....components.articulated.link_plan import plan_of
from ....components.articulated.skin import STYLES, Skin
from .accordion_style import paint_accordion
from .alien_style import paint_alien
from .body_pieces import Parts
from .eel_style import paint_eel
from .fish_style import paint_fish
from .frog_style import paint_frog
from .link_skeleton import Skeleton
from .manta_style import paint_manta
from .swimmer_looks import Looks
from .turtle_style import paint_turtle

if TYPE_CHECKING:
    from ....engine.creature import Creature

Array = NDArray[Any]
Style = Callable[[Skeleton, Looks, Parts], None]

PAINT: dict[str, Style] = {
    "eel": paint_eel, "fish": paint_fish, "turtle": paint_turtle, "frog": paint_frog, "manta": paint_manta,
    "alien": paint_alien, "accordion": paint_accordion,
}  # fmt: skip
INDIVIDUALS = 4
"""Skins per kind of swimmer."""
SPREAD = 7919
"""Prime that throws serial numbers over them."""


def skeleton_of(creature: Creature) -> Skeleton:
    """The links of a swimmer at rest."""
    return Skeleton.of_plan(plan_of(tuple(creature.species.specs["links"])))


def individual(serial: int) -> int:
    """Which of the skins of its kind a swimmer has."""
    return (serial * SPREAD) % INDIVIDUALS


def parts_of(skeleton: Skeleton, parameters: Array, colours: Array, which: int) -> tuple[Array, Array]:
    """Rows of parts and of guides for one kind of swimmer, see `part_fields`; skins that are missing are painted.

    Example::

        parts, guides = parts_of(skeleton, pool.parameters[row], pool.colors[row], 0)
    """
    own, painted = np.asarray(parameters, dtype=np.float64), np.asarray(colours, dtype=np.float64)
    back, belly, marking, fin = painted
    looks = Looks(back, belly, marking, fin, float(own[Skin.GLOSS]), float(own[Skin.MARKINGS]))
    parts = Parts((own.tobytes(), painted.tobytes(), skeleton.key(), which), which, skeleton)
    PAINT[STYLES[int(own[Skin.STYLE])]](skeleton, looks, parts)
    return np.array(parts.rows), np.concatenate(parts.guides)
