"""Checks C1-C10 of the myriapod digest: elasticity, rigid bodies, coupling."""

import numpy as np
import pytest

from paludarium import World
from paludarium.components.body import BodyPool
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.construction.anatomy import face_points
from paludarium.components.myriapod.construction.assembly import settle_tissue
from paludarium.components.myriapod.construction.lattice import UNIT_DAMPING, UNIT_MASSES
from paludarium.components.myriapod.tissue import TissuePool, TissueSpec
from paludarium.components.segments import SegmentPool
from paludarium.engine.turns import rotation_matrices
from paludarium.systems.myriapod.body.scratch_layout import BLK_X, BLOCK_STRIDE, SEGMENT_STRIDE, scratch_width
from paludarium.tests.body import oracles
from paludarium.tests.body.bodies import (
    GAMMA,
    LAM,
    MU,
    Bodies,
    advance,
    chain,
    hanging_chain,
    settle_nodes,
)
from paludarium.tests.body.lone_block import block_forces
from paludarium.tests.body.measures import block_nodes, kinetic_energy, momentum
from paludarium.tests.reproduction.criteria import criterion

GRAVITY = 9.8


@pytest.mark.parametrize("inverted", [False, True])
def test_c01_stress_is_the_derivative_of_the_energy_and_force_of_minus_the_energy(inverted, record_property):
    """Reported: P is the derivative of Psi (T eq A.7-A.18). Proposed: relative error below 1e-5, also for det F < 0."""
    rng = np.random.default_rng(5)
    h, worst = 1e-6, 0.0
    for _ in range(20):
        gradient = np.eye(3) + 0.3 * rng.normal(size=(3, 3))
        if (np.linalg.det(gradient) < 0) != inverted:
            gradient[:, 0] *= -1.0
        nodes = oracles.LATTICE @ gradient.T
        change = rng.normal(size=(3, 3))
        ahead, behind = (oracles.energy_density(gradient + step * change, MU, LAM) for step in (h, -h))
        numeric = (ahead - behind) / (2 * h)
        worst = max(worst, abs(np.sum(oracles.piola(gradient, MU, LAM) * change) / numeric - 1.0))
        # the unit block is deformed uniformly, so its energy is the density: force . dx = -dE
        forces, determinants = block_forces(nodes, (1, 1, 1), MU, LAM)
        assert ((determinants < 0) == inverted).all()
        worst = max(worst, abs(np.sum(forces * (oracles.LATTICE @ change.T)) / -numeric - 1.0))
    record_property("largest relative error", worst)
    assert worst < 1e-5


def test_c02_elastic_and_damping_forces_are_internal(record_property):
    """Reported: forces internal. Proposed: sums of f and x cross f below 1e-9 (elastic), sum of f (damping)."""
    rng = np.random.default_rng(6)
    force = torque = 0.0
    for amplitude in (0.05, 0.3):
        nodes = oracles.LATTICE + amplitude * rng.normal(size=(27, 3))
        forces, _ = block_forces(nodes, (1, 1, 1), MU, LAM)
        force = max(force, np.abs(forces.sum(axis=0)).max())
        torque = max(torque, np.abs(np.cross(nodes, forces).sum(axis=0)).max())
    damping = GAMMA * UNIT_DAMPING @ rng.normal(size=(27, 3))
    drag = np.abs(damping.sum(axis=0)).max()
    record_property("sum of forces, of torques, of damping", [f"{value:.1g}" for value in (force, torque, drag)])
    assert max(force, torque, drag) < 1e-9


def test_c03_lame_numbers_of_the_source(record_property):
    """Reported: E = 4000, nu = 0.4. By them mu = 1428.57 and lambda = 5714.29."""
    found = TissueSpec(young_modulus=4000.0, poisson_ratio=0.4).lame
    record_property("mu, lambda", [round(value, 2) for value in found])
    np.testing.assert_allclose(found, (1428.57, 5714.29), atol=0.005)


def test_c04_masses_add_up_to_the_block(record_property):
    """Reported: lumped masses (A.22). Proposed: sum equals rho times volume to 1e-12; here also for a whole body."""
    assert UNIT_MASSES.sum() == pytest.approx(1.0, abs=1e-12)
    columns = chain(5)
    columns.velocity[:, 0] = 1.0
    settle_nodes(columns)
    record_property("mass of a block, of five boxes and four blocks", [UNIT_MASSES.sum(), momentum(columns, 0)[0][0]])
    assert momentum(columns, 0)[0][0] == pytest.approx(9.0, abs=1e-12)  # five boxes and four blocks of mass 1


def test_c05_damping_matrix_is_positive_with_translation_as_its_null_space(record_property):
    """Reported: D of A.23. Proposed: largest eigenvalue of M^-1 D is 4 gamma / rho = 200 on an equal-volume lattice.

    Our lattice has elements of two volumes; the largest eigenvalue is 200 all the same.
    """
    matrix = GAMMA * UNIT_DAMPING
    np.testing.assert_array_equal(matrix, matrix.T)
    values, vectors = np.linalg.eigh(matrix)
    assert values[0] > -1e-12
    assert values[1] > 1e-3
    np.testing.assert_allclose(np.abs(vectors[:, 0]), np.sqrt(1 / 27), atol=1e-9)
    rates = np.linalg.eigvalsh(matrix / np.sqrt(np.outer(UNIT_MASSES, UNIT_MASSES)))
    record_property("largest rate [1/s]", rates[-1])
    record_property("smallest two eigenvalues", [f"{value:.2g}" for value in values[:2]])
    assert rates[-1] == pytest.approx(200.0, rel=1e-9)


def relaxed_free_block(x):
    """The nodes and determinants of a block with 27 free nodes after 2 s at 1/3000 s."""
    v = np.zeros((27, 3))
    dt = 1.0 / 3000.0
    solve = np.linalg.inv(np.diag(UNIT_MASSES) + dt * GAMMA * UNIT_DAMPING)
    for _ in range(6000):
        forces, determinants = block_forces(x, (1, 1, 1), MU, LAM)
        v = solve @ (UNIT_MASSES[:, None] * v + dt * forces)
        x = x + dt * v
    return x, determinants


def largest_strain(x):
    worst = 0.0
    for tet in oracles.TETRAHEDRA:
        rest = oracles.LATTICE[tet]
        gradient = (x[tet[1:]] - x[tet[0]]).T @ np.linalg.inv((rest[1:] - rest[0]).T)
        worst = max(worst, np.abs(np.linalg.svd(gradient, compute_uv=False) - 1.0).max())
    return worst


STARTS = {
    "one point": lambda rng, shape: 0.0 * shape,
    "mirrored": lambda rng, shape: shape * [1.0, -1.0, 1.0],
    "random": lambda rng, shape: rng.uniform(-0.5, 0.5, size=shape.shape),
    "flat": lambda rng, shape: shape * [1.0, 0.0, 1.0],
}


@pytest.mark.parametrize("start", ["mirrored", "flat"])
def test_c06_free_block_recovers_from_a_mirrored_or_flat_start(start, record_property):
    """Reported: nearly unconditional robustness. Proposed: after 2 s at 1/3000 s all J > 0 and strain below 1 %."""
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        x, determinants = relaxed_free_block(STARTS[start](rng, oracles.LATTICE) + 1e-3 * rng.normal(size=(27, 3)))
        record_property("largest strain", largest_strain(x))
        assert (determinants > 0).all()
        assert largest_strain(x) < 1e-6


@pytest.mark.parametrize("start", ["one point", "random"])
def test_c06_free_block_from_a_point_or_at_random_recovers_or_comes_to_rest_tangled(start, record_property):
    """Proposed: all J > 0 and strain below 1 % for these starts too.

    Ours: of ten seeds two (point) and six (random) recover; the others rest in one of three tangled equilibria. The
    same equilibria come out of the SVD reference, and the six-tetrahedron split has its own, so it is a property
    of the energy. A block in a body cannot stay there: see the next check.
    """
    recovered = []
    for seed in (2, 3, 5):
        rng = np.random.default_rng(seed)
        x, determinants = relaxed_free_block(STARTS[start](rng, oracles.LATTICE) + 1e-3 * rng.normal(size=(27, 3)))
        assert np.isfinite(x).all()
        assert determinants.min() > -1e-3
        assert largest_strain(x) < 1.01
        recovered.append(largest_strain(x) < 0.01)
    record_property("of three seeds recover", sum(recovered))
    criterion(record_property, holds=all(recovered), why_not="the energy itself has tangled equilibria for a free block")
    assert any(recovered)


@pytest.mark.parametrize("start", STARTS)
def test_c06_block_between_two_segments_recovers_from_any_start(start, record_property):
    """The same starts for the mid-plane of a block held by two segments, as it is in a body: all ten seeds recover."""
    worst = 0.0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        columns = chain(2)
        columns.kinematic[:] = 1
        rest = columns.node_position[0].copy()
        middle = np.array([-1.0, 0.0, 0.0])
        noise = 1e-3 * rng.normal(size=(9, 3))
        columns.node_position[0] = STARTS[start](rng, rest - middle) + middle + noise
        advance(columns, 120)
        worst = max(worst, float(np.abs(columns.node_position[0] - rest).max()))
    record_property("farthest from rest after 2 s [u]", worst)
    assert worst < 1e-6


def columns_of(world):
    """The pools of a world as the measures of this folder take them."""
    return Bodies(*(world.pool(kind) for kind in (BodyPool, ChainPool, SegmentPool, ChainSegmentPool, TissuePool)))


def test_c07_dropped_bar_settles_on_a_frictionless_floor(record_property):
    """Reported: two-way coupling stable. Proposed: no NaN in 10 s, energy decays, horizontal momentum within 1 %."""
    world, disturbed = World(seed=1), []
    world.on("tissue_disturbed", disturbed.append)
    bar = world.spawn("slippery_bar", at=(0.0, 0.0, 2.0))
    columns = columns_of(world)
    columns.position[:, 2] += 0.1 * np.arange(5)  # it lands on one end
    columns.velocity[:] = (0.5, 0.3, 0.0)
    settle_tissue(world.pool(SegmentPool), world.pool(TissuePool), bar.rows["tissue"])
    start = momentum(columns, bar.row)[0]
    sideways = 0.5 * 9.0 * (0.5**2 + 0.3**2)
    energies = []
    for _ in range(60):
        world.step(10)
        energies.append(kinetic_energy(columns, bar.row) - sideways)
    assert not disturbed
    assert np.isfinite(columns.position).all()
    assert max(energies) > 10.0
    drift = float(np.abs(momentum(columns, bar.row)[0][:2] / start[:2] - 1.0).max())
    record_property("energy of the fall at its largest and after 10 s", [round(max(energies), 1), f"{energies[-1]:.1g}"])
    record_property("drift of the horizontal momentum", drift)
    assert abs(energies[-1]) < 1e-3
    assert drift < 1e-5


def test_c08_lamp_hangs_at_rest_and_its_top_carries_the_weight(record_property):
    """Reported: ceiling lamp, branching, fixed top. Proposed: at rest after 10 s, reaction = weight within 2 %."""
    world, disturbed = World(seed=1), []
    world.on("tissue_disturbed", disturbed.append)
    lamp = world.spawn("ceiling_lamp", at=(0.0, 0.0, 12.0))
    world.step(600)
    columns = columns_of(world)
    assert not disturbed
    assert np.abs(lamp.segments.velocity).max() < 1e-3  # the pendulum mode is the last to die out
    assert lamp.segments.position[0].tolist() == [0.0, 0.0, 12.0]
    forces, _ = block_forces(block_nodes(columns, 0), columns.size[0], MU, LAM)
    pull = -forces[:9].sum(axis=0)  # on the top, by the tissue
    tissue = 0.5 * np.prod(columns.size, axis=1).sum()  # the face nodes are part of the segments
    weight = world.map.physics.gravity * (columns.mass[1:].sum() + tissue)
    record_property("pull on the top over the weight", pull[2] / weight)
    assert pull[2] == pytest.approx(weight, rel=1e-3)
    np.testing.assert_allclose(pull[:2], 0.0, atol=1e-3 * weight)


def test_c09_body_hung_by_its_head_stretches_most_near_the_head(record_property):
    """Reported: the body elongates when hung. Proposed: longer than at rest, stretch falls from head to tail."""
    columns = hanging_chain(18)
    columns.kinematic[0] = 1
    columns.gravity[:, 2] = -GRAVITY
    for _ in range(600):
        assert not advance(columns).any()
        # the axial mode of the long body takes a minute to die out: drain it to reach the equilibrium sooner
        columns.velocity[:] *= 0.95
        columns.node_velocity[:] *= 0.95
    gaps = -np.diff(columns.position[:, 2])
    record_property("length over that at rest", gaps.sum() / 34.0)
    record_property("stretch of the first and the last block [u]", [round(gaps[0] - 2.0, 3), round(gaps[-1] - 2.0, 3)])
    assert gaps.sum() > 34.0
    assert (np.diff(gaps) < 0).all()
    assert np.abs(columns.velocity).max() < 1e-3
    # small strain: weight below a block over the axial joint stiffness 6144 of the numerics study
    below = GRAVITY * (2.0 * np.arange(17, 0, -1) - 0.5)
    np.testing.assert_allclose(gaps - 2.0, below / 6144.0, rtol=0.06)


def test_c10_bound_nodes_stay_on_their_anchors(record_property):
    """Proposed: distance between a bound node and its anchor below 1e-12 after each step."""
    columns = chain(4, substeps=1, tick=1 / 600)
    columns.angular_velocity[:] = 3.0 * np.random.default_rng(8).normal(size=(4, 3))
    settle_nodes(columns)
    scratch, worst = np.zeros((1, scratch_width(4, 3))), 0.0
    for _ in range(100):
        expected = []
        for k in range(3):
            ends = ((columns.segment_a, columns.anchor_a, True), (columns.segment_b, columns.anchor_b, False))
            for segment, anchor, front in ends:
                i = segment[k]
                local = face_points(anchor[k], columns.size[k], front)
                place = local @ rotation_matrices(columns.orientation[i]).T + columns.position[i]
                expected.append(place - columns.position[0])
        advance(columns, tick=1 / 600, scratch=scratch)
        for k in range(3):
            at = 4 * SEGMENT_STRIDE + k * BLOCK_STRIDE + BLK_X
            nodes = scratch[0, at : at + 81].reshape(3, 27).T
            for face, anchors in ((nodes[:9], expected[2 * k]), (nodes[18:], expected[2 * k + 1])):
                worst = max(worst, float(np.abs(face - anchors).max()))
    record_property("farthest from an anchor [u]", worst)
    assert worst < 1e-12
    assert np.abs(columns.orientation[:, 1:]).max() > 0.01
