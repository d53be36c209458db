"""Single boxes in water, and forces read from one short moment."""

from __future__ import annotations

import numpy as np

from paludarium.components.myriapod.construction.anatomy import rigid_properties
from paludarium.components.myriapod.construction.lattice import FREE_MASSES
from paludarium.tests.body.bodies import Bodies, advance, allocate

DEEP = 1e3  # units of water above
MOMENT = 1e-7  # seconds: so short that velocities hardly change, and forces are momentum over time


def box(half, density=1.0, substeps=1) -> Bodies:
    """A box at rest at the origin, deep under water, without gravity."""
    columns = allocate(1, 1, 0)
    columns.half_extents[0] = half
    columns.mass[0], columns.center_of_mass[0], columns.inertia[0] = rigid_properties(half, density)
    columns.inverse_inertia[0] = np.linalg.inv(columns.inertia[0])
    columns.segment_count[0], columns.substeps[0] = 1, substeps
    columns.water_level[0] = DEEP
    return columns


def undamp(columns):
    """Tissue without damping, whose inverse would depend on the length of a substep."""
    columns.elastic[:, 3] = 0.0
    columns.damping_inverse[0] = np.diag(1.0 / FREE_MASSES)


def moment_force(columns):
    """Force on the only segment, from its change of velocity over one moment."""
    before = columns.velocity[0].copy()
    advance(columns, tick=MOMENT)
    return (columns.velocity[0] - before) * columns.mass[0] / MOMENT
