"""Checks C32-C37 of the myriapod digest: muscles as rest lengths, the force of water, buoyancy."""

import numpy as np
import pytest

from paludarium.components.myriapod.construction.lattice import UNIT_NODES
from paludarium.components.myriapod.tissue import TissueSpec
from paludarium.components.segments import SegmentSpec
from paludarium.lab.myriapod.swim_tank import Swimmers, mean_speed
from paludarium.tests.body.bodies import LAM, MU, TICK, Bodies, advance, chain
from paludarium.tests.body.boxes import box, moment_force
from paludarium.tests.body.lone_block import block_forces
from paludarium.tests.body.measures import rest_shape

GRAVITY = 9.8
LEFT, RIGHT = 0, 1


def yaw_of(columns):
    w, x, y, z = columns.orientation.T
    return np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))


def flap(drive, seconds=4.0, gamma=50.0):
    """Yaw of all three segments and distance from first to last, tick by tick, for lengths drive(t) of both blocks."""
    columns = chain(3, gamma=gamma)
    yaws, spans = [], []
    for k in range(round(seconds / TICK)):
        columns.lengths_before[:] = columns.lengths
        columns.lengths[:, :2] = drive((k + 1) * TICK)
        advance(columns)
        yaws.append(yaw_of(columns))
        spans.append(np.linalg.norm(columns.position[0] - columns.position[-1]))
    return np.array(yaws), np.array(spans)


def dominant_frequency(values):
    spectrum = np.abs(np.fft.rfft(values - values.mean()))
    return np.fft.rfftfreq(len(values), TICK)[spectrum.argmax()]


def test_c32_rest_shape_follows_the_two_lengths(record_property):
    """Reported: eq. 5.1. Proposed: equal lengths give the block itself, a shorter left leaves the right edge alone and
    keeps the end faces planar. Here also: the kernel has no force in exactly these shapes."""
    rest = rest_shape(np.ones(3), np.ones(4))
    np.testing.assert_array_equal(rest, 0.5 * UNIT_NODES)
    short = rest_shape(np.ones(3), np.array([0.5, 1.0, 1.0, 1.0]))
    right = UNIT_NODES[:, 1] == -1
    np.testing.assert_array_equal(short[right], rest[right])
    np.testing.assert_allclose(short[UNIT_NODES[:, 1] == 1, 0], 0.5 * rest[UNIT_NODES[:, 1] == 1, 0])
    for face in (slice(0, 9), slice(18, 27)):
        points = short[face] - short[face].mean(axis=0)
        assert np.linalg.svd(points, compute_uv=False)[2] < 1e-15
    forces, determinants = block_forces(short, (1, 1, 1), MU, LAM, (0.5, 1.0, 1.0, 1.0))
    record_property("largest force in the shape of the lengths", float(np.abs(forces).max()))
    np.testing.assert_allclose(forces, 0.0, atol=1e-9)
    np.testing.assert_allclose(determinants, 1.0, atol=1e-12)


def test_c33_antiphase_flaps_and_in_phase_stretches(record_property):
    """Reported: flapping and worm-like extension (Fig. 5.2). Proposed: in antiphase the neighbours' yaw oscillates at the
    drive's frequency with a nearly constant length; in phase the length oscillates and the yaw stays below 1 degree."""
    f = 2.0
    yaws, spans = flap(lambda t: (0.75 + 0.2 * np.sin(2 * np.pi * f * t), 0.75 - 0.2 * np.sin(2 * np.pi * f * t)))
    half = len(yaws) // 2
    assert dominant_frequency(yaws[half:, 0]) == pytest.approx(f)
    swing = np.degrees(np.ptp(yaws[half:, 0] - yaws[half:, 2])) / 2
    change = np.ptp(spans[half:]) / spans[half:].mean()
    yaws, spans = flap(lambda t: (0.75 + 0.2 * np.sin(2 * np.pi * f * t),) * 2)
    assert dominant_frequency(spans[half:]) == pytest.approx(f)
    stretch = np.ptp(spans[half:]) / spans[half:].mean()
    record_property("flapping_swing_degrees", round(swing, 1))
    record_property("length_change_flapping", round(change, 3))
    record_property("length_change_worm", round(stretch, 3))
    assert swing > 20.0
    assert change < 0.06  # the chord of a bent body is shorter
    assert stretch > 4 * change
    assert np.degrees(np.abs(yaws).max()) < 1.0


def test_c34_shortened_left_sides_curl_the_body_to_the_left(record_property):
    """Reported: a 'C' with the shortened side inside (Fig. 5.3). Proposed: total bend above 90 degrees for 11 blocks."""
    columns = chain(12)
    bend = 0.0
    for k in range(240):
        columns.lengths_before[:] = columns.lengths
        columns.lengths[:, LEFT] = max(0.5, 1.0 - 0.5 * (k + 1) / 60)
        advance(columns)
    turn = np.diff(np.unwrap(yaw_of(columns)))  # head to tail
    bend = -np.degrees(turn.sum())
    record_property("bend_degrees", round(float(bend), 1))
    assert (turn < 0).all()  # seen from the head each segment behind points more to the right: the left side is inside
    assert 90.0 < bend < 11 * 30.0
    # the middle lies to the right of the straight line from tail to head
    ends = columns.position[0] - columns.position[-1]
    middle = columns.position[5:7].mean(axis=0) - columns.position[-1]
    assert ends[0] * middle[1] - ends[1] * middle[0] < 0


def test_c35_plate_has_the_drag_of_its_advancing_face_only(record_property):
    """Reported: eq. 5.2. Proposed: face-on rho A U^2, edge-on 0, receding face 0, no patch ever gains energy."""
    area, speed = 4 * 0.5 * 0.7, 3.0
    thin = 1e-9
    face_on = box((thin, 0.5, 0.7))
    face_on.mass[0], face_on.velocity[0, 0] = 1.0, speed
    record_property("drag over rho A U^2, face-on", moment_force(face_on)[0] / (-area * speed**2))
    assert moment_force(face_on)[0] == pytest.approx(-area * speed**2, rel=1e-5)  # twice that if it counted the back, too
    edge_on = box((thin, 0.5, 0.7))
    edge_on.mass[0], edge_on.velocity[0, 1] = 1.0, speed
    record_property("edge-on", abs(moment_force(edge_on)[1]) / (area * speed**2))
    assert abs(moment_force(edge_on)[1]) < 1e-6
    tilted = box((thin, 0.5, 0.7))
    tilted.mass[0], tilted.velocity[0] = 1.0, (speed * np.cos(0.6), speed * np.sin(0.6), 0.0)
    np.testing.assert_allclose(moment_force(tilted), (-area * (speed * np.cos(0.6)) ** 2, 0.0, 0.0), atol=1e-4)
    rng = np.random.default_rng(4)
    for _ in range(20):
        body = chain(3)
        body.water_level[:] = rng.uniform(-1.0, 1.0)
        body.velocity[:], body.angular_velocity[:] = rng.normal(size=(2, 3, 3))
        advance(body)
        assert body.water_power[0] >= 0.0


def terminal_speed(soft: bool, density: float, seconds=20.0):
    """Vertical speed of a unit cube, rigid or soft between two thin plates, released deep under water."""
    if soft:
        parts = SegmentSpec(2, length=0.02, density=density), TissueSpec(density=density, shortest_muscle=1.0)
        tank = Swimmers(1, *parts).pools
        cube = Bodies(tank.bodies, tank.chains, tank.segments, tank.chained, tank.blocks)
    else:
        cube = box((0.5, 0.5, 0.5), density, substeps=10)
    cube.water_level[:], cube.gravity[:] = 1e5, (0.0, 0.0, -GRAVITY)
    advance(cube, ticks=round(seconds / TICK))
    return cube.velocity[:, 2].mean()


@pytest.mark.parametrize("soft", [False, True], ids=["rigid", "soft"])
def test_c36_cubes_sink_hover_or_rise_by_their_density(soft, record_property):
    """Reported: four rigid and four soft cubes of different density (Fig. 5.4). Proposed: sign and order by density, and
    terminal speed sqrt(|rho_b - rho_w| g L / rho_w) within 5 %."""
    densities = np.array([0.5, 0.8, 1.0, 1.5, 2.0])
    speeds = np.array([terminal_speed(soft, density) for density in densities])
    record_property("terminal_speeds", np.round(speeds, 3).tolist())
    assert (np.diff(speeds) < 0).all()
    assert abs(speeds[2]) < 1e-9
    expected = -np.sign(densities - 1.0) * np.sqrt(np.abs(densities - 1.0) * GRAVITY)
    np.testing.assert_allclose(speeds[densities != 1.0], expected[densities != 1.0], rtol=0.05)


def test_c37_stiff_muscles_are_needed_to_swim(record_property):
    """Reported: E = 4000 and gamma = 50 are needed. Proposed: speed at f = 1, ps = 0.3 pi strictly rising over E = 40, 400,
    4000, the first below 5 % of the last (the digest's runs: 0.018, 1.25, 6.2 u/s)."""
    speeds = []
    for young in (40.0, 400.0, 4000.0):
        swimmer = Swimmers(1, tissue=TissueSpec(young_modulus=young))
        swimmer.set_gait(1.0, 0.3 * np.pi)
        speeds.append(float(mean_speed(swimmer.run(12.0), [1.0], swimmer.tick, 4)[0][0]))
    record_property("speeds", [round(v, 3) for v in speeds])
    assert speeds[0] < speeds[1] < speeds[2]
    assert speeds[0] < 0.05 * speeds[2]


def test_c37b_residual_oscillation_is_larger_without_damping(record_property):
    """Reported: the body oscillates without gamma = 50. Proposed: larger residual oscillation at gamma = 0 than at 50."""
    residual = []
    for gamma in (0.0, 50.0):
        yaws, _ = flap(lambda t: (0.6, 0.9), seconds=2.0, gamma=gamma)
        bend = yaws[:, 0] - yaws[:, 2]
        residual.append(float(bend[60:].std()))
    record_property("residual_degrees", [round(float(np.degrees(r)), 4) for r in residual])
    assert residual[0] > 20 * residual[1]
