"""Antennae without the links they do not have."""

# mypy: ignore-errors
from __future__ import annotations

from math import nan

from ....engine.kernel import kernel


@kernel()
def copy_antennae(parameters, link_count, points, copied):
    """Update copied from the points of all antennae, NaN beyond their last links; link_count: a column of parameters."""
    for k in range(copied.shape[0]):
        for side in range(copied.shape[1]):
            for joint in range(copied.shape[2]):
                for axis in range(3):
                    beyond = joint > parameters[k, link_count]
                    copied[k, side, joint, axis] = nan if beyond else points[k, side, joint, axis]
