"""Colours of a swimmer as its style takes them, and points along chains of its links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .body_pieces import Guide
    from .link_skeleton import Skeleton

Array = NDArray[Any]
LEFT_RIGHT = (1.0, -1.0)


class Looks(NamedTuple):
    """Display colours, and how wet and how marked a swimmer is."""

    back: Array
    belly: Array
    marking: Array
    fin: Array
    gloss: float
    markings: float


def middles(skeleton: Skeleton, chain: Sequence[int], wide: float = 1.0, shares: Sequence[float] = (0.5,)) -> list[Guide]:
    """Guides in the middle of every link of a chain, or at other shares of its length; as thick as the link, times `wide`.

    A curve through the middles cuts the corners at the joints: rigid links look like one body that bends.
    """
    found: list[Guide] = []
    for link in chain:
        for share in shares:
            r = skeleton.radius[link, 0] + share * (skeleton.radius[link, 1] - skeleton.radius[link, 0])
            h = skeleton.height[link, 0] + share * (skeleton.height[link, 1] - skeleton.height[link, 0])
            found.append((link, -share * skeleton.length[link], 0.0, 0.0, wide * r, wide * h))
    return found


def bound(skeleton: Skeleton, link: int, at: Sequence[float], wide: float = 0.0, high: float = 0.0) -> Guide:
    """A guide on a link at a place that is given for the body at rest, in the axes of the root."""
    x, y, z = skeleton.axes[link] @ (np.array(at, dtype=np.float64) - skeleton.joint[link])
    return link, float(x), float(y), float(z), wide, high
