"""The box of water in three dimensions: added mass of a ball and of a plate, rest, momentum, and left and right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from paludarium.components.articulated.link_plan import plan_of
from paludarium.components.articulated.links import LinkSpec
from paludarium.engine.errors import ArgumentError, SpeciesError
from paludarium.engine.world import World
from paludarium.lab.articulated.space.space_bodies import load_body
from paludarium.lab.articulated.space.space_task import SpaceTask
from paludarium.lab.articulated.space.space_trial import Basin, Swim, turn_between
from paludarium.lab.articulated.space.swim_in_box_kernel import FORWARD, MIDDLE
from paludarium.lab.articulated.space.trial_step_kernel import step_box
from paludarium.lab.articulated.training.objective import Weights
from paludarium.lab.articulated.training.search import Search, measure_serially
from paludarium.lab.articulated.training.variables import Variables
from paludarium.systems.articulated.space.box_arrays import Counter, field, fluid_box
from paludarium.systems.articulated.space.box_step_kernel import FINE
from paludarium.systems.articulated.space.space_body import new_state, space_body

SOON = 1e-9
"""A step so short that only pressure acts."""


def ball(radius, offset, cells=(64, 64, 64)):
    """A ball of water's density in the middle of a box one length long, off its grid."""
    body = space_body(plan_of((LinkSpec(name="ball", length=1e-3, half_width=(radius, radius)),)))
    body.mass[0] = mass = 4.0 / 3.0 * np.pi * radius**3
    body.com[0], body.inertia[0] = (-5e-4, 0.0, 0.0), 0.4 * mass * radius**2
    box = fluid_box(1.0, cells)
    box.origin[:] = -0.5 + box.dx * np.array(offset)
    return box, body, new_state(body)


@pytest.mark.parametrize("cells, band", [(6, 0.02), (12, 0.01)])
def test_a_ball_carries_half_of_the_water_that_it_displaces(cells, band):
    rng = np.random.default_rng(cells)
    for _ in range(3):
        box, body, state = ball(cells / 128.0, rng.uniform(size=3))
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        state.rate[:3] = way
        assert step_box(box, body, state, SOON, 1e-4) == FINE
        assert 1.0 / (state.rate[:3] @ way) - 1.0 == pytest.approx(0.5, abs=band)


def test_a_thin_plate_holds_water():
    """A disc of radius a moving broadside has 8/3 rho a^3; an ellipse of half axes a, b stands in between. [Lamb 71, 108]

    Here a plate 12 x 12 cells: added mass of a square of side s is 0.4548 s^3. [Blevins tab. 14]
    """
    side = 12 / 64
    for thickness in (0.1, 0.5, 1.0):
        half = 0.5 * thickness / 64
        link = LinkSpec(name="plate", length=side, half_width=(side / 2, side / 2), half_height=(half, half))
        body = space_body(plan_of((link,)))
        mass = body.mass[0] = 0.1 * side**3
        body.com[0], body.inertia[0] = (-side / 2, 0.0, 0.0), 1e3 * mass  # it does not turn
        box = fluid_box(1.0, (64, 64, 64))
        found = []
        for offset in (0.05, 0.3, 0.55, 0.8):
            box.origin[:] = -0.5 - side / 2 + box.dx * offset, -0.5 + box.dx * offset, -0.5 + box.dx * offset
            box.p[:] = box.u[:] = box.v[:] = box.w[:] = 0.0
            state = new_state(body)
            state.rate[2] = 1.0
            assert step_box(box, body, state, SOON, 1e-4) == FINE
            found.append(mass * (1.0 / state.rate[2] - 1.0) / (0.4548 * side**3))
        assert 0.85 < min(found), (thickness, found)
        assert max(found) < 1.3, (thickness, found)


def test_rest_stays_at_rest():
    swim = Swim(load_body("fish_3d"), Basin(cells=(32, 16, 16)))
    assert swim.cycles(0.5, np.zeros((3, 4)))
    assert np.abs(swim.state.rate).max() == 0.0
    assert max(np.abs(field(swim.box, name)).max() for name in "uvw") == 0.0


def test_momentum_goes_from_the_body_into_the_water_and_through_the_edges():
    """Across the projection: what the body loses the water has, outer faces by half of a cell. [swimmer 3]"""
    box, body, state = ball(0.1, (0.3, 0.4, 0.2), (32, 32, 32))
    state.rate[:3] = way = np.array([0.5, 1.0, -0.7])
    before = body.mass[0] * way
    assert step_box(box, body, state, SOON, 1e-6) == FINE
    after = body.mass[0] * (state.rate[:3] + np.cross(state.rate[3:6], body.com[0]))
    for axis, name in enumerate("uvw"):
        speed, open_ = field(box, name), np.minimum(field(box, f"open_{'xyz'[axis]}"), 1.0)
        weight = np.ones_like(speed)
        ends = [slice(None)] * 3
        for end in (1, box.cells[axis] + 1):
            ends[axis] = end
            weight[tuple(ends)] = 0.5
        water = box.dx**3 * float((weight * open_ * speed).sum())
        assert after[axis] + water == pytest.approx(before[axis], abs=2e-4 * np.abs(before).max())


def test_left_and_right_are_the_same_to_the_water():
    fish = load_body("fish_3d")
    stroke = np.zeros((3, 4))
    stroke[0, 1:], stroke[1, 1:], stroke[2, 1:] = (0.3, 0.2, -0.4), (0.0, 0.4, 0.3), (0.2, 0.2, 0.2)
    ends = []
    for sign in (1.0, -1.0):
        swim = Swim(fish, Basin(cells=(32, 16, 16), tolerance=1e-5))
        assert swim.cycles(1, sign * stroke)
        ends.append(swim.record[-1, MIDDLE:FORWARD])
    np.testing.assert_allclose(ends[0] * (1.0, -1.0, 1.0), ends[1], atol=1e-4)
    assert abs(ends[0][1]) > 5e-3  # it went somewhere to the side


def test_a_trial_is_the_same_whenever_it_is_run():
    manta, ends = load_body("manta"), []
    for _ in range(2):
        swim = Swim(manta, Basin(cells=(32, 16, 16), lengths=2.6))
        numbers = Variables(manta.plan)
        assert swim.cycles(0.5, numbers.sines(np.linspace(-0.3, 0.3, numbers.count)))
        ends.append(swim.record[-1].copy())
    np.testing.assert_array_equal(ends[0], ends[1])


def test_the_box_follows_by_whole_cells():
    box, body, state = ball(0.1, (0.0, 0.0, 0.0), (32, 32, 32))
    box.u[:] = 0.0
    field(box, "u")[9, 16, 16] = 1.0
    before = box.origin.copy()
    state.place[0] = 5.2 * box.dx
    step_box(box, body, state, SOON, 1e-2)
    assert np.rint((box.origin - before) / box.dx).tolist() == [5, 0, 0]
    assert box.counters[Counter.SHIFTS] == 1
    assert field(box, "u")[4, 16, 16] > 0.3  # projected, and five cells further back


def fish_task(**keys):
    library = World(seed=0).species
    library.add(load_body("fish_3d").file)
    return replace(SpaceTask.of_species(library["fish_3d"], "straight"), **keys)


def test_the_search_of_the_plane_tries_strokes_in_space():
    task = fish_task(basin=Basin(cells=(32, 16, 16), cycles=1), weights=Weights(bound=10.0))
    search = Search(task, seed=1, population=4, spread=0.2)
    search.run(measure_serially)
    assert search.best_score.value == pytest.approx(task.score(search.best)[0], abs=1e-12)
    assert search.best_score.distance == pytest.approx(task.score(search.best)[1], abs=1e-12)
    assert np.abs(search.best).max() > 0.0


def test_bad_input_is_named():
    with pytest.raises(ArgumentError, match="cells"):
        fluid_box(1.0, (64, 31, 32))
    with pytest.raises(SpeciesError, match="fish_3d"):
        load_body("fish_3b")
    with pytest.raises(ArgumentError, match="turn_right.*pitch_up"):
        fish_task(manoeuvre="turn_right")
    with pytest.raises(ArgumentError, match="64x64.*64x32x32"):
        Basin.named("64x64")
    with pytest.raises(SpeciesError, match="no_such"):
        load_body("fish_3d").sines("no_such")


def test_turns_between_frames_are_rotation_vectors():
    c, s = np.cos(0.3), np.sin(0.3)
    left = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(turn_between(np.eye(3), left), (0.0, 0.0, 0.3), atol=1e-12)
