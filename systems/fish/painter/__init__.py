"""How fishes are drawn: a round body in a skin of its own, fins with rays, eyes."""

from .fish_group import FishGroup
from .fish_painter import FishPainter, add_painter
from .looks import LOOK_FIELDS, look_rows

__all__ = ["LOOK_FIELDS", "FishGroup", "FishPainter", "add_painter", "look_rows"]
