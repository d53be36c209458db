"""The brain of walking animals: modes, goals and the kernels that turn senses into head speed and yaw rate."""

from ...components.brain import Brain
from ...components.brain_modes import BrainMode, GoalKind, Memory
from .brain_view import BrainColumns, Goals, Senses
from .mode_registry import ModeRegistry, Wish

__all__ = [
    "Brain",
    "BrainColumns",
    "BrainMode",
    "GoalKind",
    "Goals",
    "Memory",
    "ModeRegistry",
    "Senses",
    "Wish",
]
