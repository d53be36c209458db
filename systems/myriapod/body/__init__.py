"""Body physics of segmented creatures: rigid boxes joined by soft blocks, in three tiers of cost.

``step_full`` is the reference (finite elements), ``step_bush`` an implicit joint model for creatures far away,
``step_follow`` moves segments with their given velocities only. All three take the same arguments.
"""

from ....components.myriapod.construction.anatomy import damping_inverse, lame, rest_nodes, rigid_properties, stable_substeps
from ....components.myriapod.construction.joint_table import joint_table
from .body_columns import BodyColumns, allocate
from .follow_tier_kernel import step_follow
from .full_tier_kernel import step_full
from .inversion_guard_kernel import OUT_OF_RANGE, OVERSTRETCHED, STAYED_INVERTED
from .joint_tier_kernel import step_bush
from .measures import block_nodes, elastic_energy, kinetic_energy, momentum
from .scratch_layout import scratch_width
from .tissue_forces_kernel import block_forces

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
