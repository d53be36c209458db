"""Cutting animals in two: nothing jumps, nothing is lost but one block of tissue, and both halves walk on."""

from __future__ import annotations

import esper
import numpy as np
import pytest

from paludarium import PaludariumError, StaleHandleError, World
from paludarium.components.legs import LegPool, Legs
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.headless_walk import GangliaPool
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import Identity
from paludarium.tests.pool_rows import live_rows

JOINT = 7


def walker(seed: int = 1, ticks: int = 120, species: str = "stone_centipede") -> tuple[World, object]:
    world = World(seed=seed)
    creature = world.spawn(species)
    creature.control(2.0)
    world.step(ticks)
    return world, creature


def tissue_mass(world: World) -> float:
    """Mass of the free middle planes; the face nodes are part of the segments."""
    pool = world.pool(TissuePool)
    whole = pool.live("size").prod(axis=1) * pool.live("elastic")[:, 2]
    return float(0.5 * whole.sum())


def test_every_number_of_both_halves_is_that_of_the_whole():
    world, creature = walker()
    names = ("position", "orientation", "velocity", "angular_velocity", "half_extents")
    segments, chained = world.pool(SegmentPool), world.pool(ChainSegmentPool)
    columns = {**dict.fromkeys(names, segments), **dict.fromkeys(("kinematic", "support_timer", "ground_point"), chained)}
    before = {name: pool.live(name).copy() for name, pool in columns.items()}
    legs = {name: world.pool(LegPool).live(name).copy() for name in ("state", "angles", "tip", "armed", "links", "history")}
    nodes = creature.tissue.node_position.copy()
    rear = creature.sever(JOINT)
    halves = (creature, rear)
    for name, values in before.items():
        after = np.concatenate([getattr(columns[name], name)[half.rows["segments"].slice] for half in halves])
        np.testing.assert_array_equal(after, values, err_msg=name)
    for name, values in legs.items():
        after = np.concatenate([world.pool(LegPool).__dict__[name][half.rows["legs"].slice] for half in halves])
        np.testing.assert_array_equal(after, values, err_msg=name)
    np.testing.assert_array_equal(creature.tissue.node_position, nodes[:JOINT])
    np.testing.assert_array_equal(rear.tissue.node_position, nodes[JOINT + 1 :])
    np.testing.assert_array_equal(rear.position, before["position"][JOINT + 1])
    for half in halves:
        assert half.rows["chain_segments"][:2] == half.rows["segments"][:2]
    for half in halves:  # every leg hangs on its own segment: the hip is one upper link away from the knee's side
        carrier = world.pool(SegmentPool).position[half.legs.segment]
        assert np.linalg.norm(half.legs.tip.mean(axis=1) - carrier, axis=1).max() < 2.5


def test_mass_of_both_halves_and_the_lost_block_is_the_mass_before():
    world, creature = walker(ticks=5)
    before = creature.segments.mass.sum() + tissue_mass(world)
    density, size = world.pool(TissuePool).elastic[JOINT, 2], world.pool(TissuePool).size[JOINT]
    rear = creature.sever(JOINT)
    after = creature.segments.mass.sum() + rear.segments.mass.sum() + tissue_mass(world)
    assert after + density * np.prod(size) == pytest.approx(before, rel=1e-12)
    fresh = world.spawn("stone_centipede", at=(0.0, 40.0))
    # A segment at a cut is like the one at a natural end: the head carries one face of tissue, and so does it.
    assert creature.segments.mass[-1] == pytest.approx(fresh.segments.mass[0], rel=1e-12)
    assert rear.segments.mass[0] == pytest.approx(fresh.segments.mass[0], rel=1e-12)


def test_both_halves_live_on_with_their_legs():
    world, creature = walker()
    heard = []
    world.on("severed", lambda event: heard.append((event.creature, event.rear, event.joint)))
    rear = creature.sever(JOINT)
    starts = creature.position.copy(), rear.position.copy()
    before = world.pool(SegmentPool).live("position").copy()
    world.step()
    assert np.abs(world.pool(SegmentPool).live("position") - before).max() < 4.0 / world.tick_rate  # nothing jumps
    world.step(480)
    assert heard == [(creature, rear.serial, JOINT)]
    assert creature.position[0] - starts[0][0] == pytest.approx(16.0, abs=0.5)  # obeys as before
    assert rear.position[0] - starts[1][0] > 0.5 * 0.6 * 2.0 * 8.0  # without a head, slower and straight on
    assert abs(rear.position[1]) < 1.0
    for half in (creature, rear):
        assert 0.5 < half.gait.stance_share <= 1.0
        assert half.segments.position[:, 2].min() > 0.6


def test_the_rear_slows_down_and_stands_and_release_ends_it_at_once():
    world, creature = walker()
    rear = creature.sever(JOINT)
    with pytest.raises(PaludariumError, match="no brain"):
        rear.goto((0, 0))
    world.step(30)
    assert rear.ganglia.speed == 0.0  # the front is still in the way
    world.step(150)
    other = rear.sever(4)
    assert rear.ganglia.speed == other.ganglia.speed > 0.5
    other.release()
    world.step(60)
    assert other.ganglia.speed == 0.0
    assert rear.ganglia.speed > 0.5
    world.step(60)
    place = other.position.copy()
    world.step(60)
    assert np.abs(other.position - place).max() < 0.02
    assert other.gait.stance_share > 0.5
    assert not other.dead
    world.pool(GangliaPool).seconds_left[rear.row] = 5.0 + 10 / 60
    world.step(10)
    assert rear.ganglia.speed == pytest.approx(0.5 * 1.2, rel=0.01)  # it fades over ten seconds
    world.step(6 * 60)
    assert rear.ganglia.speed == 0.0


def test_a_rear_without_a_head_does_not_walk_into_a_rock():
    world, creature = walker()
    rear = creature.sever(JOINT)
    creature.despawn()
    world.add_obstacle("cylinder", (rear.position[0] + 8.0, 0.0), 2.0, height=4.0)
    for _ in range(60):
        world.step(20)
        gap = np.hypot(*(rear.segments.position[0, :2] - world.props.obstacles.position[0, :2])) - 2.0
        assert gap > 0.4


def test_halves_can_be_cut_again_and_saved_worlds_hold_all_pieces(tmp_path):
    world, creature = walker()
    rear = creature.sever(JOINT)
    tail = rear.sever(3)
    world.step(30)
    neck = creature.sever(2)
    assert [len(c.segments) for c in (creature, neck, rear, tail)] == [3, 5, 4, 6]
    assert [c.species.key for c in (neck, tail)] == ["stone_centipede[3:8]", "stone_centipede[12:18]"]
    world.step(30)
    world.save(tmp_path / "pieces.palu")
    copy = World.load(tmp_path / "pieces.palu")
    assert copy.state_hash() == world.state_hash()
    for each in (world, copy):
        each.step(30)
        each.creatures[tail.serial].sever(2)
        each.step(60)
    assert copy.state_hash() == world.state_hash()
    assert [c.name for c in copy.creatures.values()] == [c.name for c in world.creatures.values()]


def test_a_cut_that_leaves_too_little_is_refused_and_changes_nothing():
    world, creature = walker(ticks=10)
    count, before = len(creature.segments), world.state_hash()
    for joint in (-1, 0, count - 2, count, 2.5, "3"):
        with pytest.raises(PaludariumError, match="allowed is 1 to 15"):
            creature.sever(joint)
    assert world.state_hash() == before
    rear = creature.sever(1)
    with pytest.raises(PaludariumError, match="too short"):
        creature.sever(1)
    rear.despawn()
    with pytest.raises(StaleHandleError):
        rear.sever(3)


@pytest.mark.parametrize("species", ["giant_centipede", "millipede", "robot", "pauropod"])
@pytest.mark.parametrize("tier", ["full", "bush", "follow"])
def test_any_species_can_be_cut_at_any_tier(species, tier):
    world = World(seed=2)
    creature = world.spawn(species, tier=tier)
    world.step(30)
    rear = creature.sever(len(creature.segments) // 2 - 1)
    world.step(60)
    rear.tier = "full"
    world.step(60)
    assert rear.alive
    assert creature.alive
    assert np.isfinite(world.pool(SegmentPool).live("position")).all()
    assert len(creature.segments) + len(rear.segments) == world.species[species].specs["segments"].count


def test_the_dead_can_be_cut_too():
    world, creature = walker()
    creature.kill()
    world.step(60)
    rear = creature.sever(JOINT)
    world.step(120)
    assert rear.dead
    assert creature.dead
    place = rear.position.copy()
    world.step(60)
    assert np.abs(rear.position - place).max() < 0.05


def test_old_handles_of_parts_are_stale_and_the_creature_is_not():
    world, creature = walker(ticks=10)
    legs, name = creature.legs, creature.name
    rear = creature.sever(JOINT)
    with pytest.raises(StaleHandleError):
        _ = legs.state
    assert creature.name == name
    assert world.near(creature, 0.1)[0] is creature
    assert set(world.hit((float(rear.position[0]), 0.0), 0.2)) == {rear}
    with world.ecs:
        found = {identity.serial: parts for _, (identity, parts) in esper.get_components(Identity, Legs)}
    assert len(found[creature.serial]) == JOINT
    assert len(found[rear.serial]) == len(rear.segments)


def test_cutting_and_despawning_a_hundred_times_leaks_no_rows():
    world = World(seed=1)
    for _ in range(20):
        creature = world.spawn("pauropod")
        pieces = [creature, creature.sever(len(creature.segments) // 2 - 1)]
        world.step()
        for piece in pieces:
            piece.despawn()
    assert all(live_rows(pool) == 0 for name, pool in world.pools.items() if "Kind" not in name)  # names stay known


@pytest.mark.parametrize("species", ["giant_centipede", "swimmer"])
def test_in_water_both_halves_swim_on_with_and_without_legs(species, tmp_path):
    world = World(seed=1, map="tide_pool", populate=False)
    creature = world.spawn(species, at=(-15.0, -7.5, -0.5))
    creature.control(2.0)
    world.step(120)
    rear = creature.sever(len(creature.segments) // 2 - 1)
    assert rear.muscles.length.shape == (len(rear.segments) - 1, 2)
    start = rear.segments.position.mean(axis=0)
    world.step(60)
    world.save(tmp_path / "pool.palu")
    copy = World.load(tmp_path / "pool.palu")
    for each in (world, copy):
        each.step(60)
    assert copy.state_hash() == world.state_hash()
    assert rear.muscles.swimming
    assert rear.ganglia.speed > 0.5
    assert np.linalg.norm(rear.segments.position.mean(axis=0) - start) > 0.5
    rear.release()
    world.step(60)
    assert rear.head.speed == 0.0
