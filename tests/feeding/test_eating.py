"""Who eats what: the nearer mouth, within reach, what it likes, and no more than it can."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Map, SpawnError, World
from paludarium.components.diet import DietPool, DietSpec
from paludarium.engine.creature import CreaturePool
from paludarium.engine.spatial_hash import hash_points
from paludarium.systems.feeding.eating_kernel import eat_food
from paludarium.systems.feeding.food_web import EATEN_BY, EATS, KIN, FoodWeb
from paludarium.systems.feeding.system import Food


def meals(heads, food, amount, rows, kinds=None, **settings):
    """Winners per food, meals per head and what is left, for heads with the default diet changed by `settings`."""
    position, food = np.asarray(heads, dtype=float), np.asarray(food, dtype=float)
    n = len(position)
    creatures, diets = CreaturePool(), DietPool()
    for pool in (creatures, diets):
        pool.claim(n, owner=1)
    creatures.position[:n] = position
    for name in ("reach", "height", "bite", "largest", "appetite", "digestion"):
        getattr(diets, name)[:n] = settings.get(name, getattr(DietSpec(), name))
    for name in ("mouth", "own_mouth"):
        getattr(diets, name)[:n] = settings.get(name, 0)
    kind = np.zeros(len(food), np.uint8) if kinds is None else np.asarray(kinds, np.uint8)
    lying = Food(food, np.array(amount, dtype=float), kind, hash_points(food, 2.0))
    winner, left = np.full(len(food), 9, np.int64), np.zeros(len(food))
    eat_food(np.array(rows, np.int32), diets, creatures, lying, winner, left)
    return winner.tolist(), diets.meal[:n].tolist(), left.tolist()


def test_a_mouth_is_at_the_head_unless_the_body_says_where_it_is():
    food, far = [[0.5, 0.0, 0.0]], [[20.0, 0.0, 0.0]]
    assert meals(food, food, [1.0], [0], mouth=far[0])[0] == [0]
    assert meals(far, food, [1.0], [0], mouth=food[0])[0] == [-1]
    assert meals(far, food, [1.0], [0], mouth=food[0], own_mouth=1)[0] == [0]
    assert meals(food, food, [1.0], [0], mouth=far[0], own_mouth=1)[0] == [-1]


def test_the_nearer_head_wins_whatever_the_order_of_rows():
    heads, food = [[0.9, 0, 1], [0, 0.5, 1], [0.7, 0.0, 1]], [[0.0, 0.0, 0.0]]
    for rows in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        assert meals(heads, food, [3.0], rows) == ([1], [0.0, 3.0, 0.0], [0.0])


def test_equal_distance_goes_to_the_lower_row():
    heads, food = [[0.5, 0, 1], [-0.5, 0, 1]], [[0.0, 0.0, 0.0]]
    for rows in ([0, 1], [1, 0]):
        assert meals(heads, food, [1.0], rows)[0] == [0]


def test_a_bite_leaves_the_rest_and_nothing_out_of_reach_is_eaten():
    assert meals([[0, 0, 1]], [[0.5, 0, 0], [1.01, 0, 0]], [1.0, 1.0], [0], bite=0.25) == ([0, -1], [0.25], [0.75, 1.0])
    assert meals([[0, 0, 5]], [[0, 0, 0]], [1.0], [0])[0] == [-1]


def test_what_it_does_not_eat_stays():
    assert meals([[0, 0, 1]], [[0.5, 0, 0], [0.8, 0, 0]], [1.0, 1.0], [0], kinds=[1, 0])[0] == [-1, 0]


def test_eaten_food_is_conserved():
    generator = np.random.default_rng(8)
    heads, food = generator.uniform(0, 6, (40, 3)), generator.uniform(0, 6, (60, 3))
    winner, meal, left = meals(heads, food, np.full(60, 2.0), range(40), bite=0.7, height=9.0)
    assert sum(meal) == pytest.approx(60 * 2.0 - sum(left))
    assert sum(m > 0 for m in meal) == sum(w >= 0 for w in winner) > 5


def pauropods(world, **diets):
    """Species that are alike but for their diets."""
    base = world.species["pauropod"].source
    for key, diet in diets.items():
        world.define_species(key, **{**base, "name": key, "diet": diet})


def test_bonds_follow_from_the_diets_of_those_that_live():
    world = World(seed=1)
    pauropods(world, wolf={"eats": ["lamb", "fruit"], "largest": 2.0}, lamb={"eats": ["fruit"]})
    wolf = world.spawn("wolf", at=(-20, 0))
    food_web = world.resource(FoodWeb)
    assert not food_web.table().size
    lamb = world.spawn("lamb", at=(20, 0))
    pool, table = world.creature_pool, food_web.table()
    assert table[pool.kind[wolf.row], pool.kind[lamb.row]] == EATS
    assert table[pool.kind[lamb.row], pool.kind[wolf.row]] == EATEN_BY
    assert table[pool.kind[wolf.row], pool.kind[wolf.row]] == KIN


def test_prey_is_eaten_whole_and_the_game_is_told():
    world = World(seed=1)
    pauropods(world, wolf={"eats": ["lamb"], "largest": 2.0, "reach_u": 3.0}, lamb={"eats": ["fruit"]})
    told = []
    world.on("ate", told.append)
    wolf, lamb = world.spawn("wolf", at=(0, 0)), world.spawn("lamb", at=(2.5, 0))
    world.step(2)
    assert not lamb.alive
    assert wolf.alive
    assert told[0].creature is wolf
    assert told[0].values["prey"] == lamb.name
    assert wolf.diet.eaten > 0.0


def test_prey_that_is_too_long_is_left_alone():
    world = World(seed=1)
    pauropods(world, wolf={"eats": ["lamb"], "largest": 0.5, "reach_u": 3.0}, lamb={"eats": ["fruit"]})
    _, lamb = world.spawn("wolf", at=(0, 0)), world.spawn("lamb", at=(2.5, 0))
    world.step(5)
    assert lamb.alive


def test_prey_flees_from_what_eats_it():
    world = World(seed=1)
    pauropods(world, wolf={"eats": ["lamb"]}, lamb={"eats": ["fruit"]})
    wolf, lamb = world.spawn("wolf", at=(-6, 0)), world.spawn("lamb", at=(2, 0), heading=np.pi)
    world.step(30)
    assert lamb.doing == "reaction"
    assert wolf.doing != "reaction"


def test_who_is_full_stops_eating_until_it_has_digested():
    world = World(seed=1)
    pauropods(world, guest={"appetite": 1.0, "digestion_per_s": 0.5})
    guest = world.spawn("guest")
    for _ in range(2):
        world.add_food(guest.position[:2])
    world.step()
    assert len(world.props.food.spans) == 1
    assert guest.diet.eaten == pytest.approx(1.0)
    guest.control(0.0)
    world.step(3)
    assert len(world.props.food.spans) == 0


def test_an_unknown_dish_is_named_and_nothing_is_born():
    world = World(seed=1)
    pauropods(world, odd={"eats": ["frut"]})
    with pytest.raises(SpawnError, match="frut.*fruit"):
        world.spawn("odd")
    assert not world.creatures


def test_eating_keys_of_older_files_are_understood_in_antennae():
    world = World(seed=1)
    base = world.species["pauropod"].source
    old = {**base, "antennae": {**base["antennae"], "eat_radius_u": 1.7, "bite": 0.25}}
    world.define_species("old", **old)
    diet = world.species["old"].specs["diet"]
    assert (diet.reach, diet.bite, diet.eats) == (1.7, 0.25, ("fruit",))


@pytest.fixture
def lake() -> World:
    """Twelve units of water between walls."""
    water = {"bounds": [-60, -10, 60, 10], "level_u": 12.0}
    return World(seed=1, map=Map.define(name="lake", area={"width_u": 120, "height_u": 20}, water=[water]))


def test_fruit_floats_and_what_has_a_height_stays_there(lake):
    assert lake.add_food((0.0, 0.0)).position[2] == pytest.approx(12.0)
    assert lake.add_food((5.0, 0.0, 1.0)).position[2] == 1.0
    assert World(seed=1).add_food((0.0, 0.0)).position[2] == 0.0


def test_a_swimmer_eats_what_its_mouth_reaches_and_not_through_the_whole_lake(lake):
    eaten = []
    lake.on("ate", lambda event: eaten.append(round(float(event.food[0]))))
    lake.add_food((-8.0, 0.0, 0.0))  # on the bed
    lake.add_food((-4.0, 0.0))
    swimmer = lake.spawn("swimmer", at=(-28.0, 0.0))
    swimmer.control(5.0, 0.0)
    lake.step(600)  # it starts from rest
    assert swimmer.position[0] > 0.0
    assert eaten == [-4]
