"""Kinds: the species of a world as small numbers, for kernels that ask what eats what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .column_rules import Text
from .name_table import NameTable
from .pool import Pool, column

if TYPE_CHECKING:
    from .world import World

KEY_BYTES = 96
"""Longest key of a species, in UTF-8."""


class KindPool(Pool):
    """One row per species that has ever been born in this world, in that order."""

    single, packed = True, True

    name = column(np.uint8, KEY_BYTES, holds=Text())  # the species' key, padded with zeros


class Kinds(NameTable):
    """Numbers of species. They are saved with the world.

    Example::

        world.kinds.name(int(world.creature_pool.kind[row]))      # 'giant_centipede'
    """

    def __init__(self, world: World) -> None:
        super().__init__(world.add_pool(KindPool), "species")
