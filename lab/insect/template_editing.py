"""Another stance for an ant, foot by foot, within what its legs allow. [Guo15 4.2.1]"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...engine.errors import PaludariumError
from .ant_leg_kernel import FINE, angles_of
from .ant_model import TOP_SPEED, AntModel

JOINT_RANGE = 0.9
"""rad to each side of the rest pose; not printed."""


class TemplateError(PaludariumError):
    """A foot cannot stand there; the message says why."""


def extreme_positions(ant: AntModel, pair: int) -> tuple[float, float]:
    """How far forward and back a foot may stand, mm along x: a quarter of the longest stride to each side of its template.

    The source has the whole stride between the two, which neither fore nor middle legs reach.
    """
    quarter = 0.25 * (ant.stride + ant.stride_time * TOP_SPEED)
    return ant.feet[pair][0] + quarter, ant.feet[pair][0] - quarter


def move_foot(ant: AntModel, pair: int, x: float, y: float) -> AntModel:
    """The ant whose fore, middle or hind feet (0, 1, 2) stand at (x, +-y) mm.

    Example::

        wide = move_foot(AntModel(), 1, -0.1, 3.0)      # middle feet further out
    """
    front, back = extreme_positions(ant, pair)
    if not back <= x <= front:
        raise TemplateError(f"x = {x:g}: allowed is {back:.3g} to {front:.3g} mm, the extreme positions of this leg")
    links = (ant.coxa, ant.femur[pair], ant.lower[pair])
    hip = np.array(ant.hips[pair])
    rest_x, rest_y = np.array(ant.feet[pair]) - hip
    rest = angles_of(rest_x, rest_y, -ant.height, 1.0, *links)
    found = angles_of(x - hip[0], y - hip[1], -ant.height, 1.0, *links)
    if found[3] != FINE:
        raise TemplateError(f"({x:g}, {y:g}): the leg does not reach there")
    bend = float(np.abs(np.array(found[:3]) - rest[:3]).max())
    if bend > JOINT_RANGE:
        raise TemplateError(f"({x:g}, {y:g}): a joint would turn by {bend:.2f} rad, allowed are {JOINT_RANGE:g}")
    feet = tuple((x, y) if k == pair else foot for k, foot in enumerate(ant.feet))
    return replace(ant, feet=feet)
