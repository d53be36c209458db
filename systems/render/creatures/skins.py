"""Skins: small pictures of what lies round a body, which the rasteriser wraps round it.

A skin runs SKIN_LENGTH texels along the body from the nose to the tail, and SKIN_ROUND of them round it: from the left flank
over the back, the right flank and the belly. Places round a body are `diamond` angles, which take no arc functions. A texel
is one number of four bytes: shine, red, green, blue, the colours as displayed. After the finest picture come ever smaller
ones for bodies that are seen from afar.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

SKIN_LENGTH, SKIN_ROUND = 128, 64  # texels; powers of two
SKIN_LEVELS = 4  # each half as large as the one before
SKIN_TEXELS = sum((SKIN_LENGTH >> level) * (SKIN_ROUND >> level) for level in range(SKIN_LEVELS))
FIRST_ROOM, MOST_SKINS = 16, 512
FLAT_SKIN = 8
"""Added to the level of a loft whose skin lies on its back alone, from the left flank to the right: twice as fine there."""

Array = NDArray[Any]


def diamond(cosine: Array, sine: Array) -> Array:
    """The place of a direction round a body, 0 to 4: 0 is left, 1 up, 2 right, 3 down; as steady as an angle, but cheap.

    Example::

        diamond(np.cos(angle), np.sin(angle))
    """
    part = cosine / np.maximum(np.abs(cosine) + np.abs(sine), 1e-9)
    return np.where(sine >= 0.0, 1.0 - part, 3.0 + part)


def skin_places() -> tuple[Array, Array, Array]:
    """For the texels of a skin: how far along the body (0 to 1), and cosine and sine of the angle round it.

    Example::

        along, cosine, sine = skin_places()         # each broadcasts to (SKIN_LENGTH, SKIN_ROUND)
    """
    along = (np.arange(SKIN_LENGTH) + 0.5)[:, None] / SKIN_LENGTH
    place = (np.arange(SKIN_ROUND) + 0.5)[None, :] * 4.0 / SKIN_ROUND
    part = np.where(place < 2.0, 1.0 - place, place - 3.0)
    rest = np.where(place < 2.0, 1.0, -1.0) * (1.0 - np.abs(part))
    size = np.hypot(part, rest)
    return along, part / size, rest / size


def flat_places() -> tuple[Array, Array]:
    """For the texels of a flat skin: how far along the body (0 to 1), and how far to the left (1) or right (-1).

    Example::

        along, across = flat_places()               # each broadcasts to (SKIN_LENGTH, SKIN_ROUND)
    """
    along = (np.arange(SKIN_LENGTH) + 0.5)[:, None] / SKIN_LENGTH
    part = 1.0 - (np.arange(SKIN_ROUND) + 0.5)[None, :] * 2.0 / SKIN_ROUND
    return along, part / np.hypot(part, 1.0 - np.abs(part))


def packed_skin(colour: Array, shine: Array) -> Array:
    """A skin from display colours (SKIN_LENGTH, SKIN_ROUND, 3) and shine, both 0 to 1."""
    both = np.concatenate([np.broadcast_to(shine, colour.shape[:2])[..., None], colour], axis=-1)
    texels = []
    for _ in range(SKIN_LEVELS):
        bytes_ = np.rint(np.clip(both, 0.0, 1.0) * 255.0).astype(np.uint32)
        texels.append((bytes_[..., 0] << 24 | bytes_[..., 1] << 16 | bytes_[..., 2] << 8 | bytes_[..., 3]).ravel())
        both = 0.25 * (both[::2, ::2] + both[1::2, ::2] + both[::2, 1::2] + both[1::2, 1::2])
    return np.concatenate(texels).astype(np.uint32)


class SkinShelf:
    """Skins that are in use, found by what they were made from; those that nobody asked for longest make room.

    Example::

        place = SHELF.place(("bars", 7), lambda: packed_skin(colour, shine))
    """

    def __init__(self) -> None:
        self.texels: NDArray[np.uint32] = np.zeros((FIRST_ROOM, SKIN_TEXELS), dtype=np.uint32)
        self._places: dict[Hashable, int] = {}

    def place(self, key: Hashable, make: Callable[[], Array]) -> int:
        """Where a skin stands; it is made if it does not stand there yet."""
        found = self._places.pop(key, None)
        if found is None:
            found = self._room()
            self.texels[found] = make()
        self._places[key] = found  # the last one that was asked for
        return found

    def _room(self) -> int:
        used = len(self._places)
        if used == MOST_SKINS:
            return self._places.pop(next(iter(self._places)))
        if used == len(self.texels):
            grown = np.zeros((2 * used, SKIN_TEXELS), dtype=np.uint32)
            grown[:used] = self.texels
            self.texels = grown  # pictures that are being painted go on with the old ones
        return used


SHELF = SkinShelf()
"""The skins of all worlds."""
