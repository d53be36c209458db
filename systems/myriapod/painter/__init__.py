"""How myriapods are drawn: trunks, legs and antennae as primitives."""

from .group import MyriapodGroup
from .herd import STYLE_CENTIPEDE, STYLE_MILLIPEDE, STYLE_ROBOT, STYLE_SMOOTH
from .painter import MyriapodPainter

__all__ = [
    "STYLE_CENTIPEDE",
    "STYLE_MILLIPEDE",
    "STYLE_ROBOT",
    "STYLE_SMOOTH",
    "MyriapodGroup",
    "MyriapodPainter",
]
