"""Water on bodies: closed forms for boxes, the reference for soft blocks, power, symmetry, floating, dry bodies."""

import numba
import numpy as np
import pytest

from paludarium.components.myriapod.construction.anatomy import damping_inverse
from paludarium.components.myriapod.construction.lattice import SIDE_TRIANGLES, UNIT_MASSES, UNIT_NODES
from paludarium.components.segments import DRY_LEVEL
from paludarium.lab.myriapod.substeps import stable_substeps
from paludarium.systems.myriapod.body.full_tier_kernel import step_full
from paludarium.tests.body import oracles
from paludarium.tests.body.bodies import GAMMA, TICK, advance, allocate, chain, copied, settle_nodes, stacked
from paludarium.tests.body.boxes import DEEP, MOMENT, box, moment_force, undamp
from paludarium.tests.body.measures import kinetic_energy, momentum

GRAVITY = 9.8


def fine_box_force(half, velocity, spin, cells=200):
    """Force and power on a free box by brute force: many small patches on all six faces."""
    force, power = np.zeros(3), 0.0
    across = (np.arange(cells) + 0.5) / cells * 2 - 1
    for axis in range(3):
        e, f = (axis + 1) % 3, (axis + 2) % 3
        points = np.zeros((cells, cells, 3))
        points[..., e], points[..., f] = across[:, None] * half[e], across[None, :] * half[f]
        area = 4 * half[e] * half[f] / cells**2
        for side in (1.0, -1.0):
            points[..., axis] = side * half[axis]
            speed = side * (velocity + np.cross(spin, points))[..., axis]
            push = np.maximum(speed, 0.0) ** 2 * area
            force[axis] -= side * push.sum()
            power += (push * speed).sum()
    return force, power


def wet_height(columns):
    """How much of a floating body of height 1 is wet, mean over the last half: quadratic drag lets it bob for long."""
    advance(columns, ticks=600)
    heights = []
    for _ in range(600):
        advance(columns)
        heights.append(columns.position[:, 2].mean())
    return 0.5 - np.mean(heights)


def test_translating_box_has_the_pressure_drag_of_its_advancing_faces():
    columns = box((0.5, 0.4, 0.3))
    columns.velocity[0] = (2.0, -3.0, 0.0)
    np.testing.assert_allclose(moment_force(columns), (-4.0 * 0.48, 9.0 * 0.6, 0.0), atol=1e-5)
    assert columns.water_power[0] == pytest.approx(8.0 * 0.48 + 27.0 * 0.6, rel=1e-6)


def test_turning_and_moving_box_agrees_with_many_small_patches():
    half, velocity, spin = np.array([0.5, 0.4, 0.3]), np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.6, -0.9])
    columns = box(half)
    columns.velocity[0], columns.angular_velocity[0] = velocity, spin
    force, power = fine_box_force(half, velocity, spin)
    np.testing.assert_allclose(moment_force(columns), force, atol=1e-4)  # each face advances as a whole or not at all
    assert columns.water_power[0] == pytest.approx(power, rel=1e-4)


def test_power_is_the_loss_of_kinetic_energy():
    columns = chain(4)
    rng = np.random.default_rng(1)
    columns.velocity[:], columns.angular_velocity[:] = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    settle_nodes(columns)
    undamp(columns)
    columns.water_level[:] = DEEP
    before = kinetic_energy(columns, 0)
    advance(columns, tick=MOMENT)
    assert columns.water_power[0] > 1.0
    assert (before - kinetic_energy(columns, 0)) / MOMENT == pytest.approx(columns.water_power[0], rel=1e-3)


def test_soft_block_has_the_force_of_its_32_side_triangles():
    columns = chain(2)
    columns.velocity[:] = [(1.0, 2.0, 0.5), (0.5, 2.5, 0.2)]
    columns.angular_velocity[:] = [(0.1, 0.3, 1.0), (0.0, -0.4, 0.6)]
    settle_nodes(columns)
    undamp(columns)
    dry = copied(columns)
    columns.water_level[:] = DEEP
    advance(columns, tick=MOMENT)
    advance(dry, tick=MOMENT)
    nodes, speeds = np.zeros((27, 3)), np.zeros((27, 3))
    for n in range(27):
        row = 0 if n < 9 else 1
        center = dry.position[row]
        nodes[n] = oracles.LATTICE[n] + (-1.0, 0.0, 0.0)
        speeds[n] = dry.velocity[row] + np.cross(dry.angular_velocity[row], nodes[n] - center)
    nodes[9:18], speeds[9:18] = dry.node_position[0], dry.node_velocity[0]
    force = np.zeros((27, 3))
    for a, b, c in SIDE_TRIANGLES:
        normal = np.cross(nodes[b] - nodes[a], nodes[c] - nodes[a]) / 2
        area = np.linalg.norm(normal)
        normal, v = normal / area, speeds[[a, b, c]].mean(axis=0)
        force[[a, b, c]] += -max(0.0, normal @ v) * (normal @ v) * normal * area / 3
    gained = (columns.node_velocity[0] - dry.node_velocity[0]) * UNIT_MASSES[9:18, None] / MOMENT
    assert np.abs(force).max() > 0.1
    np.testing.assert_allclose(gained, force[9:18], atol=2e-4 * np.abs(force).max())


def test_side_triangles_close_the_surface_between_the_ends_and_look_outward():
    corners = UNIT_NODES[SIDE_TRIANGLES]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    assert np.abs(normals[:, 0]).max() == 0.0
    assert ((normals * corners.mean(axis=1)).sum(axis=1) > 0).all()
    assert np.abs(normals).sum() == pytest.approx(4 * 4.0)  # four sides of 2 x 2


def test_faces_with_a_block_feel_no_water():
    free, bound = chain(1), chain(2)
    for columns in (free, bound):
        columns.water_level[:] = DEEP
        columns.velocity[:, 0] = 2.0
        settle_nodes(columns)
        undamp(columns)
        advance(columns, tick=MOMENT)
    assert free.water_power[0] == pytest.approx(8.0, rel=1e-6)
    assert bound.water_power[0] == pytest.approx(8.0, rel=1e-6)  # one front for the whole body, none between its parts


def test_body_that_drifts_with_the_current_feels_nothing_but_weight_and_buoyancy():
    columns = chain(3)
    columns.velocity[:] = columns.water_velocity[:] = (1.0, -2.0, 0.0)
    columns.gravity[:] = (0.0, 0.0, -GRAVITY)
    columns.water_level[:] = DEEP
    settle_nodes(columns)
    advance(columns, ticks=30)
    np.testing.assert_allclose(columns.velocity, np.tile((1.0, -2.0, 0.0), (3, 1)), atol=1e-10)
    assert columns.water_power[0] < 1e-12


def test_what_the_water_gave_is_what_the_momentum_of_the_body_changed_by():
    """Of a body that bends, turns and is half out of the water, in a current: to rounding, tick by tick."""
    columns = chain(5)
    columns.water_level[:], columns.water_velocity[:] = 0.1, (0.5, -0.7, 0.0)
    columns.velocity[:, :2] = np.random.default_rng(2).normal(0.0, 1.0, (5, 2))
    columns.lengths[:, 0] = 0.6
    settle_nodes(columns)
    for _ in range(20):
        before = momentum(columns, 0)[0]
        advance(columns)
        gained = momentum(columns, 0)[0] - before
        np.testing.assert_allclose(columns.water_impulse.sum(axis=0), gained[:2], atol=1e-11)
        assert np.abs(gained[:2]).min() > 1e-4
        assert (columns.felt_water == 1).all()


def test_led_segments_feel_no_water():
    columns = chain(3)
    columns.water_level[:] = DEEP
    columns.kinematic[:2] = 1
    advance(columns)
    assert columns.felt_water.tolist() == [0, 0, 1]


def test_body_of_density_one_is_neutral_with_bent_muscles_too():
    columns = chain(4)
    columns.gravity[:] = (0.0, 0.0, -GRAVITY)
    columns.water_level[:] = DEEP
    columns.lengths[:, 0] = columns.lengths_before[:, 0] = 0.6
    advance(columns, ticks=60)
    assert np.abs(columns.position[:, 2]).max() < 1e-10


@pytest.mark.parametrize("density", [0.3, 0.85, 0.95])
def test_upright_cube_floats_with_its_density_as_the_wet_share(density):
    columns = box((0.5, 0.5, 0.5), density, substeps=10)
    columns.gravity[0] = (0.0, 0.0, -GRAVITY)
    columns.water_level[0] = 0.0
    columns.position[0, 2] = 0.2
    assert wet_height(columns) == pytest.approx(density, abs=0.01)


@pytest.mark.parametrize("density", [0.6, 0.9])
def test_soft_body_floats_with_its_density_as_the_wet_share(density):
    columns = chain(3)
    columns.mass[:] *= density
    columns.inertia[:] *= density
    columns.inverse_inertia[:] /= density
    columns.elastic[:, 2] = density
    columns.substeps[0] = stable_substeps(columns.size, columns.elastic, 1.0, TICK)
    columns.damping_inverse[0] = damping_inverse(GAMMA, density, TICK / columns.substeps[0])
    columns.gravity[:] = (0.0, 0.0, -GRAVITY)
    columns.water_level[:] = 0.0
    assert wet_height(columns) == pytest.approx(density, abs=0.01)


def test_block_between_a_wet_and_a_dry_segment_takes_the_wet_ones_water():
    one, both = chain(2), chain(2)
    for columns in (one, both):
        columns.water_level[:], columns.water_velocity[:] = DEEP, (0.0, 2.0, 0.0)
        undamp(columns)
    one.water_level[1] = DRY_LEVEL
    for columns in (one, both):
        advance(columns, tick=MOMENT)
    np.testing.assert_allclose(one.node_velocity, both.node_velocity, rtol=1e-6, atol=1e-14)
    assert one.node_velocity[0, :, 1].max() > 1e-8
    assert one.velocity[1, 1] < 0.7 * both.velocity[1, 1]  # its own box is dry


def test_half_wet_upright_plate_has_half_the_drag():
    columns = box((0.01, 0.5, 0.5))
    columns.velocity[0, 0] = 1.0
    columns.water_level[0] = 0.0
    assert moment_force(columns)[0] == pytest.approx(-0.5, rel=0.02)


def test_fast_entry_into_water_stays_finite_and_slows_down():
    columns = chain(6)
    columns.position[:, 2] += 3.0
    columns.velocity[:, 2] = -300.0
    columns.angular_velocity[:] = np.random.default_rng(0).normal(0, 20.0, (6, 3))
    settle_nodes(columns)
    columns.water_level[:] = 0.0
    advance(columns, ticks=120)
    assert np.isfinite(columns.position).all()
    assert np.linalg.norm(columns.velocity, axis=1).max() < 60.0


def test_dry_body_is_bitwise_the_same_above_water_and_without_it():
    above, without = chain(5), chain(5)
    for columns, level in ((above, -4.0), (without, np.nan)):
        columns.gravity[:] = (0.0, 0.0, -1.0)
        columns.water_level[:] = level
        columns.water_velocity[:] = 3.0
        columns.lengths[:, 0] = 0.7
        advance(columns, ticks=60)
    np.testing.assert_array_equal(above.position, without.position)
    np.testing.assert_array_equal(above.node_velocity, without.node_velocity)
    assert above.water_power[0] == without.water_power[0] == 0.0


def test_water_keeps_the_mirror_symmetry_of_the_body():
    one, two = chain(4), chain(4)
    for columns, side in ((one, 1.0), (two, -1.0)):
        columns.water_level[:] = 0.3
        columns.velocity[:] = (1.0, side * 2.0, 0.3)
        columns.lengths[:, 0 if side > 0 else 1] = 0.6
        settle_nodes(columns)
        advance(columns, ticks=30)
    np.testing.assert_allclose(two.position * (1, -1, 1), one.position, atol=1e-10)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_swimmers_do_not_depend_on_the_number_of_threads(threads):
    results = []
    for count in (1, 2):
        threads(count)
        columns = stacked([chain(n) for n in (3, 5, 4)])
        columns.water_level[:] = 0.1
        columns.lengths[:, 0] = 0.6
        columns.velocity[:, 1] = np.arange(12) * 0.1
        advance(columns, ticks=10, step=step_full)
        results.append((columns.position.copy(), columns.water_power.copy()))
    for a, b in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)


def test_single_precision_follows_double_precision():
    one, two = chain(4), chain(4)
    for columns, dtype in ((one, np.float64), (two, np.float32)):
        columns.water_level[:] = 0.2
        columns.velocity[:, 1] = 1.5
        columns.lengths[:, 0] = 0.6
        settle_nodes(columns)
        advance(columns, ticks=30, dtype=dtype)
    np.testing.assert_allclose(two.position, one.position, atol=2e-4)
    assert two.water_power[0] == pytest.approx(one.water_power[0], rel=1e-2)


def test_level_of_a_dry_segment_is_the_agreed_number():
    assert (allocate(1, 2, 1).water_level == DRY_LEVEL).all()
