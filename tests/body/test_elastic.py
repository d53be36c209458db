"""Elastic forces of a block against the reference implementation."""

import numpy as np
import pytest

from paludarium.components.myriapod.construction.anatomy import largest_frequency
from paludarium.components.myriapod.construction.lattice import TETRAHEDRA, UNIT_DAMPING, UNIT_MASSES
from paludarium.lab.myriapod.substeps import stable_substeps
from paludarium.tests.body import oracles
from paludarium.tests.body.bodies import LAM, MU, TICK
from paludarium.tests.body.lone_block import block_forces
from paludarium.tests.body.measures import rest_shape

SIZES = [(1.0, 1.0, 1.0), (0.7, 1.3, 0.9)]
LENGTHS = [(1.0, 1.0, 1.0, 1.0), (0.5, 1.0, 1.0, 1.0), (0.6, 0.9, 1.2, 0.7)]


def disturbed_nodes(size, amplitude, seed=3):
    return oracles.LATTICE * np.array(size) + amplitude * np.random.default_rng(seed).normal(size=(27, 3))


def test_lattice_is_the_alternating_five_tetrahedron_split():
    ours = {tuple(sorted(tet)) for tet in TETRAHEDRA}
    assert ours == {tuple(sorted(tet)) for tet in oracles.TETRAHEDRA}
    assert len(ours) == 40


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_lattice_is_its_own_mirror_image(axis):
    grid = np.arange(27).reshape(3, 3, 3)
    mirror = np.flip(grid, axis).ravel()
    assert {tuple(sorted(mirror[tet])) for tet in TETRAHEDRA} == {tuple(sorted(tet)) for tet in TETRAHEDRA}


def test_masses_and_damping_agree_with_the_reference():
    masses, damping = oracles.masses_and_damping((1, 1, 1), 1.0, 1.0)
    np.testing.assert_allclose(UNIT_MASSES, masses, atol=1e-15)
    np.testing.assert_allclose(UNIT_DAMPING, damping, atol=1e-15)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_rest_shape_agrees_with_the_reference(lengths):
    ours = rest_shape(np.array(SIZES[1]), np.array(lengths))
    np.testing.assert_allclose(ours, oracles.rest_positions(SIZES[1], lengths))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("amplitude", [0.05, 0.3])
def test_forces_agree_with_the_svd_reference_also_for_inverted_elements(size, lengths, amplitude):
    nodes = disturbed_nodes(size, amplitude)
    expected = oracles.elastic_forces(nodes, oracles.rest_positions(size, lengths), MU, LAM)
    forces, determinants = block_forces(nodes, size, MU, LAM, lengths)
    assert (determinants < 0).any() == (amplitude > 0.2)
    np.testing.assert_allclose(forces, expected, atol=1e-8 * np.abs(expected).max())


def test_forces_agree_in_single_precision():
    nodes = disturbed_nodes((1, 1, 1), 0.1)
    single, _ = block_forces(nodes, (1, 1, 1), MU, LAM, dtype=np.float32)
    double, _ = block_forces(nodes, (1, 1, 1), MU, LAM)
    assert 0 < np.abs(single - double).max() < 3e-6 * np.abs(double).max()


def test_forces_vanish_at_rest_and_under_rigid_motion():
    turn = oracles.matrix_of(oracles.turned((1, 0, 0, 0), np.array([0.4, -2.1, 0.9])))
    forces, determinants = block_forces(oracles.LATTICE @ turn.T + 3.0, (1, 1, 1), MU, LAM)
    np.testing.assert_allclose(forces, 0.0, atol=1e-9)
    np.testing.assert_allclose(determinants, 1.0, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("nodes", [np.zeros((27, 3)), oracles.LATTICE * [1, 1, 0], oracles.LATTICE * [0, 0, 1]])
def test_forces_stay_finite_when_the_block_is_a_point_a_sheet_or_a_line(nodes, dtype):
    forces, _ = block_forces(nodes, (1, 1, 1), MU, LAM, dtype=dtype)
    assert np.isfinite(forces).all()


@pytest.mark.parametrize(("stretches", "seed"), [((1.1, 0.9, 0.55), 1), ((1.1, 0.9, -0.5), 2), ((1.2, 0.52, -0.5), 3)])
def test_uniform_deformation_gives_the_stress_of_its_gradient_near_degeneracy_too(stretches, seed):
    rng = np.random.default_rng(seed)
    u, v = (np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(2))
    u, v = u * np.linalg.det(u), v * np.linalg.det(v)
    gradient = u @ np.diag(stretches) @ v.T
    nodes = oracles.LATTICE @ gradient.T
    expected = oracles.elastic_forces(nodes, oracles.LATTICE, MU, LAM)
    np.testing.assert_allclose(block_forces(nodes, (1, 1, 1), MU, LAM)[0], expected, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize(("length", "study"), [(1.0, 582.0), (0.75, 516.0), (0.5, 559.0), (0.3, 707.0), (0.2, 860.0)])
def test_largest_frequency_is_that_of_the_numerics_study(length, study):
    # the study moves two half-mass frames too, which matters for short blocks only: ours is up to 3.1 % lower there
    ours = largest_frequency((1, 1, 1), MU, LAM, 1.0, length)
    assert 0.965 * study < ours < 1.001 * study


def test_substeps_are_ten_for_unit_blocks_and_scale_with_size_and_stiffness():
    unit = stable_substeps([(1, 1, 1)], [(MU, LAM, 1, 50)], 0.5, TICK)
    assert unit == 10
    assert stable_substeps([(0.5, 0.5, 0.5)], [(MU, LAM, 1, 50)], 0.5, TICK) == 20
    assert stable_substeps([(1, 1, 1)], [(4 * MU, 4 * LAM, 1, 50)], 0.5, TICK) == 20
    assert stable_substeps([(1, 1, 1)] * 2, [(MU, LAM, 1, 50), (MU, LAM, 4, 50)], 0.5, TICK) == 10
    assert stable_substeps(np.zeros((0, 3)), np.zeros((0, 4)), 0.5, TICK) == 1
