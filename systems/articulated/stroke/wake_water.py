"""Water that goes along with a swimmer when its window opens: how fast, and how far around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.manoeuvres import CYCLE_FIELDS
from ....components.articulated.surrogate import Surrogate
from ..fluid.windows import carry_water
from .surge_kernel import mean_speed

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.articulated.surrogate import SurrogatePool
    from ..fluid.window_layout import FluidWindows

GLIDING = 3.0
"""Times the width while no stroke beats: jets no longer stream against the water that goes along. Best of 1 to 10 for five
of six species."""


def carry_along(windows: FluidWindows, w: int, row: int, swimmers: SwimPool, links: LinkPool, surrogates: SurrogatePool,
                manoeuvres: ManoeuvrePool) -> None:  # fmt: skip
    """Let the water of a new window go along with its swimmer, as far around it as was fitted.

    Example::

        open_window(windows, 0, [row], swimmers, links, width)
        carry_along(windows, 0, row, swimmers, links, surrogates, manoeuvres)
    """
    speed = mean_speed(row, swimmers, links, manoeuvres, np.zeros(CYCLE_FIELDS))
    effort = min(abs(float(swimmers.effort[row])), 1.0)
    width = float(surrogates.parameters[row, Surrogate.WAKE_WIDTH]) * (GLIDING + (1.0 - GLIDING) * effort)
    carry_water(windows, w, row, swimmers, links, speed, width * float(swimmers.length[row]))
