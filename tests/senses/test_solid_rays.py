"""Rays, lines of sight and free paths of solids against small steps along the way with their distance."""

import numpy as np
import pytest

from paludarium.systems.fish.eye_view.squashed_solids_kernel import meets_squashed
from paludarium.systems.senses import box, pillar, sphere
from paludarium.systems.spatial_index.free_path_kernel import free_path_to_solid
from paludarium.systems.spatial_index.solid_kernel import solid_distance
from paludarium.systems.spatial_index.solid_ray_kernel import meets_solid, solid_hides
from paludarium.tests.capsule_rows import capsules

OF_ALL_KINDS = {
    "sphere": sphere((1.0, -2.0, 0.5), 1.2),
    "pillar": pillar((-1.0, 0.5), 0.8, bottom=-3.0, height=6.0),
    "box": box((0.5, 1.0), 3.0, 1.0, heading=0.7, bottom=-1.0, height=1.5),
    "capsule": capsules(np.array([[0.0, 0.0, 1.0]]), np.array([[2.0, 1.0, 0.0]]), 0.4, np.array([3], np.int32)),
    "ball of a capsule": capsules(np.zeros((1, 3)), np.zeros((1, 3)), 0.7, np.array([3], np.int32)),
}
FAR = 20.0


def outside(solid, rng, count):
    found = []
    while len(found) < count:
        place = rng.uniform((-4, -4, -2.5), (4, 4, 2.5))
        if solid_distance(solid, 0, *place)[0] > 0.01:
            found.append(tuple(place))
    return found


def first_within(solid, start, u, gap=0.0):
    """The first way at which a line is within a gap of a solid: by steps that cannot pass it."""
    t = 0.0
    while t < FAR:
        d = solid_distance(solid, 0, *(np.array(start) + t * u))[0] - gap
        if d < 1e-9:
            return t
        t += d
    return np.inf


@pytest.mark.parametrize("kind", OF_ALL_KINDS)
def test_a_ray_meets_where_the_distance_ends(kind):
    solid, rng, met = OF_ALL_KINDS[kind], np.random.default_rng(2), 0
    round_bodies = np.zeros((1, 4))
    for eye in outside(solid, rng, 150):
        goal = rng.uniform(-2.0, 2.0, 3)
        u = (goal - eye) / np.linalg.norm(goal - eye)
        way, wanted = meets_solid(eye, tuple(u), solid, 0), first_within(solid, eye, u)
        assert way == pytest.approx(wanted, abs=1e-4)  # a grazing ray ends its steps early
        assert meets_squashed(eye, tuple(u), solid, 0, round_bodies) == way
        met += wanted < np.inf
    assert 15 < met < 150


@pytest.mark.parametrize("kind", OF_ALL_KINDS)
def test_a_solid_hides_what_lies_behind_it(kind):
    solid, rng, hidden = OF_ALL_KINDS[kind], np.random.default_rng(3), 0
    places = outside(solid, rng, 300)
    for o, p in zip(places[::2], places[1::2], strict=True):
        way = np.linalg.norm(np.subtract(p, o))
        steps = np.linspace(0.0, 1.0, 400)[:, None] * np.subtract(p, o) + o
        nearest = min(solid_distance(solid, 0, *step)[0] for step in steps)
        if abs(nearest) < 0.01 * way:  # too near to the rim for so large steps
            continue
        assert solid_hides(o, p, solid, 0) == (nearest < 0.0)
        hidden += nearest < 0.0
    assert hidden > 4


@pytest.mark.parametrize("kind", OF_ALL_KINDS)
def test_a_ball_is_free_until_it_touches(kind):
    solid, rng, clearance = OF_ALL_KINDS[kind], np.random.default_rng(4), 0.3
    for at in outside(solid, rng, 80):
        u = rng.normal(size=3)
        u /= np.linalg.norm(u)
        d, *normal = solid_distance(solid, 0, *at)
        free = free_path_to_solid(solid, 0, at, tuple(u), clearance, FAR)
        if d > clearance + 0.01:
            assert free == pytest.approx(min(first_within(solid, at, u, clearance), FAR), abs=0.02)
        elif d < clearance:  # too near already: only what leads closer is blocked
            assert free == (0.0 if u @ normal < 0.0 else FAR)
