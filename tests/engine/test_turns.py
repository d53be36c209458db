"""Quaternions, axes and vectors against rotations whose matrix is known."""

import numpy as np
import pytest

from paludarium.engine.turn_kernel import axes_of_quaternion, quaternion_of_axes, write_unit_quaternion
from paludarium.engine.turns import forward_axes, headings, quaternion_of_frame, rotation_matrices, turned
from paludarium.engine.vector_kernel import cross, dot, unit

HALF_TURNS = [(0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0, 0.6, 0.0, 0.8), (0.0, 0.6, -0.8, 0.0)]


def rodrigues(axis, angle):
    """The matrix of a turn about a unit axis."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def turns():
    """(quaternion, matrix) of many turns, also of half turns and nearly half ones."""
    rng = np.random.default_rng(3)
    axes, angles = rng.normal(size=(60, 3)), np.r_[rng.uniform(-np.pi, np.pi, 40), np.pi - np.logspace(-9, -2, 20)]
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    for axis, angle in zip(axes, angles, strict=True):
        yield np.r_[np.cos(angle / 2), np.sin(angle / 2) * axis], rodrigues(axis, angle)
    for half in HALF_TURNS:
        yield np.array(half), rodrigues(half[1:], np.pi)


def same_turn(found, wanted):
    return min(np.abs(found - wanted).max(), np.abs(found + wanted).max()) < 1e-8


def test_axes_are_the_columns_of_the_matrix():
    for quaternion, matrix in turns():
        assert np.allclose(np.array(axes_of_quaternion(*quaternion)).T, matrix, atol=1e-14)
        assert np.allclose(rotation_matrices(quaternion), matrix, atol=1e-14)
        assert np.allclose(rotation_matrices(3.0 * quaternion), matrix, atol=1e-14)
        assert np.allclose(forward_axes(quaternion), matrix[:, 0], atol=1e-14)
        assert np.allclose(turned(quaternion, np.array([0.3, -2.0, 1.0])), matrix @ (0.3, -2.0, 1.0), atol=1e-13)


def by_tuples(matrix):
    return np.array(quaternion_of_axes(*(tuple(axis) for axis in matrix.T)))


def by_length(matrix):
    found = np.zeros(4)
    write_unit_quaternion(*matrix[:, 0], *matrix[:, 2], found)
    return found


@pytest.mark.parametrize("way", [by_tuples, by_length, lambda matrix: quaternion_of_frame(matrix.T)])
def test_every_way_from_axes_finds_the_quaternion(way):
    for quaternion, matrix in turns():
        found = way(matrix)
        assert same_turn(found, quaternion), (found, quaternion)
        assert abs(np.linalg.norm(found) - 1.0) < 1e-8


def test_headings_are_those_of_turns_about_the_vertical():
    angles = np.linspace(-3.0, 3.0, 13)
    quaternions = np.stack([np.cos(angles / 2), 0 * angles, 0 * angles, np.sin(angles / 2)], axis=-1)
    assert np.allclose(headings(quaternions), angles, atol=1e-14)


def test_vectors_multiply_as_in_numpy():
    rng = np.random.default_rng(5)
    for a, b in rng.normal(size=(20, 2, 3)):
        assert np.isclose(dot(tuple(a), tuple(b)), a @ b, atol=1e-14)
        assert np.allclose(cross(tuple(a), tuple(b)), np.cross(a, b), atol=1e-14)
        assert np.allclose(unit(tuple(a), (0.0, 0.0, 1.0)), a / np.linalg.norm(a), atol=1e-14)
    assert unit((0.0, 1e-13, 0.0), (0.0, 0.0, 1.0)) == (0.0, 0.0, 1.0)
