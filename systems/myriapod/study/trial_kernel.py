"""One swimmer for many ticks, without Python in between: what a sweep spends its time in."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from ....engine.kernel import kernel
from ..body.full_tier_kernel import step_one_full
from ..swim.muscle_kernel import drive_one
from ..swim.stiffness_kernel import stiffen_one

CENTER, POWER = 0, 3
"""Columns of a trace: x, y, z of the mean of the segment centres, work against the water per second."""
TRACE_COLUMNS = 4


@kernel()
def trace_tick(c, first_segment, segment_count, position, water_power, trace, at):
    """Update row `at` of a trace from where creature `c` is and what it spends."""
    first, count = first_segment[c], segment_count[c]
    for d in range(3):
        total = 0.0
        for i in range(first, first + count):
            total += position[i, d]
        trace[at, CENTER + d] = total / count
    trace[at, POWER] = water_power[c]


@kernel(nogil=True)
def swim_ticks(
    still, parameters, lame, line, command, drive, strength, swimming, submerged, phase, amplitude, blend,
    first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
    position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia,
    kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b, anchor_a, anchor_b, size, elastic,
    joint, lengths_before, lengths, node_position, node_velocity, disturbed, water_level,
    water_velocity, water_power, contact, dt, scratch, trace,
):  # fmt: skip
    """Update all state of creature 0 and its trace over as many ticks as the trace has rows.

    The first line of arguments are those of the muscles, then come the columns of :class:`BodyColumns`. It lets go of the
    interpreter, so that threads measure one swimmer each.
    """
    for tick in range(trace.shape[0]):
        for block in range(lengths.shape[0]):
            for side in range(4):
                lengths_before[block, side] = lengths[block, side]
        drive_one(
            0, still, first_segment, segment_count, kinematic, parameters, line, command, drive, strength, swimming,
            first_block, block_count, segment_a, segment_b, submerged, phase, amplitude, blend, lengths, dt,
        )  # fmt: skip
        stiffen_one(parameters[0], lame[0], first_block[0], block_count[0], lengths, elastic)
        step_one_full(
            0, first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
            position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia,
            inverse_inertia, kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b, anchor_a,
            anchor_b, size, elastic, joint, lengths_before, lengths, node_position, node_velocity, disturbed, water_level,
            water_velocity, water_power, contact, dt, scratch,
        )  # fmt: skip
        trace_tick(0, first_segment, segment_count, position, water_power, trace, tick)
