"""The frame of a segment, and points and directions in it and in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...engine.kernel import kernel
from ...engine.records import record
from ...engine.turn_kernel import axes_of_quaternion

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Vector


@record
class Frame(NamedTuple):
    """Where a segment is and how it is turned: its centre, then its axes forward, left and up in world coordinates."""

    x: float
    y: float
    z: float
    fx: float
    fy: float
    fz: float
    lx: float
    ly: float
    lz: float
    ux: float
    uy: float
    uz: float


@kernel()
def segment_frame(position: Array, orientation: Array, row: int) -> Frame:
    """Return the frame of a segment from its position and unit quaternion (wxyz)."""
    (fx, fy, fz), (lx, ly, lz), (ux, uy, uz) = axes_of_quaternion(
        orientation[row, 0], orientation[row, 1], orientation[row, 2], orientation[row, 3])  # fmt: skip
    return Frame(position[row, 0], position[row, 1], position[row, 2], fx, fy, fz, lx, ly, lz, ux, uy, uz)


@kernel()
def to_world(frame: Frame, x: float, y: float, z: float) -> Vector:
    """Return the world coordinates of a point of the body frame."""
    return (
        frame.x + x * frame.fx + y * frame.lx + z * frame.ux,
        frame.y + x * frame.fy + y * frame.ly + z * frame.uy,
        frame.z + x * frame.fz + y * frame.lz + z * frame.uz,
    )


@kernel()
def to_body(frame: Frame, x: float, y: float, z: float) -> Vector:
    """Return the body coordinates of a point of the world."""
    return turn_to_body(frame, x - frame.x, y - frame.y, z - frame.z)


@kernel()
def turn_to_body(frame: Frame, x: float, y: float, z: float) -> Vector:
    """Return the body components of a world vector."""
    return (
        x * frame.fx + y * frame.fy + z * frame.fz,
        x * frame.lx + y * frame.ly + z * frame.lz,
        x * frame.ux + y * frame.uy + z * frame.uz,
    )
