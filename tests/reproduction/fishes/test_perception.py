"""Digest checks F15 to F18: what fishes see, behind what, and what draws them to where."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.fish.eyes import NEIGHBOURS, Eye
from paludarium.components.fish.intentions import Way
from paludarium.components.fish.nodes import NodePool
from paludarium.components.fish.topology import NODES
from paludarium.engine.pool import Array
from paludarium.lab.fish.published_sight_kernel import sees_box, sees_pillar
from paludarium.systems.fish.mind.preference_kernel import (
    TARGET_SHARE,
    add_term,
    best_target,
    eased,
    preference_of,
    strength_of,
    way_to,
)
from paludarium.systems.fish.senses.fish_look_kernel import sees_creature
from paludarium.systems.fish.senses.fish_view_kernel import in_view, sees_nodes, solids_hide
from paludarium.systems.fish.senses.sight import Sight
from paludarium.systems.fish.senses.system import THINK_TICKS, FishSenseSystem
from paludarium.systems.spatial_index.index import SpatialIndex
from paludarium.systems.spatial_index.solid_ray_kernel import pillar_hides
from paludarium.tests.reproduction.fishes.ponds import LENGTH, Watch, add_plankton, at, hunter, pool, prey

HALF_FIELD = np.cos(np.radians(150.0))
EYE, AHEAD = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
LOOK = 20
"""Ticks in which every fish has looked around with a new list."""


def at_bearing(degrees: float, distance: float = 1.0) -> tuple[float, float, float]:
    return distance * np.cos(np.radians(degrees)), distance * np.sin(np.radians(degrees)), 0.0


def test_f15_the_field_of_view_is_300_degrees_wide(record_property):
    """Reported: cone of 300 degrees, range V_r. Digest: seen at 149 degrees, not at 151."""
    seen = [b for b in np.arange(0.0, 180.0, 0.5) if in_view(EYE, AHEAD, at_bearing(b), 2.0, HALF_FIELD)]
    record_property("widest bearing seen [deg]", max(seen))
    assert in_view(EYE, AHEAD, at_bearing(149.0), 2.0, HALF_FIELD)
    assert in_view(EYE, AHEAD, at_bearing(-149.0), 2.0, HALF_FIELD)
    assert not in_view(EYE, AHEAD, at_bearing(151.0), 2.0, HALF_FIELD)
    assert not in_view(EYE, AHEAD, at_bearing(10.0, 2.01), 2.0, HALF_FIELD)


def test_f15b_food_is_smelled_behind_and_the_large_are_seen_from_afar(record_property):
    """Reported: food within O_r > V_r on all sides; fish with s_p = 2 seen at twice the range. Digest: food between V_r
    and O_r perceived behind the fish, s_p = 2 seen at 1.9 V_r."""
    world = World(seed=1, map=pool(width=90))
    key = prey(world, eyes={"range_lengths": 10.0, "food_range_lengths": 15.0}, born_hungry=True, schooling=False)
    big = hunter(world, length=1.2, eyes={"visibility": 2.0}, diet={"largest": 1.0})
    fish, watch = world.spawn(key, at=at(0, 0, 4)), Watch(world)
    near, far = world.spawn(big, at=at(19.0, 0, 4), heading=np.pi), world.spawn(big, at=at(0, 0, 4) + np.array([44.0, 0, 0]))
    food = add_plankton(world, -12.0, 0.0, 4.0)
    world.step(LOOK)
    distance = np.linalg.norm(watch.fishes.centre[near.row] - watch.fishes.mouth[fish.row]) / LENGTH
    record_property("distance of the seen [V_r]", round(float(distance) / 10.0, 2))
    record_property("distance of smelled food behind [V_r]", round(fish.eyes.food[1] / LENGTH / 10.0, 2))
    assert near.row in watch.eyes.threats[fish.row]
    assert far.row not in watch.eyes.threats[fish.row]
    assert fish.eyes.food[0] == food.rows.start


def test_f16_pillars_hide_what_is_behind_and_below_their_tops(record_property):
    """Reported: rays against vertical cylinders. Digest: target behind hidden, above the top visible, both ends of a ray
    count."""
    behind = (10.0, 0.0, 2.0)
    assert pillar_hides((0.0, 0.0, 2.0), behind, 5.0, 0.0, 1.0, 0.0, 4.0)
    assert not pillar_hides((0.0, 0.0, 2.0), (10.0, 0.0, 9.0), 5.0, 0.0, 1.0, 0.0, 4.0)
    assert not pillar_hides((0.0, 0.0, 5.0), (10.0, 0.0, 5.0), 5.0, 0.0, 1.0, 0.0, 4.0)
    assert not pillar_hides((0.0, 0.0, 2.0), (3.0, 0.0, 2.0), 5.0, 0.0, 1.0, 0.0, 4.0)  # before it
    assert not pillar_hides((0.0, 2.0, 2.0), (10.0, 2.0, 2.0), 5.0, 0.0, 1.0, 0.0, 4.0)  # beside it
    record_property("lines of sight, of these hidden", "5, 1")


def test_f16b_of_a_fish_one_node_is_enough_and_fishes_hide_nothing(record_property):
    """Reported: fish visible if one node is, other fish never occlude. Digest: the same."""
    world = World(seed=1, map=pool(pillars=[(4, 0, 1.0)]))
    key = prey(world, schooling=False)
    fish, hidden = world.spawn(key, at=at(0, 0, 4)), world.spawn(key, at=at(8, 0, 4), heading=np.pi / 2)
    world.step()
    around, nodes, water = world.resource(SpatialIndex).around, world.pool(NodePool), world.water.arrays
    eye, centre = tuple(fish.springs.pool.mouth[fish.row]), tuple(hidden.springs.pool.centre[hidden.row])
    first = hidden.rows["nodes"].start
    assert solids_hide(eye, centre, around)
    assert not sees_nodes(eye, centre, first, nodes, 1e9, around, water)
    nodes.position[first + NODES - 1, :2] = (8 * LENGTH, 6 * LENGTH)
    assert sees_nodes(eye, centre, first, nodes, 1e9, around, water)

    row = [world.spawn(key, at=at(-10 + x, 8, 4)) for x in (0.0, 2.5, 5.0)]
    world.step(LOOK)
    assert {row[1].row, row[2].row} <= set(row[0].eyes.neighbours.tolist())
    record_property("nodes beside the pillar that make a fish visible", 1)
    record_property("fishes seen in a row of two behind each other", len({row[1].row, row[2].row}))


def test_f16c_pillars_and_weed_have_tests_of_their_own(record_property):
    """Reported: cylinder visible by distance alone, seaweed by the corners of its box. Digest: the same."""
    world = World(seed=1, map=pool(pillars=[(4, 0, 1.0)]))
    world.spawn(prey(world), at=at(0, 0, 4))
    world.step()
    around = world.resource(SpatialIndex).around
    assert sees_pillar(EYE, -6.0, 0.0, 2.0, -5.0, 5.0, 4.5)  # also behind
    assert not sees_pillar(EYE, -6.0, 0.0, 2.0, -5.0, 5.0, 3.5)
    eye = at(0, 0, 4)
    assert not sees_box(eye, AHEAD, at(6, -0.2, 0), at(6.5, 0.2, 3), 20 * LENGTH, HALF_FIELD, around)
    assert sees_box(eye, AHEAD, at(6, -0.2, 0), at(6.5, 4.0, 3), 20 * LENGTH, HALF_FIELD, around)
    record_property("pillar of radius 2, 6 units behind: seen with a range of", "4.5, not with 3.5")
    record_property("weed behind a pillar", "seen where a corner of its box is")


def brute_force(watch: Watch, row: int, around: object, water: object) -> Array:
    """The nearest of its kind that a fish sees, out of all there are."""
    fishes, eyes, creatures = watch.fishes, watch.eyes, watch.world.creature_pool
    nodes, own = watch.world.pool(NodePool), eyes.parameters[row]
    mouth, axis = tuple(fishes.mouth[row]), tuple(fishes.axes[row, 0])
    reach, narrowest = own[Eye.RANGE] * fishes.length[row], np.cos(0.5 * own[Eye.FIELD])
    kin = [other for other in watch.rows().tolist() if other != row and creatures.kind[other] == creatures.kind[row]]
    seen = [other for other in kin if sees_creature(row, other, mouth, axis, reach, narrowest, creatures,
                                                    fishes, nodes, eyes, around, water,
                                                    watch.world.resource(Sight).scene)]  # fmt: skip
    distance = np.linalg.norm(fishes.centre[seen] - fishes.mouth[row], axis=1)
    return np.array(seen)[np.argsort(distance, kind="stable")][:NEIGHBOURS]


@pytest.mark.parametrize("seed", [1, 2])
def test_f17_lists_show_what_a_look_at_everything_shows(seed, record_property):
    """Reported: lists from a larger circle, refreshed now and then, give the same. Digest: list-based and brute-force
    visibility agree for random scenes with bounded speed."""
    random = np.random.default_rng(seed)
    pillars = [(random.uniform(-25, 25), random.uniform(-15, 15), random.uniform(0.5, 2.0)) for _ in range(12)]
    world = World(seed=seed, map=pool(pillars=pillars))
    key, watch = prey(world, eyes={"range_lengths": 12.0}, burst_speed=2.2), Watch(world)
    for _ in range(45):
        place = random.uniform((-28, -18, 1), (28, 18, 7))
        if all(np.hypot(place[0] - x, place[1] - y) > r + 1.5 for x, y, r in pillars):
            world.spawn(key, at=at(*place), heading=random.uniform(-3, 3))
    senses = next(entry.system for entry in world.schedule if isinstance(entry.system, FishSenseSystem))
    world.step(LOOK)
    compared = agreed = 0
    for _ in range(40):
        world.step(3)
        senses.process(world.clock.tick_seconds)  # of the next tick: nothing has moved since
        around, water = world.resource(SpatialIndex).around, world.water.arrays
        rows = watch.rows()
        for row in rows[rows % THINK_TICKS == world.tick % THINK_TICKS].tolist():
            known = watch.eyes.neighbours[row]
            agreed += np.array_equal(known[known >= 0], brute_force(watch, row, around, water))
            compared += 1
    record_property("looks compared", compared)
    record_property("share that agree", agreed / compared)
    assert compared > 300
    assert agreed == compared


def test_f18_preferences_add_up_as_printed(record_property):
    """Reported: M(d) is the mean of what attracts plus the mean of what repels; strengths against the current intention;
    scaling min(1, 1.5 - tau). Digest: three mates and one predator on the left give tau_m - tau_f."""
    axes, terms = np.eye(3), np.zeros((len(Way), 4))
    mate, fear = strength_of(0.3, 0.6), strength_of(0.42, 0.6)
    assert (mate, fear) == (pytest.approx(0.5), pytest.approx(0.7))
    for offset in ((0.5, 2.0, 0.0), (-0.3, 1.0, 0.2), (0.0, 3.0, -1.0)):
        add_term(terms, way_to(axes, offset), mate)
    add_term(terms, way_to(axes, (1.0, 4.0, 1.0)), -fear)
    assert preference_of(terms, Way.LEFT.value) == pytest.approx(mate - fear, abs=1e-15)
    record_property("preference of the left", round(preference_of(terms, Way.LEFT.value), 12))
    assert [preference_of(terms, way.value) for way in Way if way is not Way.LEFT] == [0.0] * 5
    assert strength_of(0.9, 0.3) == 1.0
    assert eased(1.0, -0.3) == 1.0
    assert eased(1.0, -0.8) == pytest.approx(0.7)
    assert eased(1.0, 0.9) == 1.0


@pytest.mark.parametrize(("liking", "chosen"), [(0.0, 0), (0.1, 0), (0.5, 1), (1.0, 1)])
def test_f18b_food_to_the_side_of_mates_is_chosen_if_they_attract_enough(liking, chosen, record_property):
    """Reported: the best targets are weighed again by 0.2 of the preference of where they lie. Digest: food ahead,
    slightly nearer, against food left with mates left: left only when the preference is strong enough."""
    preferences = np.zeros(len(Way))
    preferences[Way.LEFT] = liking
    desirability, ways = np.array([0.55, 0.5, 0.0]), np.array([Way.FORWARD, Way.LEFT, 0])
    assert best_target(desirability, ways, 2, preferences) == chosen
    assert best_target(np.array([0.9, 0.5, 0.0]), ways, 2, preferences) == 0  # far better: taken unasked
    assert TARGET_SHARE == 0.2
    record_property("chosen with a preference of " + format(liking, "g"), "left" if chosen else "ahead")
