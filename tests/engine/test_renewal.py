"""What follows from its species is not taken from a save: whatever stands there, a creature is what its species says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from paludarium import World
from paludarium.components.fish.springs import FishBodyPool, Tuned
from paludarium.components.legs import LegPool, Link
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.errors import SnapshotError
from paludarium.engine.pool import NO_OWNER
from paludarium.engine.renewal import agrees, renew
from paludarium.tests.engine.sealed import opened, sealed

ANIMALS = ("giant_centipede", "swimmer", "millipede", "two_tailed", "ceiling_lamp", "silverside", "koi", "reef_shark", "eel",
           "manta", "accordion", "worker_ant", "ground_beetle")  # fmt: skip
OWN = {"MindPool.habits": "whether it is female", "FishBodyPool.size": "its size", "FishBodyPool.tuned": "how it was tuned",
       "ColonyPool.carries": "bits of the kinds of food of its world",
       "MindPool.own": "how a game has set its mind",
       "SwimPool.reynolds": "millions, of which one more or less is rounding",
       **{f"ManoeuvrePool.{name}": "a stroke it was taught"
          for name in ("sine", "cosine", "offset", "power_share", "glide_share")}}  # fmt: skip
"""Fixed columns that are an animal's own, or are right whatever stands there."""


TOGETHER = ("inertia", "inverse_inertia")
"""One has to undo the other."""


@pytest.fixture(scope="module")
def original(tmp_path_factory) -> tuple[World, Path]:
    world = World(seed=3, map="tide_pool", populate=False)
    for place, species in enumerate(ANIMALS):
        world.spawn(species, at=(-60.0 + 9.0 * place, 40.0 - 8.0 * (place % 4), 30.0 + 2.0 * place))
    world.step(3)
    path = tmp_path_factory.mktemp("saves") / "world.palu"
    world.save(path)
    return world, path


def columns_of_parts(world: World) -> Iterator[tuple[str, str]]:
    """Pools of parts and of creatures, with their fixed columns."""
    for name in ("CreaturePool", *(part.pool.__name__ for part in world.parts.values())):
        yield from ((name, column) for column in world.pools[name].fixed_names if column not in TOGETHER)


def others(values: np.ndarray) -> Iterator[np.ndarray]:
    """Other values: near, at some distance, of other rows, and the least of all."""
    if values.dtype.kind == "f":
        yield from (values * 1.37 + 0.01, values * 0.61, values - 0.01)
    yield from (np.roll(values, 1, axis=0), np.maximum(values, 1) - 1, np.zeros_like(values), np.ones_like(values))


def renewed(world: World) -> World:
    """The world with all creatures in it renewed."""
    for creature in world.creatures.values():
        renew(world, creature)
    return world


def test_every_fixed_column_is_that_of_the_species_whatever_a_save_holds(original):
    world, path = original
    again, kept, tried = World.load(path), set(), 0
    for pool, column in columns_of_parts(again):
        owned = again.pools[pool].owner != NO_OWNER
        values = getattr(again.pools[pool], column)
        before = values.copy()
        for wrong in others(before[owned]):
            if len(wrong) and not agrees(wrong, before[owned]):
                values[owned], tried = wrong, tried + 1
                renewed(again)
                if not np.array_equal(values[owned], before[owned]):
                    kept.add(f"{pool}.{column}")
        values[...] = before
        renewed(again)
    assert renewed(again).state_hash() == world.state_hash()
    assert kept <= OWN.keys(), kept - OWN.keys()
    assert tried > 400


def test_inertia_is_that_of_the_species(original, tmp_path):
    world, path = original
    header, arrays = opened(path)
    for column, factor in zip(TOGETHER, (50.0, 0.02), strict=True):
        arrays["ChainSegmentPool", column] *= factor
    assert World.load(sealed(tmp_path / "a.palu", header, arrays)).state_hash() == world.state_hash()


def test_what_is_its_own_stays_within_what_its_species_allows(original, tmp_path):
    world, path = original
    header, arrays = opened(path)
    fish = next(c for c in world.creatures.values() if c.species.key == "silverside")
    spread = fish.species.specs["springs"].size_spread
    assert spread > 0.0
    arrays["FishBodyPool", "size"][fish.row] = 9.0
    arrays["FishBodyPool", "tuned"][fish.row] = (0.06, 1.0, 19.0, 1.0)  # far too soft for its weight
    arrays["FishBodyPool", "length"][...] = 1e4  # raised an error in every tick
    arrays["FishBodyPool", "width"][...] = 1e4  # a tick took twelve seconds
    again = World.load(sealed(tmp_path / "a.palu", header, arrays))
    bodies, length = again.pool(FishBodyPool), fish.species.specs["springs"].length
    assert bodies.size[fish.row] == pytest.approx(1.0 + spread)
    assert bodies.length[fish.row] == pytest.approx((1.0 + spread) * length)
    assert bodies.tuned[fish.row].tolist() == [1.0] * 4
    assert bodies.width[fish.row] < 0.5 * length
    again.step(5)


def test_a_fish_that_was_tuned_stays_so(tmp_path):
    world = World(seed=3, map="tide_pool", populate=False)
    fish = world.spawn("silverside", at=(-8, 30))
    fish.tune(stiffness=4.0, damping=2.0, water=0.5)
    before = int(world.pool(FishBodyPool).substeps[fish.row])
    assert before > 8
    world.save(tmp_path / "a.palu")
    header, arrays = opened(tmp_path / "a.palu")
    arrays["FishBodyPool", "substeps"][...] = 1
    bodies = World.load(sealed(tmp_path / "a.palu", header, arrays)).pool(FishBodyPool)
    assert bodies.tuned[fish.row, Tuned.STIFFNESS] == 4.0
    assert bodies.substeps[fish.row] == before


@pytest.fixture(scope="module")
def cut(tmp_path_factory) -> tuple[World, Path]:
    """Pieces of an animal whose tail narrows and whose last legs are longer, and of a piece of it."""
    world = World(seed=3, populate=False)
    front = world.spawn("giant_centipede", at=(0, 0))
    millipede = world.spawn("millipede", at=(0, 40))
    world.step(30)
    rear = front.sever(9)
    rear.sever(4)
    millipede.sever(12)
    world.step(5)
    path = tmp_path_factory.mktemp("saves") / "cut.palu"
    world.save(path)
    return world, path


def test_pieces_keep_the_sizes_that_they_had(cut):
    world, path = cut
    again = World.load(path)
    assert again.state_hash() == world.state_hash()
    narrow = world.pool(SegmentPool).live("half_extents")[:, 1]
    assert len(np.unique(np.round(narrow, 6))) > 3
    third = World.load(path)
    for one in (again, third):
        one.step(20)
    assert again.state_hash() == third.state_hash()


def test_a_piece_is_renewed_without_a_change_of_a_bit(cut):
    """Sizes of its boxes are its own; masses, tissue and joints are worked out again and agree."""
    world, path = cut
    assert renewed(World.load(path)).state_hash() == world.state_hash()


FROM_SIZES = (
    ("SegmentPool", "mass"), ("ChainSegmentPool", "center_of_mass"), ("ChainSegmentPool", "half_pitch"),
    ("ChainSegmentPool", "ride_height"), ("TissuePool", "size"), ("TissuePool", "anchor_a"), ("TissuePool", "joint"),
    ("ChainPool", "damping_inverse"), ("ChainPool", "friction"), ("GangliaPool", "limits"), ("GangliaPool", "wanted_speed"),
    ("BrainPool", "parameters"), ("LegPool", "hip"),
)  # fmt: skip


@pytest.mark.parametrize("pool, column", FROM_SIZES)
def test_what_follows_from_the_sizes_of_a_piece_is_worked_out(cut, pool, column):
    world, path = cut
    again = World.load(path)
    owned = again.pools[pool].owner != NO_OWNER
    values = getattr(again.pools[pool], column)
    values[owned] = next(others(values[owned]))
    assert again.state_hash() != world.state_hash()
    assert renewed(again).state_hash() == world.state_hash()


def test_a_piece_cannot_be_larger_than_its_animal(cut, tmp_path):
    world, path = cut
    header, arrays = opened(path)
    whole = world.pool(SegmentPool).live("half_extents").max(axis=0)
    longest = world.pool(LegPool).live("links")[:, : Link.GAMMA].max(axis=0)
    arrays["SegmentPool", "half_extents"][...] = 1e4
    arrays["LegPool", "links"][...] = 1e4
    arrays["ChainPool", "substeps"][...] = 100_000
    arrays["CreaturePool", "length"][...] = 1e9
    again = World.load(sealed(tmp_path / "a.palu", header, arrays))
    assert (again.pool(SegmentPool).live("half_extents").max(axis=0) <= whole + 1e-9).all()
    assert (again.pool(LegPool).live("links")[:, : Link.GAMMA].max(axis=0) <= longest + 1e-9).all()
    assert again.pool(ChainPool).live("substeps").max() == world.pool(ChainPool).live("substeps").max()
    assert again.creature_pool.live("length").max() < 4.0 * world.creature_pool.live("length").max()
    again.step(5)


def test_what_differs_by_rounding_stays_as_it_was_saved(original, tmp_path):
    """Other processors reckon a little differently: a world that moves to one goes on to the last bit."""
    world, path = original
    header, arrays = opened(path)
    arrays["TissuePool", "joint"] *= 1.0 + 1e-12
    arrays["FishBodyPool", "length"] *= 1.0 + 1e-12
    again = World.load(sealed(tmp_path / "a.palu", header, arrays))
    assert again.state_hash() != world.state_hash()
    for pool, column in (("FishBodyPool", "length"), ("TissuePool", "joint")):
        assert np.array_equal(again.pools[pool].live(column), arrays[pool, column][arrays[pool, "owner"] != -1])
    assert agrees(np.array([1.0, 0.0]), np.array([1.0 + 1e-9, 1e-12]))
    assert not agrees(np.array([1.0, 0.0]), np.array([1.0 + 1e-3, 0.0]))
    assert not agrees(np.array([1, 2]), np.array([1, 3]))


def test_a_column_that_is_wrong_beyond_its_range_is_refused_as_before(original, tmp_path):
    _, path = original
    header, arrays = opened(path)
    arrays["FishBodyPool", "length"][...] = 1e9
    with pytest.raises(SnapshotError, match=r"FishBodyPool\.length"):
        World.load(sealed(tmp_path / "a.palu", header, arrays))
