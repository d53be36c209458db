"""Quaternions (wxyz, body to world) and rotation matrices of many frames at once. For kernels: `turn_kernel`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

OPPOSITE = 1e-9
"""Below this 1 + cosine two directions count as opposite: any axis across them will do."""

NEARLY_HALF_A_TURN = 1e-3
"""Where the scalar part is below this, dividing by it would lose digits: the largest part is taken instead."""


def rotation_matrices(quaternions: ArrayLike) -> NDArray[np.float64]:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4) of any length."""
    q = np.asarray(quaternions, dtype=np.float64)
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    matrices: NDArray[np.float64] = np.array(rows)  # rows and columns first
    return matrices.transpose(*range(2, matrices.ndim), 0, 1)


def forward_axes(quaternions: Array) -> Array:
    """The forward axes (..., 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    return np.stack([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)], axis=-1)


def headings(quaternions: Array) -> Array:
    """The direction in plan (radians) in which bodies with these unit quaternions (..., 4) look."""
    ahead = forward_axes(quaternions)
    result: Array = np.arctan2(ahead[..., 1], ahead[..., 0])
    return result


def quaternion_of_frame(axes: Array) -> Array:
    """The quaternion of one frame whose rows are forward, left and up.

    The same turn as `turn_kernel.quaternion_of_axes` up to the last bits: births of insects and swimmers are laid by it.
    """
    m = axes.T
    w = 0.5 * np.sqrt(max(1.0 + np.trace(m), 0.0))
    if w > NEARLY_HALF_A_TURN:
        return np.array([w, (m[2, 1] - m[1, 2]) / (4 * w), (m[0, 2] - m[2, 0]) / (4 * w), (m[1, 0] - m[0, 1]) / (4 * w)])
    k = int(np.argmax(np.diag(m)))
    i, j = (k + 1) % 3, (k + 2) % 3
    part = np.zeros(4)
    part[1 + k] = 0.5 * np.sqrt(max(1.0 + m[k, k] - m[i, i] - m[j, j], 1e-12))
    part[0] = (m[j, i] - m[i, j]) / (4 * part[1 + k])
    part[1 + i], part[1 + j] = (m[i, k] + m[k, i]) / (4 * part[1 + k]), (m[j, k] + m[k, j]) / (4 * part[1 + k])
    return part


def product(left: Array, right: Array) -> Array:
    """Quaternion product: first turn right, then left."""
    scalar = left[..., :1] * right[..., :1] - np.sum(left[..., 1:] * right[..., 1:], axis=-1, keepdims=True)
    vector = left[..., :1] * right[..., 1:] + right[..., :1] * left[..., 1:] + np.cross(left[..., 1:], right[..., 1:])
    return np.concatenate([scalar, vector], axis=-1)


def inverse(turns: Array) -> Array:
    """Unit quaternions that turn back."""
    return turns * np.array([1.0, -1.0, -1.0, -1.0])


def turned(turns: Array, vectors: Array) -> Array:
    """Vectors (..., 3) turned by unit quaternions (..., 4)."""
    axis = np.broadcast_to(turns[..., 1:], np.broadcast_shapes(turns[..., 1:].shape, vectors.shape))
    twice = 2.0 * np.cross(axis, vectors)
    result: Array = vectors + turns[..., :1] * twice + np.cross(axis, twice)
    return result


def shortest(start: Array, end: Array) -> Array:
    """Unit quaternions that turn unit vectors `start` into `end` the short way."""
    start, end = np.broadcast_arrays(start, end)
    scalar = 1.0 + np.sum(start * end, axis=-1, keepdims=True)
    vector = np.cross(start, end)
    sideways = np.cross(start, np.where(np.abs(start[..., :1]) < 0.9, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    opposite = scalar < OPPOSITE
    turn = np.concatenate([np.where(opposite, 0.0, scalar), np.where(opposite, sideways, vector)], axis=-1)
    return turn / np.linalg.norm(turn, axis=-1, keepdims=True)


def small_turns(rotations: Array) -> Array:
    """Unit quaternions of rotation matrices (..., 3, 3) by less than half a turn."""
    scalar = 1.0 + np.trace(rotations, axis1=-2, axis2=-1)
    vector = [rotations[..., b, a] - rotations[..., a, b] for a, b in ((1, 2), (2, 0), (0, 1))]
    turn = np.stack([scalar, *vector], axis=-1)
    return turn / np.linalg.norm(turn, axis=-1, keepdims=True)


def best_rotations(start: Array, end: Array) -> Array:
    """Rotations (frames, 3, 3) that bring points `start` (n, 3) nearest to `end` (frames, n, 3), both about their means."""
    u, _, vt = np.linalg.svd(np.einsum("na,fnb->fab", start, end))
    handed = np.ones((len(end), 3))
    handed[:, 2] = np.sign(np.linalg.det(u) * np.linalg.det(vt))
    result: Array = np.swapaxes(vt, 1, 2) * handed[:, None] @ np.swapaxes(u, 1, 2)
    return result


def unit(vectors: Array) -> Array:
    """Vectors of length one; a vector of no length looks along x."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    result: Array = np.where(lengths > 0.0, vectors, (1.0, 0.0, 0.0)) / np.where(lengths > 0.0, lengths, 1.0)
    return result


def steady(turns: Array) -> Array:
    """The same turns frame by frame (frames, ..., 4), signs chosen so that neighbours in time are near each other."""
    flips = np.where(np.sum(turns[1:] * turns[:-1], axis=-1) < 0.0, -1.0, 1.0)
    signs = np.concatenate([np.ones((1, *flips.shape[1:])), np.cumprod(flips, axis=0)])
    result: Array = turns * signs[..., None]
    return result
