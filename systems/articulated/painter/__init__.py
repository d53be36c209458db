"""How articulated swimmers are drawn: one smooth skin around links, in the style of their kind, and the wakes they leave."""

from .articulated_group import ArticulatedGroup
from .link_skeleton import Skeleton
from .styles import parts_of
from .swimmer_painter import ArticulatedPainter, add_painter

__all__ = ["ArticulatedGroup", "ArticulatedPainter", "Skeleton", "add_painter", "parts_of"]
