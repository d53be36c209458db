"""Bodies of links in the plane against what follows from their energy alone."""

from math import sqrt

import numpy as np
import pytest

from paludarium.components.articulated.links import LinkSpec
from paludarium.systems.articulated.fluid.plane_body_kernel import end_body, swim_body
from paludarium.systems.articulated.fluid.window_layout import FRAME, MOST_RATES
from paludarium.systems.articulated.fluid.windows import lay_out
from paludarium.tests.reproduction.swimmers.bodies import EEL, tank

TREE = (
    LinkSpec(name="trunk", length=0.5, half_width=(0.18, 0.13)),
    LinkSpec(name="left", parent="trunk", length=0.22, half_width=(0.04, 0.03), at=(-0.08, 0.15), rest=-1.2),
    LinkSpec(name="left tip", parent="left", length=0.22, half_width=(0.03, 0.02)),
    LinkSpec(name="right", parent="trunk", length=0.22, half_width=(0.04, 0.03), at=(-0.08, -0.15), rest=1.2),
    LinkSpec(name="tail", parent="trunk", length=0.3, half_width=(0.05, 0.01)),
)


class Dry:
    """A body without water."""

    def __init__(self, links):
        self.one = tank(links, nx=32, ny=32)
        self.n = len(links)
        self.frame = np.zeros((self.n, len(FRAME)))
        self.matrix = np.zeros((MOST_RATES, MOST_RATES))
        self.rate, self.star, self.force = (np.zeros(MOST_RATES) for _ in range(3))
        rng = np.random.default_rng(5)
        self.one.swimmers.root[0] = rng.normal(size=3)
        self.one.swimmers.root_rate[0] = rng.normal(size=3)
        self.one.links.angle[1 : self.n] = 0.4 * rng.normal(size=self.n - 1)
        self.one.links.rate[1 : self.n] = rng.normal(size=self.n - 1)

    def free(self):
        """Without servos."""
        self.one.links.kp[: self.n] = self.one.links.kd[: self.n] = 0.0

    def step(self, dt):
        swimmers, links = self.one.swimmers, self.one.links
        assert swim_body(0, swimmers, links, dt, self.frame, self.matrix, self.rate, self.star, self.force)
        end_body(0, swimmers, links, dt, 0.0, 0.0, self.frame, self.star)

    def rates(self):
        return np.r_[self.one.swimmers.root_rate[0], self.one.links.rate[1 : self.n]]

    def centres(self, q):
        """(n, 3) centres of mass and angles of links at coordinates q."""
        self.one.swimmers.root[0], self.one.links.angle[1 : self.n] = q[:3], q[3:]
        lay_out(self.one.swimmers, self.one.links, 0)
        place = self.one.links.place[: self.n].copy()
        place[:, :2] -= self.one.links.com[: self.n, None] * np.column_stack([np.cos(place[:, 2]), np.sin(place[:, 2])])
        return place

    def q(self):
        return np.r_[self.one.swimmers.root[0], self.one.links.angle[1 : self.n]]

    def jacobian(self, q, h=1e-6):
        """(n, 3, rates) of centres and angles, from positions alone."""
        units = np.eye(len(q))
        found = np.stack([(self.centres(q + h * e) - self.centres(q - h * e)) / (2 * h) for e in units], axis=-1)
        self.centres(q)
        return found

    def mass_matrix(self, q):
        weights = np.stack([self.one.links.mass[: self.n]] * 2 + [self.one.links.inertia[: self.n]], axis=1)
        jacobian = self.jacobian(q)
        return np.einsum("kai,ka,kaj->ij", jacobian, weights, jacobian)

    def momentum(self):
        """Linear and, about the origin, angular."""
        q, rates = self.q(), self.rates()
        v = self.jacobian(q) @ rates
        c, m = self.centres(q), self.one.links.mass[: self.n]
        spin = float((m * (c[:, 0] * v[:, 1] - c[:, 1] * v[:, 0]) + self.one.links.inertia[: self.n] * v[:, 2]).sum())
        return np.array([*(m[:, None] * v[:, :2]).sum(axis=0), spin])

    def energy(self):
        rates = self.rates()
        return 0.5 * float(rates @ self.mass_matrix(self.q()) @ rates)


@pytest.fixture(params=[EEL, TREE], ids=["eel", "tree"])
def dry(request):
    return Dry(request.param)


def test_the_mass_matrix_is_that_of_its_energy(dry):
    q = dry.q()
    wanted = dry.mass_matrix(q)
    dry.free()
    dry.one.swimmers.root[0], dry.one.links.angle[1 : dry.n] = q[:3], q[3:]
    dry.step(1e-9)
    lower = np.tril(dry.matrix[: dry.n + 2, : dry.n + 2])
    assert lower @ lower.T == pytest.approx(wanted, rel=1e-6, abs=1e-9 * np.abs(wanted).max())


def test_a_free_body_keeps_its_momentum_and_energy(dry):
    """To first order in the step, as the scheme is: an eighth of the step leaves an eighth of the error."""
    dry.free()
    found = []
    start = dry.q(), dry.rates()
    for parts in (1, 8):
        dry.one.swimmers.root[0], dry.one.links.angle[1 : dry.n] = start[0][:3], start[0][3:]
        dry.one.swimmers.root_rate[0], dry.one.links.rate[1 : dry.n] = start[1][:3], start[1][3:]
        before, energy = dry.momentum(), dry.energy()
        for _ in range(100 * parts):
            dry.step(1e-3 / parts)
        found.append((np.abs(dry.momentum() - before).max(), abs(dry.energy() / energy - 1.0)))
    (spin, lost), (finer_spin, finer_lost) = found
    assert lost < 0.02
    assert finer_lost < 0.25 * lost
    assert finer_spin < 0.25 * spin < 0.01 * np.abs(before).max()


def test_a_push_gives_its_impulse(dry):
    dry.free()
    before = dry.momentum()
    dry.one.links.push[dry.n - 1] = 2.0, -3.0, 0.0
    for _ in range(10):
        dry.step(1e-5)
    assert dry.momentum()[:2] - before[:2] == pytest.approx(1e-4 * np.array([2.0, -3.0]), rel=2e-2)


def test_a_servo_turns_a_wheel_like_a_damped_oscillator():
    """The first link is as heavy as a wall: the second turns by its servo alone."""
    wall, arm = LinkSpec(name="wall", length=1.0, half_width=(0.1, 0.1)), LinkSpec(name="arm", half_width=(0.02, 0.02))
    dry = Dry((wall, arm))
    one = dry.one
    one.swimmers.root[0] = one.swimmers.root_rate[0] = 0.0
    one.links.mass[0], one.links.inertia[0] = 1e9, 1e9
    one.links.rate[1], one.links.angle[1] = 0.0, 0.3
    about_joint = one.links.inertia[1] + one.links.mass[1] * one.links.com[1] ** 2
    one.links.kp[1], one.links.kd[1] = 40.0 * about_joint, 2.0 * about_joint
    dt, t = 1e-5, 0.4
    for _ in range(round(t / dt)):
        dry.step(dt)
    w = sqrt(40.0 - 1.0)
    wanted = 0.3 * np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w)
    assert one.links.angle[1] == pytest.approx(wanted, abs=1e-4)


def test_work_is_torque_times_turn(dry):
    """An impulse works at the mean of the rates before and after it."""
    dry.one.links.wanted[1 : dry.n] = 0.5
    rates, work = [dry.one.links.rate[1 : dry.n].copy()], 0.0
    for _ in range(20):
        dry.step(1e-3)
        rates.append(dry.one.links.rate[1 : dry.n].copy())
        work += float((dry.one.links.torque[1 : dry.n] * 0.5e-3 * (rates[-1] + rates[-2])).sum())
    assert dry.one.swimmers.work[0] == pytest.approx(work, rel=1e-9)
    assert dry.one.swimmers.cycle_work[0] == dry.one.swimmers.work[0]


def test_the_heading_is_the_mean_angle_by_mass(dry):
    dry.step(1e-3)
    here = slice(0, dry.n)
    wanted = np.average(dry.one.links.place[here, 2], weights=dry.one.links.mass[here])
    assert dry.one.swimmers.heading[0] == pytest.approx(wanted, rel=1e-12)
