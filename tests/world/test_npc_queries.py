"""Who is where: points, rays and circles against brute force over dense samples of the bodies."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import PaludariumError, World
from paludarium.engine.queries import first_contact


@pytest.fixture(scope="module")
def crowd() -> World:
    world = World(seed=8)
    world.spawn("stone_centipede", count=5, spread=25, faction="red")
    world.spawn("pauropod", count=8, spread=25, faction="blue")
    world.step(200)  # bent bodies
    return world


def body_distance(creature, points: np.ndarray) -> np.ndarray:
    """Distance in plan view from points to the middle line of a body, by projecting onto every link."""
    chain = creature.segments.position[:, :2]
    a, d = chain[:-1], np.diff(chain, axis=0)
    offset = points[:, None] - a
    t = np.clip((offset * d).sum(-1) / (d**2).sum(-1), 0.0, 1.0)
    return np.linalg.norm(offset - t[..., None] * d, axis=-1).min(axis=1)


def half_width(creature) -> float:
    return float(creature.segments.half_extents[:, 1].max())


def test_a_point_hits_exactly_the_bodies_that_are_nearer_than_their_half_width(crowd):
    points = np.random.default_rng(1).uniform(-30.0, 30.0, size=(400, 2))
    bodies = list(crowd.creatures.values())
    inside = {c.serial: body_distance(c, points) <= half_width(c) for c in bodies}
    found = 0
    for place, point in enumerate(points):
        hits = crowd.hit(point)
        assert {c.serial for c in hits} == {serial for serial, flags in inside.items() if flags[place]}
        distances = [c.distance_to(point) for c in hits]
        assert distances == sorted(distances)
        found += len(hits)
    assert found > 10


def test_near_is_the_bounding_circle_and_holds_every_body_part(crowd):
    rng = np.random.default_rng(2)
    for point, radius in zip(rng.uniform(-40.0, 40.0, size=(60, 2)), rng.uniform(0.0, 15.0, size=60), strict=True):
        near = crowd.near(point, radius)
        for creature in crowd.creatures.values():
            circle = creature.distance_to(point) <= radius + crowd.creature_pool.reach[creature.row]
            assert (creature in near) == circle
            if body_distance(creature, point[None])[0] <= radius:
                assert creature in near  # nothing that is really near is missed
        red = crowd.near(point, radius, faction="red")
        assert red == [c for c in near if c.faction == "red"]
    crowd.set_relation("green", "red", "neutral")  # it is known then, and has no members
    assert crowd.near((0, 0), 1000.0, faction="green") == []
    assert crowd.hit((0, 0), 1000.0, faction="blue") == [c for c in crowd.hit((0, 0), 1000.0) if c.faction == "blue"]


def test_a_ray_meets_the_first_body_on_its_way(crowd):
    """Against marching: the ray is walked in steps of a hundredth unit."""
    rng = np.random.default_rng(3)
    met = 0
    for start, end in zip(rng.uniform(-35.0, 35.0, size=(40, 2)), rng.uniform(-35.0, 35.0, size=(40, 2)), strict=True):
        length = np.linalg.norm(end - start)
        way = np.linspace(0.0, 1.0, int(length / 0.01) + 2)
        samples = start + way[:, None] * (end - start)
        first, who = np.inf, None
        for creature in crowd.creatures.values():
            inside = np.flatnonzero(body_distance(creature, samples) <= half_width(creature))
            if inside.size and way[inside[0]] * length < first:
                first, who = way[inside[0]] * length, creature
        hit = crowd.raycast(start, end)
        if who is None:
            assert hit is None or hit.distance > 0.0  # a graze thinner than a step
            assert hit is None or body_distance(hit.creature, hit.point[None])[0] == pytest.approx(half_width(hit.creature))
            continue
        met += 1
        assert hit.creature is who
        assert hit.distance == pytest.approx(first, abs=0.02)
        np.testing.assert_allclose(hit.point, start + hit.distance / length * (end - start), atol=1e-9)
        gaps = np.linalg.norm(who.segments.position[:, :2] - hit.point, axis=1)
        assert gaps[hit.segment] <= gaps.min() + 2.0 * half_width(who)
    assert met > 10


def test_rays_meet_props_skip_the_ignored_and_keep_to_a_faction():
    world = World(seed=1)
    a = world.spawn("pauropod", at=(0.0, 0.0), heading=np.pi / 2, faction="red")
    b = world.spawn("pauropod", at=(6.0, 0.0), heading=np.pi / 2, faction="blue")
    rock = world.add_obstacle("cylinder", (12.0, -2.0), 1.0)
    world.set_relation("green", "red", "neutral")
    ray = ((-10.0, -2.0), (30.0, -2.0))
    assert world.raycast(*ray).creature is a
    assert world.raycast(*ray, ignore=a).creature is b
    assert world.raycast(*ray, faction="blue").creature is b
    last = world.raycast(*ray, faction="green")
    assert last.what == rock
    assert last.creature is None
    assert last.distance == pytest.approx(21.0)
    assert world.raycast(*ray, faction="green", props=False) is None
    reverse = world.raycast((30.0, -2.0), (-10.0, -2.0))
    assert reverse.what == rock
    inside = world.raycast((0.0, -2.0), (30.0, -2.0))
    assert (inside.creature, inside.distance) == (a, 0.0)
    with pytest.raises(PaludariumError, match="raycast"):
        world.raycast((0, 0), (np.nan, 0))


def test_first_contact_has_the_closed_form_of_discs_and_strips():
    link, radius = (np.array([[0.0, 0.0]]), np.array([[10.0, 0.0]])), np.array([1.0])
    assert first_contact(*link, radius, np.array([5.0, 5.0]), np.array([5.0, -5.0]))[0] == pytest.approx(0.4)
    assert first_contact(*link, radius, np.array([-5.0, 0.0]), np.array([5.0, 0.0]))[0] == pytest.approx(0.4)
    assert first_contact(*link, radius, np.array([5.0, 2.0]), np.array([50.0, 2.0]))[0] == np.inf
    assert first_contact(*link, radius, np.array([5.0, 0.5]), np.array([50.0, 0.5]))[0] == 0.0
    corner = first_contact(*link, radius, np.array([12.0, 4.0]), np.array([12.0, -4.0]))[0]
    assert corner == np.inf
    point = np.zeros((1, 2))
    assert first_contact(point, point, radius, np.array([-3.0, 0.0]), np.array([1.0, 0.0]))[0] == pytest.approx(0.5)
