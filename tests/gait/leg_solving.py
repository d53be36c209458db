"""Inverse kinematics of a single leg, from its links alone."""

from __future__ import annotations

from paludarium.engine.pool import Array
from paludarium.systems.legs.leg_kinematics_kernel import knee_to_tip, solve_bent_leg


def solve_leg(hip: Array, links: Array, side: float, x: float, y: float, z: float) -> tuple[int, float, float, float]:
    """(reach, theta, alpha, beta) that put the tip at (x, y, z) of the segment frame."""
    return solve_bent_leg(hip, links, knee_to_tip(links), side, x, y, z)
