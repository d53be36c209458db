"""How myriapods are drawn: trunks, legs and antennae as primitives."""

from .colour_row import PALETTES, appearance_row
from .group import MyriapodGroup
from .herd import STYLE_CENTIPEDE, STYLE_MILLIPEDE, STYLE_ROBOT, STYLE_SMOOTH
from .painter import MyriapodPainter

__all__ = [
    "PALETTES",
    "STYLE_CENTIPEDE",
    "STYLE_MILLIPEDE",
    "STYLE_ROBOT",
    "STYLE_SMOOTH",
    "MyriapodGroup",
    "MyriapodPainter",
    "appearance_row",
]
