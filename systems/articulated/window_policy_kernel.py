"""Who swims in which fluid window: those in full detail, as many as there are windows; who is inside another's joins it.

Decided by places and row numbers alone, so the same run gives the same windows on any machine. A window belongs to its first
member, who is kept in its middle; others are guests as long as all of them is well inside.
"""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING

from ...components.articulated.servo import MOST_WINDOWS, NO_WINDOW
from ...engine.creature import FULL
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from .fluid.window_layout import MOST_MEMBERS

if TYPE_CHECKING:
    from ...components.articulated.links import LinkPool
    from ...components.articulated.servo import SwimPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from .fluid.window_layout import WindowArrays

EDGE_IN, EDGE_OUT = 8.0, 4.0  # cells that a guest keeps from the edge, to come and to stay
WET = 0.9  # share of a body in the water
FEWEST_CELLS = 16.0  # per body length: coarser water does not know a body [swimmer 2]


@kernel(refcount=False)
def may_swim(c: int, creatures: CreaturePool, swimmers: SwimPool) -> bool:
    """Return whether a swimmer may have a window: in full detail, alive, in the water, and all of it in the plane.

    A window knows no link that is out of the water: who is partly on land has none.
    """
    return creatures.tier[c] == FULL and creatures.dead[c] == 0 and swimmers.wet[c] >= WET and swimmers.plane[c] != 0


@kernel(refcount=False)
def in_box(c: int, swimmers: SwimPool) -> bool:
    """Return whether a swimmer has a box of water in three dimensions."""
    return swimmers.window[c] >= MOST_WINDOWS


@kernel(refcount=False)
def is_inside(c: int, w: int, edge: float, swimmers: SwimPool, links: LinkPool, fluid: WindowArrays) -> bool:
    """Return whether all of a swimmer is inside a window, so many cells from its edge, and large enough for its cells."""
    cell, x0, y0 = fluid.cell[w], fluid.origin[w, 0], fluid.origin[w, 1]
    if swimmers.length[c] < FEWEST_CELLS * cell:
        return False
    x1, y1 = x0 + cell * (fluid.u.shape[2] - 2), y0 + cell * (fluid.u.shape[1] - 2)
    first = int64(swimmers.first_link[c])
    for row in range(first, first + swimmers.link_count[c]):
        for end in range(2):
            x = links.place[row, 0] - end * links.length[row] * cos(links.place[row, 2])
            y = links.place[row, 1] - end * links.length[row] * sin(links.place[row, 2])
            if not (x0 + edge * cell < x < x1 - edge * cell and y0 + edge * cell < y < y1 - edge * cell):
                return False
    return True


@kernel(refcount=False)
def leave_windows(creatures: CreaturePool, swimmers: SwimPool, links: LinkPool, fluid: WindowArrays) -> None:
    """Update members of all windows: who is gone, may not swim there any more, or has swum out, leaves."""
    for w in range(fluid.member_count.size):
        kept = 0
        for m in range(fluid.member_count[w]):
            c = fluid.members[w, m]
            if swimmers.window[c] != w:
                continue
            if not may_swim(c, creatures, swimmers) or (kept > 0 and not is_inside(c, w, EDGE_OUT, swimmers, links, fluid)):
                swimmers.window[c] = NO_WINDOW
                continue
            fluid.members[w, kept] = c
            kept += 1
        fluid.member_count[w] = kept


@kernel(refcount=False)
def find_window(c: int, swimmers: SwimPool, links: LinkPool, fluid: WindowArrays) -> int:
    """Return the first window with room that a swimmer is inside, or NO_WINDOW."""
    for w in range(fluid.member_count.size):
        count = fluid.member_count[w]
        if 0 < count < MOST_MEMBERS and is_inside(c, w, EDGE_IN, swimmers, links, fluid):
            return w
    return NO_WINDOW


@kernel(refcount=False)
def free_window(fluid: WindowArrays) -> int:
    """Return the first window without members, or NO_WINDOW."""
    for w in range(fluid.member_count.size):
        if fluid.member_count[w] == 0:
            return w
    return NO_WINDOW


@kernel(refcount=False)
def share_windows(rows: Array, creatures: CreaturePool, swimmers: SwimPool, links: LinkPool,
                  fluid: WindowArrays) -> tuple[int, int]:  # fmt: skip
    """Update who swims in which window; return the first swimmer for whom one has to be opened, and which, or NO_WINDOW."""
    leave_windows(creatures, swimmers, links, fluid)
    for r in range(rows.size):
        c = int64(rows[r])
        if swimmers.window[c] != NO_WINDOW or not may_swim(c, creatures, swimmers):
            continue
        w = find_window(c, swimmers, links, fluid)
        if w != NO_WINDOW:
            fluid.members[w, fluid.member_count[w]] = c
            fluid.member_count[w] += 1
            swimmers.window[c] = w
            continue
        w = free_window(fluid)
        if w != NO_WINDOW:
            return c, w
    return int64(NO_WINDOW), NO_WINDOW
