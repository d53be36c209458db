"""Saves of earlier versions load and go on as they would have; what cannot be read says which version it is."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from paludarium import BodyMode, SnapshotError, World, replay
from paludarium.components.body import ALWAYS_FELT, BodyPool
from paludarium.components.brain_modes import GoalKind
from paludarium.components.diet import DietPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.engine.older_saves import bring_up_to_date
from paludarium.engine.pool import MovedFrom, Pool, column
from paludarium.engine.replay import ReplayError
from paludarium.tests.engine.sealed import opened, redescribed, sealed

SAVES = Path(__file__).resolve().parent.parent / "saves"


@pytest.fixture
def first_format(tmp_path: Path) -> Path:
    """A world that was saved before there were families: a cut walker with a goal, a swimmer, a driven one, a ragdoll."""
    file = tmp_path / "format_1.save"
    file.write_bytes(gzip.decompress((SAVES / "format_1.save.gz").read_bytes()))
    return file


def test_a_save_from_before_families_goes_on_as_it_would_have(first_format):
    world = World.load(first_format)
    expected = json.loads((SAVES / "format_1.json").read_text())
    world.step(expected["ticks"])
    assert {c.name for c in world.creatures.values()} == set(expected["heads"])
    for creature in world.creatures.values():
        # The same arithmetic, so the same numbers; the margin is for other machines' sines.
        assert creature.position == pytest.approx(expected["heads"][creature.name], abs=1e-6)


def test_what_has_moved_to_another_table_is_found_there(first_format):
    world = World.load(first_format)
    walker, swimmer, driven, dead, rear = world.creatures.values()
    assert [c.dead for c in world.creatures.values()] == [False, False, False, True, False]
    assert walker.brain.goal is GoalKind.GOTO
    assert world.creature_pool.goal_position[walker.row, :2].tolist() == [10.0, 3.0]
    assert driven.brain.goal is GoalKind.DRIVE
    assert world.creature_pool.drive[driven.row].tolist() == [1.0, 0.2, 0.0]
    assert swimmer.body_mode is BodyMode.IN_WATER
    assert walker.body_mode is BodyMode.ON_GROUND
    assert rear.head.speed == rear.ganglia.speed
    assert swimmer.species.specs["diet"].reach == 1.2
    assert (world.pool(BodyPool).live("trailing") == 1).all()
    assert (world.pool(DietPool).live("own_mouth") == 0).all()
    assert all(c.length > 0.0 and c.family.name == "myriapod" for c in world.creatures.values())
    assert dead.doing == "dead"


def test_a_save_of_the_old_format_saved_anew_is_one_of_the_new(first_format, tmp_path):
    world = World.load(first_format)
    world.save(tmp_path / "again.save")
    again = World.load(tmp_path / "again.save")
    assert again.state_hash() == world.state_hash()
    world.step(20)
    again.step(20)
    assert again.state_hash() == world.state_hash()


def test_a_recording_of_an_older_version_is_refused_by_its_number():
    with pytest.raises(ReplayError, match="format 1.*reads 2"):
        replay(SAVES / "format_1.jsonl")


def with_one_table_of_segments(path: Path) -> tuple[dict, dict]:
    """A save as it was before the chains of myriapods had a table of their own, beside that of all segments."""
    header, arrays = opened(path)
    count = len(arrays["SegmentPool", "owner"])
    for name, declared in ChainSegmentPool.columns.items():
        found = arrays.pop(("ChainSegmentPool", name))
        if name != "owner":
            values = np.full((count, *declared.shape), declared.fill, declared.dtype)
            values[: len(found)] = found
            arrays["SegmentPool", name] = values
    for name in ("generation", "spans"):
        del arrays["ChainSegmentPool", name]
    for creature in header["creatures"]:
        creature[3].pop("chain_segments", None)
    del header["formats"]["ChainSegmentPool"]
    header["formats"]["SegmentPool"] = 2
    return redescribed(header, arrays), arrays


@pytest.fixture
def one_table(tmp_path: Path) -> tuple[World, tuple[dict, dict]]:
    world = World(seed=5, map="tide_pool", populate=False)
    world.spawn("clownfish", at=(-8, 30))
    for at in ((0, 0), (12, 5)):
        world.spawn("stone_centipede", at=at)
    world.spawn("clownfish", at=(-6, 30))
    world.step(30)
    world.save(tmp_path / "now.save")
    return world, with_one_table_of_segments(tmp_path / "now.save")


def test_columns_of_chains_are_found_where_all_segments_were(one_table, tmp_path):
    world, content = one_table
    assert World.load(sealed(tmp_path / "then.save", *content)).state_hash() == world.state_hash()


@pytest.mark.parametrize("name, value", [("ahead", 2**30), ("kinematic", 9), ("lift", np.nan), ("inverse_inertia", 7.0)])
def test_what_moves_from_an_older_save_is_checked_too(one_table, tmp_path, name, value):
    _, (header, arrays) = one_table
    arrays["SegmentPool", name][...] = value
    with pytest.raises(SnapshotError, match=rf"ChainSegmentPool\.{name}"):
        World.load(sealed(tmp_path / "then.save", header, arrays))


@pytest.mark.parametrize("species, own_mouth, trailing, unfelt", [
    ("stone_centipede", 0, 1, (ALWAYS_FELT, ALWAYS_FELT)), ("clownfish", 1, 0, (4.0, ALWAYS_FELT)),
    ("eel", 0, 0, (1.5, 1.5)), ("worker_ant", 1, 0, (ALWAYS_FELT, ALWAYS_FELT)),
])  # fmt: skip
def test_what_was_told_by_the_physics_of_a_body_is_told_by_columns(tmp_path, species, own_mouth, trailing, unfelt):
    world = World(seed=5, map="tide_pool", populate=False)
    row = world.spawn(species, at=(-8, 30)).row
    world.save(tmp_path / "now.save")
    header, arrays = opened(tmp_path / "now.save")
    for key in (("BodyPool", "trailing"), ("BodyPool", "unfelt_widths"), ("BodyPool", "unfelt_heights"),
                ("DietPool", "own_mouth")):  # fmt: skip
        del arrays[key]
    header["formats"].update(BodyPool=2, DietPool=2)
    then = World.load(sealed(tmp_path / "then.save", redescribed(header, arrays), arrays))
    for one in (world, then):
        body = one.pool(BodyPool)
        assert one.pool(DietPool).own_mouth[row] == own_mouth
        assert body.trailing[row] == trailing
        assert (body.unfelt_widths[row], body.unfelt_heights[row]) == unfelt
    assert then.state_hash() == world.state_hash()


class NowPool(Pool):
    format = 3

    kept = column(np.float64)
    added = column(np.int32, 2, fill=7, since=2)
    given = column(np.float64, since=3, older=0.25)
    moved = column(np.uint8, since=3, older=MovedFrom("ThenPool", "state", lambda states: states + 1))
    unknown = column(np.uint8, since=3, older=MovedFrom("ThenPool", "never", otherwise=4))


def saved(rows: int, **columns: np.ndarray) -> dict[str, np.ndarray]:
    owner = np.ones(rows, np.int64)
    return {"owner": owner, "generation": np.zeros(rows, np.int64), "spans": np.array([[0, rows]], np.int32), **columns}


def test_columns_that_came_later_get_what_they_declare_and_those_that_went_are_skipped():
    columns = saved(3, kept=np.arange(3.0), gone=np.ones(3))
    there = {"NowPool": columns, "ThenPool": {"state": np.array([4, 5, 6], np.uint8)}}
    now = bring_up_to_date(NowPool(), 1, columns, there, "old.save")
    assert now["kept"].tolist() == [0.0, 1.0, 2.0]
    assert now["added"].tolist() == [[7, 7]] * 3
    assert now["given"].tolist() == [0.25] * 3
    assert now["moved"].tolist() == [5, 6, 7]
    assert now["unknown"].tolist() == [4, 4, 4]
    assert "gone" not in now
    pool = NowPool()
    pool.restore(now)
    assert pool.moved[:3].tolist() == [5, 6, 7]


def test_a_column_that_should_be_there_and_is_not_is_named():
    with pytest.raises(SnapshotError, match="old.save: NowPool .* added"):
        bring_up_to_date(NowPool(), 2, saved(3, kept=np.arange(3.0)), {}, "old.save")


def test_a_pool_of_a_newer_format_is_refused():
    with pytest.raises(SnapshotError, match="NowPool has format 4, this version reads up to 3"):
        bring_up_to_date(NowPool(), 4, saved(1, kept=np.zeros(1)), {}, "new.save")
