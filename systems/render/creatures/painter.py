"""How a family is drawn: its painter says what moves, and makes a group of primitives of it for every frame.

The renderer knows no family. `RenderSystem` asks every painter for poses once per tick, mixes those of the last two ticks,
and hands them back for a group. A family without a painter is not drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .primitive_fields import HIGH, LAYERS
from .sheet import Sheet, View

Array = NDArray[Any]
Poses = dict[str, Array]


class Group(Protocol):
    """Creatures of one frame as plain arrays. Painted while the world goes on: it must own its arrays."""

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one; stop where the sheet ends.

        A sheet that was too small is enlarged and filled again, so the same call must do the same every time.
        """
        ...


class Painter(Protocol):
    """Draws the creatures of one family. `simple_shapes` has groups of balls and capsules that are ready to use.

    Example::

        class BallPainter:
            def __init__(self, world):
                self.pool = world.pool(BallPool)

            def poses(self):
                rows = self.pool.spans[:, 0]
                return {"position": self.pool.position[rows], "orientation": self.pool.orientation[rows]}

            def group(self, moving):
                rows = self.pool.spans[:, 0]
                return balls(moving["position"], self.pool.radius[rows], "#C8502A", creature=rows)

        world.picture.add_painter("ball", BallPainter(world))
    """

    def poses(self) -> Poses:
        """Copies of what moves. Names that end in "orientation" hold quaternions (wxyz) and are turned the short way from
        tick to tick; all else is mixed linearly.
        """
        ...

    def group(self, moving: Poses) -> Group:
        """The creatures as they are shown now. `moving` has the names of `poses`; births and deaths are the same as then."""
        ...


def _check(sheet: Sheet, n: int, end: int) -> None:
    """Refuse rows that kernels would stumble over."""
    if not n <= end <= len(sheet.prims):
        raise ValueError(f"put returned row {end}: allowed is {n} to {len(sheet.prims)}")
    if not (np.abs(sheet.prims[n:end]) <= HIGH).all():
        raise ValueError(f"put wrote numbers beyond {HIGH:g}, or NaN")
    if not ((sheet.layers[n:end] >= 0) & (sheet.layers[n:end] < LAYERS)).all():
        raise ValueError(f"put wrote layers that do not exist: allowed is 0 to {LAYERS - 1}")


@dataclass
class GuardedGroup:
    """A group of a mod: when it fails it draws nothing, and the failure is kept until the next frame is prepared."""

    group: Group
    family: str
    problem: Exception | None = None

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows as the group does, or none if it fails."""
        if self.problem is not None:
            return n
        try:
            end = int(self.group.put(sheet, n, view))
            _check(sheet, n, end)
        except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
            self.problem = problem
            return n
        return end
