"""Checks A1-A7 of the digest of swimmers: the coupled system, its three conditions, added mass, rest, servos, and books."""

import numpy as np
import pytest

from paludarium.components.articulated.links import LinkSpec
from paludarium.components.articulated.servo import ServoSpec
from paludarium.systems.articulated.fluid.pressure_kernel import apply_matrix
from paludarium.systems.articulated.fluid.window_layout import FAILURES, GROUND, MOST_LINKS
from paludarium.systems.articulated.fluid.windows import lay_out, step_windows
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.swimmers.bodies import DT, EEL, hand_gait, speeds, tank, write_solids

TIGHT = 1e-12
"""Tolerance of the pressure where identities are checked."""
NONE = np.array([0])


def swimming(steps=40, tolerance=TIGHT, **options):
    """An eel in full stroke, and all arrays of its last step."""
    one = tank(gait=hand_gait(), **options)
    assert one.swim(steps - 1, 0.01)
    before = one.swimmers.root[0].copy(), one.links.angle[one.links_of()].copy()
    assert one.swim(1, tolerance)
    return one, before


def matrix_of(one):
    """(cells with water, the matrix of the pressure on them), from its products with unit fields."""
    fluid, swimmers = one.fluid, one.swimmers
    wet = np.argwhere(fluid.damped[0, 0] > 0.0)
    found = np.zeros((len(wet), len(wet)))
    for k, (j, i) in enumerate(wet):
        field = np.zeros_like(fluid.u[0])
        field[j, i] = 1.0
        apply_matrix(0, fluid, swimmers, field)
        found[:, k] = fluid.image[0][tuple(wet.T)]
    return wet, found


def rows_of(one):
    """K (rows, rates) of the first member, and the cells of its rows."""
    fluid, n = one.fluid, one.fluid.row_count[0]
    mine = fluid.row_member[0, :n] == 0
    return fluid.row[0, :n][mine][:, : one.swimmers.link_count[0] + 2], fluid.row_cell[0, :n][mine]


def factor_of(one):
    """The matrix M + dt Kd + dt^2 Kp of the first member, from its factor."""
    n = int(one.swimmers.link_count[0]) + 2
    lower = np.tril(one.fluid.matrix[0, 0, :n, :n])
    return lower @ lower.T


def outflow(one):
    """What flows out of every cell of the window, through open faces and by links that move."""
    fluid, dx = one.fluid, one.fluid.cell[0]
    flow_u, flow_v = fluid.open_u[0] * fluid.u[0], fluid.open_v[0] * fluid.v[0]
    flow = np.zeros_like(fluid.u[0])
    flow[1:-1, 1:-1] = dx * (flow_u[1:-1, 1:-1] - flow_u[1:-1, :-2] + flow_v[1:-1, 1:-1] - flow_v[:-2, 1:-1])
    rows, cells = rows_of(one)
    np.add.at(flow, tuple(cells.T), rows @ fluid.rate[0, 0, : rows.shape[1]])
    return flow


def test_a01_the_matrix(record_property):
    """Reported: symmetric and positive definite. Digest: asymmetry below 1e-12 of the largest entry on 24 x 16 cells, the
    coupled part of a rank of at most 3 + joints."""
    one = tank(gait=hand_gait(), nx=24, ny=16, width=2.0)
    assert one.swim(30)
    _, whole = matrix_of(one)
    asymmetry = np.abs(whole - whole.T).max() / np.abs(whole).max()
    smallest = np.linalg.eigvalsh(whole)[0]
    rows, cells = rows_of(one)
    one.fluid.row_count[0] = 0
    wet, water = matrix_of(one)
    rank = np.linalg.matrix_rank(whole - water, tol=1e-10 * np.abs(whole).max())
    place = {tuple(cell): k for k, cell in enumerate(wet)}
    full = np.zeros((len(wet), rows.shape[1]))
    for row, cell in zip(rows, cells, strict=True):
        full[place[tuple(cell)]] = row
    body = np.abs(full @ np.linalg.solve(factor_of(one), full.T) - (whole - water)).max() / np.abs(whole).max()
    record_property("asymmetry, smallest eigenvalue, rank", f"{asymmetry:.1g}, {smallest:.3g}, {rank}")
    assert asymmetry < 1e-12
    assert smallest > 0.0
    assert 3 <= rank <= 7
    assert body < 1e-12


def test_a02_water_cannot_be_pressed_together(record_property):
    """Digest: the largest divergence is at most the solver's tolerance, 1e-3, of the largest velocity in every cell; 1e-4
    in its trials."""
    one, _ = swimming(tolerance=1e-3)
    largest = np.abs(outflow(one)).max() / one.fluid.cell[0] / np.abs(one.fluid.u[0]).max()
    record_property("divergence", largest)
    assert 0.0 < largest < 1e-3


def test_a03_water_and_links_move_alike(record_property):
    """Digest: every coupled face has the velocity of its link, to 1e-6."""
    one, (root, angles) = swimming()
    fluid, n = one.fluid, int(one.swimmers.link_count[0])
    rate = fluid.rate[0, 0, : n + 2]
    ends = []
    for step in (-1e-6, 1e-6):  # where links are a little earlier and later, by their positions alone
        one.swimmers.root[0], one.links.angle[one.links_of()] = root + step * rate[:3], angles + step * np.r_[0.0, rate[3:]]
        lay_out(one.swimmers, one.links, 0)
        ends.append(one.links.place[one.links_of()].copy())
    middle, moving = 0.5 * (ends[0] + ends[1]), (ends[1] - ends[0]) / 2e-6
    worst = checked = 0
    sides = (fluid.owner_u, fluid.open_u, fluid.u, True), (fluid.owner_v, fluid.open_v, fluid.v, False)
    for owner, open_, field, along_x in sides:
        for j, i in np.argwhere((open_[0] == 0.0) & (owner[0] >= 0)):
            k = owner[0, j, i] % MOST_LINKS
            x = fluid.origin[0, 0] + (i - (0.0 if along_x else 0.5)) * fluid.cell[0] - middle[k, 0]
            y = fluid.origin[0, 1] + (j - (0.5 if along_x else 0.0)) * fluid.cell[0] - middle[k, 1]
            wanted = moving[k, 0] - moving[k, 2] * y if along_x else moving[k, 1] + moving[k, 2] * x
            worst, checked = max(worst, abs(field[0, j, i] - wanted)), checked + 1
    worst /= np.abs(moving[:, :2]).max()
    record_property(f"off by, at {checked} faces", worst)
    assert checked > 50
    assert worst < 1e-6


def test_a04_bodies_obey_their_equations_under_pressure(record_property):
    """Digest: (M + ...) (q' - q*') = K^T P to 1e-8; without water the step is that of the dry body."""
    one, _ = swimming()
    fluid = one.fluid
    rows, cells = rows_of(one)
    n = rows.shape[1]
    pull = rows.T @ fluid.pressure[0][tuple(cells.T)]
    gained = factor_of(one) @ (fluid.rate[0, 0, :n] - fluid.star[0, 0, :n])
    off = np.abs(gained - pull).max() / np.abs(pull).max()
    write_solids(one.windows, 0, np.ones((64, 128), bool))  # no cell has water
    assert one.swim(1)
    dry = np.abs(fluid.rate[0, 0, :n] - fluid.star[0, 0, :n]).max()
    record_property("off by; dry by", f"{off:.1g}; {dry:.1g}")
    assert off < 1e-8
    assert dry == 0.0


DISC = (LinkSpec(name="disc", length=1e-6, half_width=(0.5, 0.5)),)


def disc_keeps(cells, offset, density=1.0):
    """Share of its velocity that a disc keeps when it is set into motion in still water, 10 diameters of it."""
    one = tank(DISC, nx=10 * cells, ny=10 * cells, width=10.0)
    one.links.mass[0] = density * np.pi * 0.25
    one.links.inertia[0] = one.links.mass[0] * 0.125
    one.fluid.origin[0] -= np.asarray(offset) * one.fluid.cell[0]
    one.swimmers.root_rate[0] = 1.0, 0.0, 0.0
    assert one.swim(1, 1e-8, dt=1e-4)
    return float(one.swimmers.root_rate[0, 0])


OFFSETS = ((0.0, 0.0), (0.5, 0.5), (0.25, 0.1), (0.7, 0.45), (0.0, 0.5))


@pytest.mark.parametrize("cells", [6, 12])
def test_a05_added_mass(record_property, cells):
    """Digest: a disc set into motion keeps m / (m + rho pi r^2) = 0.50 within 0.02 at 6 or more cells per diameter, in a box
    10 diameters wide; 0.490 to 0.514 in its trials."""
    kept = [disc_keeps(cells, offset) for offset in OFFSETS]
    light = [0.01 * (1.0 / disc_keeps(cells, offset, density=0.01) - 1.0) for offset in OFFSETS]
    record_property(f"kept, {cells} cells per diameter", f"{min(kept):.3f} to {max(kept):.3f}")
    record_property(f"added mass of one of density 0.01, {cells} cells", f"{min(light):.3f} to {max(light):.3f}")
    assert max(abs(value - 0.5) for value in kept) < 0.02
    assert max(abs(value - 1.0) for value in light) < 0.08


def test_a06_rest_stays_at_rest(record_property):
    """Digest: without a stroke all speeds are exactly 0 after 60 steps."""
    one = tank()
    one.swimmers.root[0] = 0.137, -0.211, 0.7
    assert one.swim(60)
    record_property("largest speed", np.abs(speeds(one)).max())
    assert not speeds(one).any()


def servo_error(stiffness, dt=DT, rate_too=True, seconds=3.0):
    """Largest error of the last joint in the last second, with the hand gait; infinite if the water failed."""
    one = tank(gait=hand_gait(), nx=64, ny=32, servo=ServoSpec(length=1.0, stiffness=stiffness))
    here, errors = one.links_of(), []
    for step in range(round(seconds / dt)):
        t = (step + 1) * dt
        phases = 2.0 * np.pi * t - 1.2 * np.arange(1, 5)
        size, ramp = np.array([0.3, 0.4, 0.5, 0.6]), min(t / 0.5, 1.0)
        one.links.wanted[1:5] = ramp * size * np.sin(phases)
        one.links.wanted_rate[1:5] = ramp * size * 2.0 * np.pi * np.cos(phases) if rate_too else 0.0
        step_windows(NONE, one.windows, one.swimmers, one.links, dt, 0.03)
        if one.fluid.counts[0, FAILURES] or np.abs(one.links.angle[here]).max() > 10.0:
            return np.inf
        errors.append(abs(one.links.angle[4] - one.links.wanted[4]))
    return max(errors[-round(1.0 / dt) :])


def explicit_steps(stiffness=25.0, limit=600):
    """Steps that an explicit servo, -kp (q - wanted) - kd q', lasts: its torques come as pushes on links and parents."""
    one = tank(nx=64, ny=32, servo=ServoSpec(length=1.0, stiffness=stiffness))
    kp, kd = one.links.kp[1], one.links.kd[1]
    one.links.kp[:5] = one.links.kd[:5] = 0.0
    one.links.angle[1:5] = 0.1
    for step in range(limit):
        torque = -kp * one.links.angle[1:5] - kd * one.links.rate[1:5]
        one.links.push[:5, 2] = np.r_[0.0, torque] - np.r_[torque, 0.0]
        step_windows(NONE, one.windows, one.swimmers, one.links, DT, 0.03)
        if one.fluid.counts[0, FAILURES] or np.abs(one.links.angle[:5]).max() > 10.0:
            return step
    return limit


def test_a07_servos_are_stable(record_property):
    """Digest: at 100 times the usual gains and 1/60 s bounded, with the lag kd/kp of the published form; a plain PD servo
    diverges within 5 steps at k_p 500, a quarter of the usual. Study: fully implicit, stable from 2.5 to 25,000 m L^2 at
    1/60 and 1/30 s."""
    errors = {kp: servo_error(kp) for kp in (25.0, 2500.0, 25000.0)}
    coarse = servo_error(2500.0, dt=2 * DT)
    lagging = servo_error(2500.0, rate_too=False)
    lag = lagging / (0.6 * 2.0 * np.pi)
    lasts = explicit_steps()
    record_property("error at 1, 100, 1000 times the gains", ", ".join(f"{error:.4f}" for error in errors.values()))
    record_property("at 1/30 s, 100 times", coarse)
    record_property("lag without wanted rates s", lag)
    record_property("a plain PD servo lasts steps", lasts)
    assert max(errors.values()) < 0.05
    assert coarse < 0.05
    assert lag == pytest.approx(0.03, rel=0.1)
    assert lasts < 20


def test_a04b_momentum_across_the_projection(record_property):
    """Study: what pressure gives to bodies it takes from water, to 1e-15 of the impulse; outer faces count half."""
    one, _ = swimming()
    fluid, dx = one.fluid, one.fluid.cell[0]
    p, rows_cells = fluid.pressure[0], rows_of(one)
    impulse = rows_cells[0].T @ p[tuple(rows_cells[1].T)]
    gain_u = -(p[1:-1, 1:] - p[1:-1, :-1]) / dx  # of faces [1..ny, 0..nx]; twice at the edge, which counts half
    gain_v = -(p[1:, 1:-1] - p[:-1, 1:-1]) / dx
    water = dx * dx * np.array([(fluid.open_u[0, 1:-1, :-1] * gain_u).sum(), (fluid.open_v[0, :-1, 1:-1] * gain_v).sum()])
    off = np.abs(water + impulse[:2]).max() / np.abs(impulse[:2]).max()
    record_property("off by", off)
    assert off < 1e-12


def kinetic(one):
    """Energy of water and bodies after a step."""
    fluid, dx = one.fluid, one.fluid.cell[0]
    squares = fluid.open_u[0] * fluid.u[0] ** 2, fluid.open_v[0] * fluid.v[0] ** 2
    water = 0.5 * dx * dx * float(squares[0][1:-1, :-1].sum() + squares[1][:-1, 1:-1].sum())
    here = one.links_of()
    place, mass = one.links.place[here], one.links.mass[here]
    frame = fluid.frame[0, 0, : len(mass)]
    back = one.links.com[here]
    vx = frame[:, 5] + frame[:, 7] * back * np.sin(place[:, 2])
    vy = frame[:, 6] - frame[:, 7] * back * np.cos(place[:, 2])
    return water, 0.5 * float((mass * (vx**2 + vy**2) + one.links.inertia[here] * frame[:, 7] ** 2).sum())


@pytest.mark.parametrize("ratio", [1, 4])
def test_a04c_energy_is_not_made(record_property, ratio):
    """What the servos work is found in water and body, or is lost by the scheme; never more than that is there."""
    one, dt = tank(gait=hand_gait()), DT / ratio
    excess = []
    for _ in range(45 * ratio):
        assert one.swim(1, 1e-6, dt=dt)
        excess.append(sum(kinetic(one)) - float(one.swimmers.work[0]))
    work = float(one.swimmers.work[0])
    water, body = kinetic(one)
    shares = f"{water / work:.2f}, {body / work:.3f}, {-excess[-1] / work:.2f}"
    record_property(f"shares in water, body, lost, dt = 1/{60 * ratio} s", shares)
    assert work > 0.0
    assert max(excess) < 0.01 * work
    assert water > 0.3 * work


def broadside(thick, angle, offset):
    """Added mass of a plate, 20 cells long and round at its ends, against theory: rho pi (l/2)^2, the ends included."""
    length = 1.0
    plate = (LinkSpec(name="plate", length=length, half_width=(0.5 * thick / 20.0,) * 2),)
    one = tank(plate, nx=96, ny=96, width=4.8)
    one.swimmers.root[0, 2] = angle
    lay_out(one.swimmers, one.links, 0)
    middle = one.links.place[0, :2] - 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
    one.fluid.origin[0] = middle - 2.4 + np.asarray(offset) * one.fluid.cell[0]
    one.links.mass[0], one.links.inertia[0], one.links.com[0] = 0.5, 0.5 / 12.0, 0.5
    normal = np.array([-np.sin(angle), np.cos(angle)])
    one.swimmers.root_rate[0, :2] = normal
    assert one.swim(1, 1e-8, dt=1e-4)
    kept = float(one.swimmers.root_rate[0, :2] @ normal + 0.5 * one.swimmers.root_rate[0, 2] * -1.0)
    return 0.5 * (1.0 / kept - 1.0) / (np.pi * 0.25 * (length * (1.0 + thick / 20.0)) ** 2)


def test_a05b_thin_plates_are_watertight(record_property):
    """Study: added mass of a plate broadside over theory, 5 angles and 4 offsets: 0.92 to 1.11, 0.90 to 1.08, 0.93 to 1.03
    and 0.98 to 1.06 at 0.02, 0.5, 1 and 1.5 cells; without closing it falls to 0."""
    for thick in (0.02, 0.5, 1.0, 1.5):
        found = [broadside(thick, angle, offset) for angle in (0.0, 0.3, 0.6, np.pi / 4.0, 1.2)
                 for offset in ((0.0, 0.0), (0.5, 0.5), (0.25, 0.1), (0.7, 0.45))]  # fmt: skip
        record_property(f"{thick} cells", f"{min(found):.2f} to {max(found):.2f}")
        assert min(found) > 0.85
        assert max(found) < 1.2


def test_ground_is_passed_by_no_water():
    """Static solids: faces of cells of ground carry no water, also while the water drifts past them."""
    one = tank(gait=hand_gait(), nx=64, ny=64, width=2.25)
    solid = np.zeros((64, 64), bool)
    solid[:10] = True
    write_solids(one.windows, 0, solid)
    one.swimmers.stream[0] = 0.2, 0.1, 0.0
    assert one.swim(5, 1e-6)
    fluid = one.fluid
    ground = fluid.owner_v[0] == GROUND
    assert ground.any()
    assert np.abs(fluid.v[0][ground] + 0.1).max() < 1e-12
    assert np.abs(fluid.u[0][fluid.owner_u[0] == GROUND] + 0.2).max() < 1e-12
    wet = fluid.damped[0, 0] > 0.0
    flow_v = np.where(ground, -0.1, 0.0) + fluid.open_v[0] * fluid.v[0]
    flow_u = np.where(fluid.owner_u[0] == GROUND, -0.2, 0.0) + fluid.open_u[0] * fluid.u[0]
    out = flow_u[1:-1, 1:-1] - flow_u[1:-1, :-2] + flow_v[1:-1, 1:-1] - flow_v[:-2, 1:-1]
    body = np.zeros_like(fluid.u[0])
    rows, cells = rows_of(one)
    np.add.at(body, tuple(cells.T), rows @ fluid.rate[0, 0, : rows.shape[1]] / fluid.cell[0])
    assert np.abs((out + body[1:-1, 1:-1])[wet[1:-1, 1:-1]]).max() < 1e-4


def test_the_hand_gait_goes_as_far_as_in_the_study(record_property):
    """Study: 1.58, 1.90 and 1.94 L in 4 s at 64 x 32, 128 x 64 and 256 x 128 cells over 3 x 1.5 L."""
    for nx, study in ((64, 1.58), (128, 1.90)):
        one = tank(gait=hand_gait(), nx=nx, ny=nx // 2)
        assert one.swim(240)
        way = float(np.hypot(*one.swimmers.root[0, :2]))
        record_property(f"L at {nx} x {nx // 2}", way)
        criterion(record_property, holds=abs(way - study) < 0.1 * study, why_not="more than 10 % away from the study")
        assert 0.85 * study < way < 1.15 * study


def test_the_eel_of_the_digest_weighs_what_it_should():
    one = tank(EEL)
    assert one.mass == pytest.approx(0.062 + 0.5 * np.pi * 0.05**2, rel=1e-12)
