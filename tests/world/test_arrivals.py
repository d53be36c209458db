"""Families and parts of the sea join a world when the first of them comes. In which order they come must not matter: not
to a save, not to a hash, and not to what happens afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from paludarium import Camera, World
from paludarium.engine.maps import Map
from paludarium.systems.sea.sea_life import PARTS, SeaLife
from paludarium.systems.tick import FAMILIES, SEA, names_of
from paludarium.tests.campaigns.file_cases import IN_WATER, SMALL
from paludarium.tests.campaigns.outcome import first_fault

BARE = Map.define(**{**SMALL, **IN_WATER, "creatures": [], "nests": [], "current": {}})
ARRIVALS: dict[str, Callable[[World], object]] = {
    "myriapod": lambda world: world.spawn("stone_centipede", at=(-20.0, 10.0)).goto((5.0, 0.0)),
    "fish": lambda world: world.spawn("silverside", at=(0.0, 0.0), count=2, spread=2.0),
    "insect": lambda world: (world.add_nest((-22.0, 0.0)), world.spawn("worker_ant", at=(-24.0, 4.0), count=2, spread=2.0)),
    "articulated": lambda world: world.spawn("eel", at=(3.0, 3.0)),
    "current": lambda world: world.set_flow(direction=0.5, strength=0.4, period=2.0),
    "plankton": lambda world: world.add_plankton(20, at=(0.0, 0.0), spread=6.0, regrow=0.5),
    "bubbles": lambda world: world.add_bubbles((2.0, 0.0), count=4),
    "seaweed": lambda world: world.add_seaweed((-2.0, 1.0), leaves=3, height=2.0),
    "hooks": lambda world: world.add_hook((1.0, 0.0), depth=1.0),
}
"""What brings each family and each part of the sea."""
ORDERS = list(permutations(FAMILIES))
TICKS_BETWEEN, TICKS_AFTER = 2, 60
SIZE = (160, 120)
EACH_SO_MANY = 6
"""Of the orders, one goes on for as long in every test run."""
RANDOM_ORDERS = 100


def bare_world() -> World:
    return World(seed=3, map=BARE)


def bring(world: World, names: tuple[str, ...]) -> None:
    """Let them come, one after the other, with ticks in between."""
    for name in names:
        assert not loaded(world, name), f"{name} was there before it came"
        ARRIVALS[name](world)
        assert loaded(world, name)
        world.step(TICKS_BETWEEN)


def loaded(world: World, name: str) -> bool:
    return name in world.families.loaded or name in world.resource(SeaLife).loaded


def copy_of(world: World, folder: Path) -> World:
    """The world once more, from its save: the same hash, the same systems in the same order."""
    world.save(folder / "world.palu")
    copy = World.load(folder / "world.palu")
    assert copy.state_hash() == world.state_hash()
    assert [entry.name for entry in copy.schedule] == [entry.name for entry in world.schedule]
    return copy


def go_on_alike(worlds: list[World], ticks: int) -> None:
    for _ in range(ticks // 20):
        for world in worlds:
            world.step(20)
            assert first_fault(world) is None
        assert len({world.state_hash() for world in worlds}) == 1, f"tick {worlds[0].tick}"


def with_the_sea(place: int, families: tuple[str, ...]) -> tuple[str, ...]:
    """An order of families with the parts of the sea in between: beginning with another one each time."""
    parts = [PARTS[(place + k) % len(PARTS)] for k in range(len(PARTS))]
    pairs = [(part, family) if place % 2 else (family, part) for part, family in zip(parts, families, strict=False)]
    return (*(name for pair in pairs for name in pair), *parts[len(families) :])


def test_all_that_can_arrive_is_here():
    assert {*ARRIVALS} == {*FAMILIES, *PARTS}
    assert len(ORDERS) == 24
    assert {with_the_sea(place, order)[0] for place, order in enumerate(ORDERS)} == {*FAMILIES, *PARTS}


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_load_changes_nothing_whatever_came_first(order, tmp_path):
    place = ORDERS.index(order)
    load_twice(with_the_sea(place, order), tmp_path, TICKS_AFTER if place % EACH_SO_MANY == 0 else 0)


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_load_changes_nothing_for_a_second_whatever_came_first(order, tmp_path):
    load_twice(with_the_sea(ORDERS.index(order) + 1, order), tmp_path, TICKS_AFTER)


def load_twice(order: tuple[str, ...], folder: Path, ticks: int) -> None:
    """A load when half of them are there, and one when all are; then so many ticks for each of the worlds."""
    half = len(order) // 2
    world = bare_world()
    bring(world, order[:half])
    early = copy_of(world, folder)
    for one in (world, early):
        bring(one, order[half:])
    assert early.state_hash() == world.state_hash()
    go_on_alike([world, early, copy_of(world, folder), copy_of(early, folder)], ticks)


def test_who_came_first_does_not_show_in_the_hash(tmp_path):
    """Systems of all orders, then the same creatures: the same world, tick by tick and after a load."""
    worlds = []
    for place, order in enumerate(ORDERS):
        world = bare_world()
        for name in with_the_sea(place, order):
            if name in FAMILIES:
                world.require_family(name)
            else:
                world.resource(SeaLife).require(name)
        for arrive in ARRIVALS.values():
            arrive(world)
        worlds.append(world)
    ticks = {tuple(entry.name for entry in world.schedule) for world in worlds}
    assert len(ticks) == 1
    assert {name for part in PARTS for name in names_of(SEA + part)} <= set(*ticks)
    assert len({world.state_hash() for world in worlds}) == 1
    copies = [copy_of(copy_of(world, tmp_path), tmp_path) for world in worlds[5::6]]
    saves = []
    for copy in copies:
        copy.save(tmp_path / "copy.palu")
        saves.append((tmp_path / "copy.palu").read_bytes())
    assert saves == saves[:1] * len(copies)
    go_on_alike([*worlds[::6], *copies[:2]], TICKS_AFTER)


@pytest.mark.parametrize("order", ORDERS[:: EACH_SO_MANY - 1], ids="-".join)
def test_a_load_does_not_show_in_pictures(order, tmp_path):
    """Nor in what a fish sees: which of two animals lies above the other is as it was."""
    world, camera = bare_world(), Camera(SIZE, (0.0, 0.0), 30.0)
    together = {"myriapod": ("pauropod", (-20.0, 10.0)), "fish": ("koi", (0.0, 0.0)), "articulated": ("eel", (0.5, 0.0)),
                "insect": ("worker_ant", (-24.0, 4.0))}  # fmt: skip
    world.add_plankton(10, at=(0.0, 0.0), spread=3.0)
    for family in order:
        species, at = together[family]
        world.spawn(species, at=at, heading=0.3)
    world.add_seaweed((0.0, 0.0), leaves=5, height=3.0)
    world.step()
    copy = copy_of(world, tmp_path)
    pictures = [one.picture.frame(camera, SIZE, still=True).copy() for one in (world, copy)]
    assert (pictures[0] == pictures[1]).all()
    seen = [next(c for c in one.creatures.values() if "springs" in c.rows).eye_image(32) for one in (world, copy)]
    assert (seen[0] == seen[1]).all()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(RANDOM_ORDERS))
def test_a_load_changes_nothing_in_any_order_of_all_that_can_come(number, tmp_path):
    """Random orders of all nine, a load after a random number of them, and another one each 20 ticks."""
    chance = np.random.default_rng([26, number])
    order = tuple(chance.permutation(list(ARRIVALS)).tolist())
    cut = int(chance.integers(1, len(order)))
    world = bare_world()
    bring(world, order[:cut])
    copy = copy_of(world, tmp_path)
    for one in (world, copy):
        bring(one, order[cut:])
    for _ in range(3):
        go_on_alike([world, copy], 20)
        copy = copy_of(copy, tmp_path)
