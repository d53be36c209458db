"""What plugins add to a world: families, repeated parts, state that is saved, calls that are recorded, shared resources."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from paludarium import Recording, SnapshotError, SpeciesError, World, replay
from paludarium.engine.errors import PluginError
from paludarium.engine.families import Family
from paludarium.engine.pool import Pool, column
from paludarium.engine.spec import number, texts


class Fog:
    """A grid that is no pool."""

    def __init__(self) -> None:
        self.grid = np.zeros((3, 4))

    def state(self):
        return {"grid": self.grid.copy()}

    def restore(self, state):
        if state["grid"].shape != self.grid.shape:
            raise ValueError(f"a fog of {state['grid'].shape} cells; allowed is {self.grid.shape}")
        self.grid[:] = state["grid"]


def add_fog(world: World, amount: float) -> None:
    world.resource(Fog).grid += amount


@dataclass(frozen=True)
class LinkSpec:
    length: float = number(1.0, unit="u", low=0.1)
    names: tuple[str, ...] = texts((), doc="words")

    def row_count(self, specs):  # noqa: ARG002
        return 2


class LinkPool(Pool):
    length = column(np.float64)


class LinkHandle:
    def __init__(self, pool, rows):
        self.pool, self.rows = pool, rows


def fill_links(birth, specs, pool, rows):
    pool.length[rows.slice] = np.repeat([spec.length for spec in specs], 2)


def build(world: World) -> None:
    fog = Fog()
    world.add_resource(fog)
    world.add_state("fog", fog)
    world.add_call("add_fog", add_fog)
    world.add_part("links", LinkSpec, LinkPool, LinkHandle, fill_links, repeated=True)
    world.add_family(Family("jointed", frozenset({"links"}), frozenset({"links"})))


@pytest.fixture
def world() -> World:
    return World(seed=1, plugins=[build])


def test_added_state_is_hashed_saved_and_loaded(world, tmp_path):
    before = world.state_hash()
    world.add_fog(0.5)
    assert world.state_hash() != before
    world.save(tmp_path / "fog.save")
    again = World.load(tmp_path / "fog.save", plugins=[build])
    assert again.state_hash() == world.state_hash()
    assert (again.resource(Fog).grid == 0.5).all()


def test_state_that_does_not_fit_is_refused_by_name(world, tmp_path):
    world.save(tmp_path / "fog.save")

    def other(world):
        build(world)
        world.resource(Fog).grid = np.zeros((9, 9))

    other.__module__, other.__qualname__ = build.__module__, build.__qualname__
    with pytest.raises(SnapshotError, match="fog: a fog of"):
        World.load(tmp_path / "fog.save", plugins=[other])


def test_added_calls_are_recorded_and_replayed(world, tmp_path):
    recording = Recording(world)
    world.step(2)
    world.add_fog(0.25)
    world.step(3)
    recording.save(tmp_path / "run.jsonl")
    again = replay(tmp_path / "run.jsonl", plugins=[build])
    assert (again.resource(Fog).grid == 0.25).all()
    assert again.state_hash() == world.state_hash()


@pytest.mark.parametrize("name", ["spawn", "tick", "add_fog", "pools"])
def test_a_call_or_state_with_a_taken_name_is_refused(world, name):
    with pytest.raises(PluginError, match=name):
        world.add_call(name, add_fog)
    with pytest.raises(PluginError, match="fog|FogPool"):
        world.add_state("fog" if name == "add_fog" else "FogPool", Fog())


def test_an_unknown_attribute_of_a_world_is_an_attribute_error_that_suggests(world):
    with pytest.raises(AttributeError, match="add_fog"):
        _ = world.add_fogg


def test_a_repeated_part_is_a_tuple_of_specs_and_claims_rows_for_all(world):
    world.define_species("arm", family="jointed", links=[{"length_u": 2.0, "names": ["a", "b"]}, {}])
    arm = world.spawn("arm")
    assert arm.links.pool.length[arm.rows["links"].slice].tolist() == [2.0, 2.0, 1.0, 1.0]
    assert arm.species.specs["links"][0].names == ("a", "b")
    assert arm.family.name == "jointed"


@pytest.mark.parametrize("links, allowed", [({"length_u": 1.0}, r"\[\[links\]\]"), ([{"length_u": 0.0}], "length_u"),
                                            ([{"names": [1]}], "a list of texts"), ([3], "a table of keys")])  # fmt: skip
def test_wrong_repeated_tables_are_named(world, links, allowed):
    with pytest.raises(SpeciesError, match=allowed):
        world.define_species("wrong", family="jointed", links=links)


def test_a_resource_is_one_per_type(world):
    with pytest.raises(PluginError, match="Fog already"):
        world.add_resource(Fog())
    with pytest.raises(PluginError, match="no Recording"):
        world.resource(Recording)


def test_aligned_pools_are_as_large_as_creature_pool_and_unclaimed_rows_are_blank():
    world = World(seed=1)
    group = world.spawn("pauropod", count=100, spread=60)
    aligned = [pool for pool in world.pools.values() if pool.aligned]
    assert len(aligned) > 5
    assert {pool.capacity for pool in aligned} == {world.creature_pool.capacity}
    row = group[3].row
    group[3].despawn()
    for pool in aligned:
        for name, declared in pool.columns.items():
            assert (getattr(pool, name)[row] == np.array(declared.fill, declared.dtype)).all(), name
