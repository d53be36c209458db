"""What must hold of bodies of springs in water, whatever the species: symmetry, convergence, scale, no drift."""

import numpy as np
import pytest

from paludarium.components.fish.springs import SpringSpec, part_volumes
from paludarium.components.fish.topology import SPRINGS
from paludarium.tests.fish.open_water import LENGTH, Fishes, sea
from paludarium.tests.fish.tanks import DAMPING, STIFFNESS, WATER, Tank

MIRROR = np.array([1.0, -1.0, 1.0])
MIRRORED_NODES = np.array([0, *(1 + 4 * ring + corner for ring in range(5) for corner in (3, 2, 1, 0)), 21, 22])


def speed_of(tank: Tank, beat: float = 3.0, effort: float = 0.75, seconds: float = 3.0) -> float:
    """Lengths per second of its own time, from a start near the steady speed."""
    pace = tank.springs.pace
    tank.launch(1.1)
    tank.beat(beat, effort)
    tank.run(round(2.0 * 60 / pace))
    start = tank.centre[0]
    ticks = round(seconds * 60 / pace)
    tank.run(ticks)
    return float((tank.centre[0] - start)[0] / tank.length / (ticks / 60.0 * pace))


def test_without_water_momentum_and_spin_are_kept():
    tank = Tank(SpringSpec(length=2.0, righting=0.0))
    tank.tune(WATER, 0.0)
    tank.v[:] = np.random.default_rng(2).normal(0.0, 0.2, tank.v.shape)
    tank.beat(3.0, 1.0)

    def spin() -> np.ndarray:
        return np.einsum("n,nc->c", tank.mass, np.cross(tank.x[0], tank.v[0]))

    momentum, before, size = tank.momentum[0], spin(), np.abs(tank.mass[:, None] * tank.v[0]).sum()
    tank.run(600)
    assert np.abs(tank.momentum[0] - momentum).max() < 1e-12 * size
    assert np.abs(spin() - before).max() < 1e-10 * size


def test_without_water_and_damping_energy_does_not_grow():
    """Symplectic steps: the energy of a vibrating body wavers and does not creep. [fish 1]"""
    tank = Tank(SpringSpec(length=1.0, righting=0.0))
    tank.tune(WATER, 0.0)
    tank.tune(DAMPING, 0.0)
    tank.v[:] = np.random.default_rng(3).normal(0.0, 0.05, tank.v.shape)

    def energy() -> float:
        lengths = np.linalg.norm(tank.x[0][SPRINGS[:, 1]] - tank.x[0][SPRINGS[:, 0]], axis=1)
        stretch = lengths - tank.kinds.rest_length[0]
        return float(0.5 * (tank.mass @ (tank.v[0] ** 2)).sum() + 0.5 * tank.kinds.stiffness[0] @ stretch**2)

    start, seen = energy(), []
    for _ in range(60):
        tank.run(10)
        seen.append(energy() / start)
    assert max(seen) < 1.4
    assert abs(np.mean(seen[-10:]) / np.mean(seen[:10]) - 1.0) < 0.15


def test_mirrored_commands_give_mirrored_motion():
    fishes = Fishes(sea(), 2)
    one, other = fishes.rows
    offset = np.array([0.0, 1.0, 0.0]) * 10.0
    for row, sign in ((one, 1.0), (other, -1.0)):
        here = slice(fishes.bodies.first_node[row], fishes.bodies.first_node[row] + 23)
        move = sign * offset - fishes.bodies.centre[row] + np.array([0.0, 0.0, -30.0])
        fishes.nodes.position[here] += move
        fishes.bodies.centre[row] += move
        fishes.motors.phase[row] = 0.7 if row == one else 0.7 + np.pi
    fishes.want([[0.3, 0.8, 0.3], [0.3, -0.8, 0.3]], 0.9)
    worst = 0.0
    for _ in range(180):
        fishes.world.step(1)
        first, second = fishes.x
        worst = max(worst, float(np.abs(first - second[MIRRORED_NODES] * MIRROR).max()))
    assert worst < 1e-9 * LENGTH
    assert fishes.heading[0] == pytest.approx(-fishes.heading[1], abs=1e-9)


def test_eight_substeps_are_enough():
    speeds = []
    for factor in (1, 4):
        tank = Tank(SpringSpec(length=1.0))
        tank.fishes.substeps[:1] *= factor
        speeds.append(speed_of(tank))
    assert tank.fishes.substeps[0] == 32
    assert speeds[0] == pytest.approx(speeds[1], rel=0.02)


@pytest.mark.parametrize("length", [0.5, 20.0])
def test_large_and_small_ones_swim_alike(length):
    assert speed_of(Tank(SpringSpec(length=length))) == pytest.approx(speed_of(Tank(SpringSpec(length=2.0))), rel=1e-6)


@pytest.mark.parametrize("pace", [0.5, 2.0])
def test_fast_and_slow_lives_are_alike(pace):
    usual = speed_of(Tank(SpringSpec(length=2.0)))
    assert speed_of(Tank(SpringSpec(length=2.0, pace=pace))) == pytest.approx(usual, rel=0.03)


def test_an_individual_of_another_size_swims_alike():
    tank = Tank(SpringSpec(length=2.0))
    usual = speed_of(tank)
    large = Tank(SpringSpec(length=2.0))
    large.fishes.size[:1], large.fishes.length[:1] = 1.3, 2.6
    large.x[:] *= 1.3
    large.launch(1.1 * 1.3)
    large.beat(3.0, 0.75)
    large.run(120)
    start = large.centre[0]
    large.run(180)
    assert (large.centre[0] - start)[0] / 2.6 / 3.0 == pytest.approx(usual, rel=0.01)


def test_no_vertical_drift():
    tank = Tank(SpringSpec(length=1.0))
    tank.beat(2.7, 0.5)
    tank.run(600)
    assert abs(tank.centre[0, 2]) < 1e-9
    assert tank.centre[0, 0] > 4.0


def test_stiffer_bodies_beat_with_less_bending():
    """The tuned stiffness reaches the springs: the tail's swing at a low beat falls."""
    swings = []
    for factor in (1.0, 3.0):
        tank = Tank(SpringSpec(length=1.0), count=1)
        tank.tune(STIFFNESS, factor)
        tank.beat(3.0, 1.0)
        tank.run(120)
        tail = []
        for _ in range(60):
            tank.run(1)
            tail.append(tank.x[0, 21, 1] - tank.centre[0, 1])
        swings.append(np.ptp(tail))
    assert swings[0] != pytest.approx(swings[1], rel=0.02)


def test_volumes_of_a_swimming_body_stay():
    tank = Tank(SpringSpec(length=1.0))
    rest = part_volumes(tank.x[0])
    tank.beat(4.0, 1.0, tone=1.5)
    for _ in range(30):
        tank.run(10)
        assert (part_volumes(tank.x[0]) > 0.5 * rest).all()
