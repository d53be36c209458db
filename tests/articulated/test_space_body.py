"""Bodies of hinges in space against what mechanics says of them: books of momentum and energy, a pendulum, a mirror."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.components.articulated.link_plan import plan_of
from paludarium.components.articulated.links import LinkSpec
from paludarium.components.articulated.servo import ServoSpec
from paludarium.engine.kernel import kernel
from paludarium.systems.articulated.space.space_body import new_state, space_body
from paludarium.systems.articulated.space.space_body_kernel import (
    advance_body,
    move_links,
    place_links,
    push_servos,
    write_mass_matrix,
)

TANGLE = (
    LinkSpec(name="a", length=0.4, half_width=(0.1, 0.08), half_height=(0.15, 0.1)),
    LinkSpec(name="b", parent="a", length=0.0, at=(-0.4, 0.05, 0.02)),
    LinkSpec(name="c", parent="b", length=0.3, at=(0.0,) * 3, axis=(0.0, 1.0, 0.0), half_width=(0.06, 0.04), aside=0.03),
    LinkSpec(name="d", parent="c", length=0.3, axis=(1.0, 0.0, 1.0), half_width=(0.04, 0.03), half_height=(0.02, 0.02)),
)


@kernel()
def swing_dry(body, state, steps, dt):
    """Let a body move without water, steps times; return whether all went well."""
    for _ in range(steps):
        if not push_servos(body, state, dt):
            return False
        advance_body(body, state, dt)
    return True


def loose(links):
    """A body whose servos do nothing."""
    body = space_body(plan_of(links))
    body.kp[:] = body.kd[:] = 0.0
    return body


def books(body, state):
    """Energy, momentum, and angular momentum about the origin."""
    place_links(body, state)
    move_links(body, state)
    write_mass_matrix(body, state)
    momentum = state.mass_matrix @ state.rate
    return 0.5 * state.rate @ momentum, momentum[:3], momentum[3:6] + np.cross(state.place, momentum[:3])


def drift(dt):
    """How far the books are off after a second of tumbling, as shares."""
    body = loose(TANGLE)
    state = new_state(body)
    state.rate[:] = 0.3, -0.2, 0.1, 1.0, -0.7, 0.5, 2.0, -1.5, 1.0
    state.angle[1:] = 0.2, -0.3, 0.4
    before = books(body, state)
    assert swing_dry(body, state, round(1.0 / dt), dt)
    after = books(body, state)
    return np.array([np.abs(b - a).max() / np.abs(a).max() for a, b in zip(before, after, strict=True)])


def test_books_balance_to_the_order_of_the_integrator():
    coarse, fine = drift(1 / 200), drift(1 / 400)
    assert (fine < 0.01).all()
    np.testing.assert_allclose(coarse / fine, 2.0, rtol=0.1)


def test_mass_matrix_is_that_of_the_velocities():
    """Its energy is the sum over links of m v^2 / 2 + w I w / 2, with velocities by the chain of joints."""
    body = loose(TANGLE)
    state = new_state(body)
    state.rate[:] = np.random.default_rng(3).normal(size=9)
    state.angle[1:] = 0.5, -0.8, 0.3
    energy, momentum, _ = books(body, state)
    arms = state.middles - state.joints
    speed = state.velocity + np.cross(state.spin, arms)
    own = np.einsum("kij,kj->ki", state.axes, state.spin)
    expected = 0.5 * (body.mass * (speed**2).sum(1)).sum() + 0.5 * (body.inertia * own**2).sum()
    assert energy == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(momentum, body.mass @ speed, rtol=1e-12)


def test_an_ellipsoidal_rod_weighs_what_it_displaces():
    body = space_body(plan_of((LinkSpec(name="rod", length=0.8, half_width=(0.1, 0.1), half_height=(0.05, 0.05)),)))
    rod, nose = np.pi * 0.1 * 0.05 * 0.8, 2 / 3 * np.pi * 0.1 * 0.05 * 0.05
    assert body.mass[0] == pytest.approx(rod + nose, rel=1e-3)


def test_a_spring_swings_two_rods_at_the_frequency_of_the_textbook():
    """Two equal thin rods joined end to end, free, with a spring at the joint: they bend with inertia m l^2 / 24.

    That of our rods, whose ends are not thin, comes from the mass matrix without the root: M_qq - M_qr M_rr^-1 M_rq.
    """
    links = tuple(LinkSpec(name=name, length=0.5, half_width=(0.05, 0.05)) for name in "ab")
    body = space_body(plan_of(links), ServoSpec(damping=0.0))
    state = new_state(body)
    books(body, state)
    mass = state.mass_matrix
    inertia = mass[6, 6] - mass[6, :6] @ np.linalg.solve(mass[:6, :6], mass[:6, 6])
    length, m = 0.5, body.mass[1]
    assert inertia == pytest.approx(m * length**2 / 24.0, rel=0.15)
    period = 2 * np.pi * np.sqrt(inertia / body.kp[1])
    state.angle[1] = 1e-3
    dt, crossings, last = period / 4000, [], 1e-3
    for step in range(8000):
        assert swing_dry(body, state, 1, dt)
        if last > 0.0 >= state.angle[1]:
            crossings.append(step + last / (last - state.angle[1]))
        last = state.angle[1]
    assert np.diff(crossings)[0] * dt == pytest.approx(period, rel=2e-3)


def test_what_moves_in_the_mirror_stays_in_the_mirror():
    def run(sign):
        links = (
            LinkSpec(name="a", length=0.4, half_width=(0.1, 0.08)),
            LinkSpec(name="b", parent="a", length=0.3, at=(-0.1, sign * 0.1, 0.0), axis=(1.0, 0.0, 0.0), aside=sign * 0.05),
        )
        body = loose(links)
        state = new_state(body)
        state.rate[:] = 0.3, sign * 0.2, 0.1, sign * 0.4, 0.5, sign * 0.6, sign * 1.5
        swing_dry(body, state, 60, 1 / 60)
        return state.place.copy(), state.angle[1]

    (here, angle), (there, other) = run(1.0), run(-1.0)
    np.testing.assert_allclose(here, there * (1.0, -1.0, 1.0), atol=1e-12)
    assert angle == pytest.approx(-other, abs=1e-12)
