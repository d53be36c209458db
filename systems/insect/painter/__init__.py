"""How insects are drawn: glossy parts, jointed legs, antennae and jaws, and what they carry."""

from .insect_group import InsectGroup
from .insect_painter import InsectPainter, add_painter
from .shell_looks import LOOK_FIELDS, shell_looks

__all__ = ["LOOK_FIELDS", "InsectGroup", "InsectPainter", "add_painter", "shell_looks"]
