"""Antennae, smell and the look ahead of walking animals: compiled kernels and the parameters they read."""

from ...components.antennae import Sense
from ..spatial_index.solids import SolidField, SolidKind, box, hash_solids, no_solids, pillar, sphere, stack_solids

__all__ = [
    "Sense",
    "SolidField",
    "SolidKind",
    "box",
    "hash_solids",
    "no_solids",
    "pillar",
    "sphere",
    "stack_solids",
]
