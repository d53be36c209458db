"""One try of a gait: a swimmer beats for some cycles from rest, in a window, without a grid, as recorded or in simple water.

Serial, so that many tries run beside each other in threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.link_plan import MOST_LINKS
from ....components.articulated.manoeuvres import CYCLE_FIELDS
from ....engine.kernel import kernel
from ....systems.articulated.fluid.window_kernel import step_window
from ....systems.articulated.stroke.playback_kernel import play
from ....systems.articulated.stroke.stroke_kernel import beat, write_wanted
from ....systems.articulated.stroke.surrogate_kernel import FIELDS, MOST, step_surrogate
from .overlap_kernel import MOST_CORNERS, overlap_of
from .simple_water_kernel import step_simple

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.articulated.surrogate import SurrogatePool
    from ....engine.kernel_types import Array
    from ....systems.articulated.fluid.window_layout import WindowArrays

SURROGATE, WINDOW, SIMPLE, PLAYED = range(4)
"""Waters to swim in."""
X, Y, HEADING, WORK, OVERLAP = range(5)
"""Columns of a track: the root, the heading, work of all servos so far, and the area of links in each other."""
TRACK = 5


@kernel()
def swim_trial(water: int, c: int, w: int, track: Array, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool,
               surrogates: SurrogatePool, manoeuvres: ManoeuvrePool, dt: float, tolerance: float) -> bool:  # fmt: skip
    """Update one swimmer over as many ticks as `track` has rows, and these; return whether the water went along with it."""
    frame, matrix = np.empty((MOST_LINKS, FIELDS)), np.empty((MOST, MOST))
    vectors, marks, polygons = np.empty((4, MOST)), np.empty((3, MOST_LINKS)), np.empty((4, MOST_CORNERS, 2))
    cycle = np.empty((2, CYCLE_FIELDS))
    for i in range(track.shape[0]):
        beat(c, swimmers, manoeuvres, dt)
        write_wanted(c, swimmers, links, manoeuvres)
        if water == WINDOW:
            if not step_window(w, fluid, swimmers, links, dt, tolerance):
                return False
        elif water == SIMPLE:
            step_simple(c, swimmers, links, frame, matrix, vectors, dt)
        elif water == PLAYED:
            play(c, swimmers, links, surrogates, manoeuvres, frame, cycle, dt)
        else:
            step_surrogate(c, swimmers, links, surrogates, manoeuvres, frame, matrix, vectors, marks, cycle, dt)
        track[i, X], track[i, Y] = swimmers.root[c, 0], swimmers.root[c, 1]
        track[i, HEADING], track[i, WORK] = swimmers.heading[c], swimmers.work[c]
        track[i, OVERLAP] = overlap_of(c, swimmers, links, polygons)
    return True
