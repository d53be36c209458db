"""Body physics of segmented creatures: rigid boxes joined by soft blocks, in three tiers of cost.

``step_full`` is the reference (finite elements), ``step_bush`` an implicit joint model for creatures far away,
``step_follow`` moves segments with their given velocities only. All three take the same arguments.
"""

from ...components.anatomy import damping_inverse, lame, rest_nodes, rigid_properties, stable_substeps
from ...components.joint_table import joint_table
from .bush import step_bush
from .columns import BodyColumns, allocate
from .follow import step_follow
from .full import step_full
from .guard import OUT_OF_RANGE, OVERSTRETCHED, STAYED_INVERTED
from .layout import scratch_width
from .measures import block_nodes, elastic_energy, kinetic_energy, momentum
from .tissue import block_forces

__all__ = [
    "OUT_OF_RANGE",
    "OVERSTRETCHED",
    "STAYED_INVERTED",
    "BodyColumns",
    "allocate",
    "block_forces",
    "block_nodes",
    "damping_inverse",
    "elastic_energy",
    "joint_table",
    "kinetic_energy",
    "lame",
    "momentum",
    "rest_nodes",
    "rigid_properties",
    "scratch_width",
    "stable_substeps",
    "step_bush",
    "step_follow",
    "step_full",
]
