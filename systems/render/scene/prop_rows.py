"""Columns of the rows of a `Scene`: food, obstacles, footprints, fireflies and lamps, as the renderer takes them.

Places are in world units, colours linear.

Example::

    rows[:, LampRow.RADIUS] = 8.0
"""

from __future__ import annotations

from enum import IntEnum

OBSTACLE_SPHERE, OBSTACLE_CYLINDER, OBSTACLE_BOX = range(3)
"""Kinds of obstacles, in the order of `engine.props.OBSTACLE_KINDS`."""


class FoodRow(IntEnum):
    """A bunch of food: where it lies, and its size; 1 is a whole one."""

    X = 0
    Y = 1
    Z = 2
    SIZE = 3


class SolidRow(IntEnum):
    """An obstacle: its kind, its middle, its half sizes, and where it heads in plan (radians)."""

    KIND = 0
    X = 1
    Y = 2
    Z = 3
    HALF_X = 4
    HALF_Y = 5
    HALF_Z = 6
    HEADING = 7


class PrintRow(IntEnum):
    """A footprint: where it is, where the foot headed (radians), and its strength; a fresh one has 1."""

    X = 0
    Y = 1
    HEADING = 2
    STRENGTH = 3


class FireflyRow(IntEnum):
    """A firefly: where it is, and how bright, 0 to 1."""

    X = 0
    Y = 1
    Z = 2
    BRIGHTNESS = 3


class LampRow(IntEnum):
    """A light that is carried: where it is, how far it reaches, its colour and its strength."""

    X = 0
    Y = 1
    Z = 2
    RADIUS = 3
    RED = 4
    GREEN = 5
    BLUE = 6
    STRENGTH = 7
