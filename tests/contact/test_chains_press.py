"""Bodies have sides: what meets presses against each other with equal and opposite forces."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.myriapod.chain_segments import ChainSegmentPool, Lift
from paludarium.components.myriapod.construction.lattice import FREE_MASSES
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.segments import SegmentPool
from paludarium.examples import crowd
from paludarium.systems.contact.neighbours_kernel import MOST_BODIES
from paludarium.systems.contact.soft_contact_kernel import nearest_points
from paludarium.tests.capsule_rows import capsules

POINTS = np.linspace(0.0, 1.0, 201)


@pytest.mark.parametrize("seed", range(20))
def test_nearest_points_are_those_of_brute_force(seed):
    """But for the pull toward the middle, which may cost a hundredth of a link's length."""
    ends = np.random.default_rng(seed).uniform(-1.5, 1.5, (2, 2, 3))
    links = capsules(ends[:, 0], ends[:, 1], 0.5, np.zeros(2, np.int32))
    s, t, *way = nearest_points(links, 0, 1, 1.0)
    p, q = (ends[:, 0] + np.array([s, t])[:, None] * (ends[:, 1] - ends[:, 0]))
    np.testing.assert_allclose(way, q - p, atol=1e-12)
    on = [end[0] + POINTS[:, None] * (end[1] - end[0]) for end in ends]
    least = np.linalg.norm(on[0][:, None] - on[1], axis=2).min()
    longest = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).max()
    assert least - 0.02 * longest < np.linalg.norm(way) < least + 0.02 * longest


def test_links_side_by_side_meet_in_the_middle():
    starts, ends = np.array([[0.0, 0, 0], [0, 1, 0]]), np.array([[2.0, 0, 0], [2, 1, 0]])
    s, t, *way = nearest_points(capsules(starts, ends, 0.5, np.zeros(2, np.int32)), 0, 1, 1.0)
    assert (s, t) == (pytest.approx(0.5), pytest.approx(0.5))
    np.testing.assert_allclose(way, (0, 1, 0), atol=1e-12)


def rotation_of(turn: np.ndarray) -> np.ndarray:
    """The matrix of a quaternion w, x, y, z."""
    w, x, y, z = turn
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def momentum(world: World) -> np.ndarray:
    """Of all segments and of the nodes of the tissue between them."""
    segments, tissue = world.pool(SegmentPool), world.pool(TissuePool)
    arms = world.pool(ChainSegmentPool).live("center_of_mass")
    swing = [
        np.cross(spin, rotation_of(turn) @ offset)
        for spin, turn, offset in zip(segments.live("angular_velocity"), segments.live("orientation"), arms, strict=True)
    ]
    total = (segments.live("mass")[:, None] * (segments.live("velocity") + np.array(swing))).sum(axis=0)
    nodes, weight = tissue.live("node_velocity"), tissue.live("elastic")[:, 2] * tissue.live("size").prod(axis=1)
    return total + (weight[:, None, None] * np.asarray(FREE_MASSES)[None, :, None] * nodes).sum(axis=(0, 1))


def test_two_free_bodies_that_collide_keep_their_momentum_and_do_not_pass_through_each_other():
    """Limp bodies in empty space without weight, one across the way of the other, at 4 u/s."""
    void = Map.define(name="void", area={"width_u": 200, "height_u": 200}, physics={"gravity_u_per_s2": 0.0})
    world = World(seed=1, map=void)
    hit = world.spawn("stone_centipede", at=(10.0, 0.0, 40.0))
    flying = world.spawn("pauropod", at=(0.0, -4.0, 40.0))
    for body in (hit, flying):
        body.kill()
    world.step()
    segments, tissue = world.pool(SegmentPool), world.pool(TissuePool)
    segments.velocity[:] = segments.angular_velocity[:] = tissue.node_velocity[:] = 0.0
    segments.velocity[flying.rows["segments"].slice, 1] = 4.0
    tissue.node_velocity[flying.rows["tissue"].slice, :, 1] = 4.0
    before = momentum(world)
    assert before[1] > 20.0
    pressed = 0.0
    for _ in range(180):
        world.step()
        press = world.pool(SegmentPool).live("press")
        np.testing.assert_allclose(press.sum(axis=0), 0.0, atol=1e-12 * max(np.abs(press).max(), 1.0))
        pressed = max(pressed, float(np.abs(press).max()))
        assert crowd.deepest_overlap(world) < crowd.DEEP_SHARE
    assert pressed > 10.0
    np.testing.assert_allclose(momentum(world), before, atol=1e-9 * before[1])
    assert hit.segments.velocity[:, 1].mean() > 0.2  # it has taken its share
    assert flying.segments.position[:, 1].max() < hit.segments.position[:, 1].max()


def walk_together(species: tuple[str, str], degrees: float, seconds: int = 8) -> tuple[float, float, float]:
    """Two walkers, the younger on a course that closes in on the older: how far each is led off, and the highest lift."""
    ways, lift = [], 0.0
    for alone in (True, False):
        world = World(seed=3)
        older = world.spawn(species[0], at=(0, 0 if not alone else 40), heading=0.0)
        younger = world.spawn(species[1], at=(0, -3.0), heading=np.radians(degrees))
        start = older.position[1]
        for _ in range(seconds * 60):
            for animal in (older, younger):
                animal.control(2.0)
            world.step()
            if not alone:
                lift = max(lift, float(world.pool(ChainSegmentPool).live("lift")[:, Lift.HEIGHT].max()))
                assert crowd.deepest_overlap(world) < crowd.DEEP_SHARE
        ways.append((older.position[1] - start, younger.position[1]))
    return ways[1][0] - ways[0][0], ways[1][1] - ways[0][1], lift


def test_walkers_side_by_side_press_each_other_aside_and_neither_climbs():
    older, younger, lift = walk_together(("stone_centipede", "stone_centipede"), 12.0)
    assert lift < 0.05
    assert older > 0.3
    assert younger == pytest.approx(-older, rel=0.25)


def test_across_the_younger_still_climbs():
    older, younger, lift = walk_together(("stone_centipede", "stone_centipede"), 80.0)
    assert lift > 1.0
    assert abs(older) < 0.1


def test_forces_are_equal_and_opposite_in_a_crowd_and_at_the_edge_of_a_heap():
    """Whoever lies in too large a heap presses nobody, and nobody presses him."""
    world = crowd.build_world(seed=2, tier="bush")
    for k in range(MOST_BODIES + 10):
        world.spawn("pauropod", at=(-25.0 + 0.02 * k, -25.0), tier="bush")
    press, pressing, largest = world.pool(SegmentPool), 0, 0.0
    for _ in range(60):
        world.step()
        force = press.live("press")
        largest = max(largest, float(np.abs(force).max()))
        np.testing.assert_allclose(force.sum(axis=0), 0.0, atol=1e-11 * max(largest, 1.0))
        pressing += int(np.any(force != 0.0, axis=1).sum())
    assert pressing > 100


def way_of_heads(world: World, seconds: int) -> dict[int, float]:
    """How far every head has gone, in its own body lengths, second by second."""
    ways: dict[int, float] = dict.fromkeys((c.serial for c in world.creatures.values()), 0.0)
    for _ in range(seconds):
        before = {c.serial: c.position[:2].copy() for c in world.creatures.values()}
        world.step(60)
        for c in world.creatures.values():
            ways[c.serial] += float(np.hypot(*(c.position[:2] - before[c.serial]))) / c.length
    return ways


@pytest.mark.parametrize("seconds", [15, pytest.param(60, marks=pytest.mark.slow)])
def test_in_a_pen_of_twenty_nobody_is_stuck(seconds):
    ways = way_of_heads(crowd.build_world(seed=7, tier="bush"), seconds)
    assert min(ways.values()) > seconds / 60.0


def pool_of_swimmers(seed: int, count: int = 16) -> World:
    water = {"bounds": [-40, -40, 40, 40], "level_u": 4.0, "cell_u": 2.0}
    world = World(seed=seed, map=Map.define(name="pool", area={"width_u": 80, "height_u": 80}, water=[water]))
    world.spawn("swimmer", count=count, spread=30.0)
    return world


@pytest.mark.parametrize(
    ("seed", "seconds"), [(1, 10), *(pytest.param(seed, 60, marks=pytest.mark.slow) for seed in (1, 2, 3))]
)
def test_swimmers_do_not_pass_through_each_other(seed, seconds, record_property):
    """Deep pairs of bodies as for walkers (crowd.overlaps): 0.8 to 1.4 % of all pairs before they had sides."""
    world = pool_of_swimmers(seed)
    world.step(180)
    bodies, deep = len(world.creatures), []
    for _ in range(10 * seconds):
        world.step(6)
        depth, whose = crowd.overlaps(world)
        deep.append(len(np.unique(whose[depth > crowd.DEEP_SHARE], axis=0)))
    share = float(np.mean(deep)) / (bodies * (bodies - 1) / 2)
    record_property("deep pairs", round(share, 5))
    assert share < 0.01
    assert np.isfinite(world.pool(SegmentPool).live("position")).all()
