"""The pose of a segment as twelve numbers: centre, then the body's x, y and z axis in world coordinates."""

# mypy: ignore-errors
from __future__ import annotations

from ...engine.kernel import kernel
from ...engine.turn_kernel import axes_of_quaternion


@kernel()
def segment_frame(position, orientation, row):
    """Return (centre, x axis, y axis, z axis) of a segment, flat, from its position and unit quaternion (wxyz)."""
    (fx, fy, fz), (lx, ly, lz), (ux, uy, uz) = axes_of_quaternion(
        orientation[row, 0], orientation[row, 1], orientation[row, 2], orientation[row, 3])  # fmt: skip
    return position[row, 0], position[row, 1], position[row, 2], fx, fy, fz, lx, ly, lz, ux, uy, uz


@kernel()
def to_world(frame, x, y, z):
    """Return the world coordinates of a point of the body frame."""
    return (
        frame[0] + x * frame[3] + y * frame[6] + z * frame[9],
        frame[1] + x * frame[4] + y * frame[7] + z * frame[10],
        frame[2] + x * frame[5] + y * frame[8] + z * frame[11],
    )


@kernel()
def to_body(frame, x, y, z):
    """Return the body coordinates of a point of the world."""
    return turn_to_body(frame, x - frame[0], y - frame[1], z - frame[2])


@kernel()
def turn_to_body(frame, x, y, z):
    """Return the body components of a world vector."""
    return (
        x * frame[3] + y * frame[4] + z * frame[5],
        x * frame[6] + y * frame[7] + z * frame[8],
        x * frame[9] + y * frame[10] + z * frame[11],
    )
