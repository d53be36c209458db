"""A save is checked before anything is built from it, whoever wrote it: a checksum that fits proves nothing."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from paludarium import PaludariumError, World
from paludarium.engine.column_rules import Anything, Codes, NameOf, RowOf, SpanOf
from paludarium.engine.errors import SnapshotError
from paludarium.engine.maps import read_map
from paludarium.engine.save_header import checked_header
from paludarium.engine.snapshot import FIRST_FAMILIES, _restore
from paludarium.systems.sea.seaweed import STRETCH
from paludarium.tests.engine.sealed import opened, redescribed, sealed

HUGE = {np.dtype(np.int32): 2**31 - 1, np.dtype(np.int64): 2**62, np.dtype(np.uint8): 255, np.dtype(np.int8): 127}


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("saves") / "world.palu"
    world = World(seed=4, map="tide_pool", populate=False)
    front = world.spawn("giant_centipede", at=(0, 0), faction="red")
    walker, follower = world.spawn("stone_centipede", at=(10, 10)), world.spawn("pauropod", at=(-10, 5))
    world.set_relation("red", "blue", "hostile")
    world.add_food((3, 3))
    world.add_obstacle("box", (20, 20), size=(2, 2))
    world.add_stimulus("threat", (5, 5))
    follower.follow(front)
    walker.follow_path([(0, 0), (5, 5), (9, 9)])
    front.sever(8)
    world.spawn("clownfish", at=(-8, 30))
    world.spawn("eel", at=(-8, 34))
    world.add_coral("anemone", (-10, 32))
    world.add_nest((60, -60))
    world.spawn("worker_ant", at=(64, -60))
    world.add_hook((-8, 32), depth=0.3)
    world.add_seaweed((-8, 32), leaves=2, height=0.4)
    world.add_bubbles((-8, 32), count=2)
    world.add_plankton(3, at=(-8, 32), spread=1)
    leaving = world.spawn("pauropod", at=(30, 0))
    world.spawn("pauropod", at=(30, 10))
    leaving.despawn()
    world.save(path)
    return path, world


@pytest.fixture
def content(original):
    return opened(original[0])


@pytest.fixture(scope="module")
def checks(original):
    """What a load does between reading a file and building anything, in a world that is made once: it stays as it is,
    because whatever is handed in is refused. Hundreds of columns are tried, and building a world takes most of a load."""
    header = opened(original[0])[0]
    known = checked_header(header, FIRST_FAMILIES)
    world = World(seed=known.origin.seed, map=read_map(known.origin.map, known.origin.map_file), populate=False)
    for family in known.families:
        world.require_family(family)
    before = world.state_hash()
    yield lambda arrays: _restore(world, known, list(arrays.values()), original[0])
    assert world.state_hash() == before
    assert not world.creatures


def columns_that_lead_somewhere():
    world = World(seed=0)
    for family in world.families:
        world.require_family(family)
    for name, pool in world.pools.items():
        for column, declared in pool.columns.items():
            if isinstance(declared.holds, (RowOf, SpanOf, Codes, NameOf)) or column.endswith("_count"):
                signed = np.dtype(declared.dtype).kind == "i"
                yield from ((name, column, value) for value in ("huge", "negative")[: 1 + signed])


def test_what_was_taken_apart_and_sealed_again_loads(original, content, tmp_path):
    assert World.load(sealed(tmp_path / "a.palu", *content)).state_hash() == original[1].state_hash()


@pytest.mark.parametrize("pool, column, value", list(columns_that_lead_somewhere()))
def test_row_numbers_and_codes_that_lead_nowhere_are_refused(content, checks, pool, column, value):
    _, arrays = content
    values = arrays[pool, column]
    values[...] = HUGE[values.dtype] if value == "huge" else -7
    with pytest.raises(SnapshotError, match=f"{pool}.*allowed"):
        checks(arrays)


def test_a_load_makes_these_checks(content, tmp_path):
    header, arrays = content
    arrays["SegmentPool", "position"][0] = np.nan
    with pytest.raises(SnapshotError, match="SegmentPool.position"):
        World.load(sealed(tmp_path / "a.palu", header, arrays))


BAD = (np.nan, np.inf, -np.inf, 1e200)


@pytest.mark.parametrize("bad", BAD)
def test_no_column_of_numbers_takes_what_is_none(content, checks, bad):
    _, arrays = content
    pools = World(seed=0)
    for family in pools.families:
        pools.require_family(family)
    for (pool, column), values in arrays.items():
        if values.dtype.kind != "f" or not values.size or pool not in pools.pools or column not in pools.pools[pool].columns:
            continue
        endless = isinstance(pools.pools[pool].columns[column].holds, Anything) and not np.isnan(bad)
        if endless or np.float64(bad) > np.finfo(values.dtype).max:
            continue
        before = values.copy()
        row = int(arrays[pool, "spans"][-1].sum()) - 1
        values[row].reshape(-1)[-1:] = bad
        values[row] = values[row] if values.ndim > 1 else bad
        with pytest.raises(SnapshotError, match=f"{pool}.{column}"):
            checks(arrays)
        values[...] = before


@pytest.mark.parametrize("change", [
    [[0, 10**6]], [[-3, 5]], [[5, 0]], [[0, 4], [2, 6]], [[4, 4], [0, 4]], [[2**31 - 1, 2**31 - 1]], [],
])  # fmt: skip
@pytest.mark.parametrize("pool", ["SegmentPool", "CreaturePool", "LegPool", "BrainPool", "FoodPool", "FactionPool"])
def test_spans_lie_within_their_pool_in_order(content, tmp_path, pool, change):
    header, arrays = content
    arrays[pool, "spans"] = np.array(change, np.int32).reshape(-1, 2)
    with pytest.raises(SnapshotError, match=pool):
        World.load(sealed(tmp_path / "a.palu", redescribed(header, arrays), arrays))


def test_rows_of_one_creature_cannot_be_anothers(content, tmp_path):
    header, arrays = content
    first, second = header["creatures"][:2]
    first[3], second[3] = second[3], first[3]
    with pytest.raises(SnapshotError, match=r"world|belong|rows|species"):
        World.load(sealed(tmp_path / "a.palu", header, arrays))
    header, arrays = content
    arrays["SegmentPool", "owner"][:] = header["creatures"][0][0]
    with pytest.raises(SnapshotError):
        World.load(sealed(tmp_path / "a.palu", header, arrays))


def test_creatures_and_rows_must_be_all_there(content, tmp_path):
    header, arrays = content
    with pytest.raises(SnapshotError, match="belong to no creature"):
        World.load(sealed(tmp_path / "a.palu", {**header, "creatures": header["creatures"][1:]}, arrays))
    with pytest.raises(SnapshotError, match="serial numbers"):
        World.load(sealed(tmp_path / "a.palu", {**header, "next_serial": 2}, arrays))
    del header["creatures"][0][3]["segments"]
    with pytest.raises(SnapshotError):
        World.load(sealed(tmp_path / "a.palu", header, arrays))


def test_a_column_may_not_be_shorter_than_its_pool(content, tmp_path):
    header, arrays = content
    arrays["TissuePool", "segment_a"] = arrays["TissuePool", "segment_a"][:-1]
    with pytest.raises(SnapshotError, match=r"TissuePool\.segment_a has \d+ rows"):
        World.load(sealed(tmp_path / "a.palu", redescribed(header, arrays), arrays))


def test_more_factions_than_the_table_is_wide_are_refused(content, tmp_path):
    header, arrays = content
    for column in ("owner", "name", "relation"):
        arrays["FactionPool", column] = np.repeat(arrays["FactionPool", column][:1], 65, axis=0)
    arrays["FactionPool", "generation"] = np.zeros(128, np.int64)
    arrays["FactionPool", "spans"] = np.array([(row, 1) for row in range(65)], np.int32)
    with pytest.raises(SnapshotError, match="at most 64"):
        World.load(sealed(tmp_path / "a.palu", redescribed(header, arrays), arrays))


@pytest.mark.parametrize("place, value", [(2, 1e-300), (3, np.nan), (16 + 50, np.inf), (16 + 50, 1e300), (5, 1e9)])
def test_water_that_cannot_be_is_refused(content, tmp_path, place, value):
    header, arrays = content
    arrays["water", "numbers"][place] = value
    with pytest.raises(SnapshotError, match="water: "):
        World.load(sealed(tmp_path / "a.palu", header, arrays))


@pytest.mark.parametrize("key, value", [
    ("seed", -1), ("seed", "1"), ("seed", None), ("seed", 10**60), ("tick_rate", 0), ("tick_rate", 10**9), ("precision", 3),
    ("precision", "float16"), ("map", []), ("map", {"terrain": {"kind": 5}}), ("map_file", 5), ("plugins", "x"),
    ("plugins", [["a"]]), ("plugins", ["paludarium.systems"] * 2), ("families", ["dragon"]), ("families", 1),
    ("formats", {"BodyPool": 99}), ("formats", {"BodyPool": "2"}), ("formats", [1]), ("clock", [1, 1.0, False]),
    ("clock", [-1, 1.0, False, 0.0]), ("clock", [1, -1.0, False, 0.0]), ("clock", [1, 1.0, 0, 0.0]),
    ("clock", [1, 1.0, False, 1e300]), ("clock", [10**30, 1.0, False, 0.0]), ("next_serial", 0), ("next_serial", 1.5),
    ("streams", {"spawn": {}}), ("streams", {"spawn": {"bit_generator": "MT19937"}}), ("streams", []),
    ("events", [["born", 0, 1]]), ("events", [["no such event", 0, 1, {}]]), ("events", [["born", 0, 1, {}, ["x", "y"]]]),
    ("species", {"giant_centipede": 5}), ("species", {}), ("creatures", [[1]]), ("creatures", [[1, "x", "y", {}]]),
    ("creatures", 3),
    ("arrays", [["CreaturePool", "owner", "|O", [1]]]), ("arrays", [["CreaturePool", "owner", "<i8", [-1]]]),
    ("arrays", [["CreaturePool", "owner", "<i8", [2**40, 2**40]]]), ("arrays", [["CreaturePool", "owner", "<i8", [2**30]]]),
    ("arrays", []), ("arrays", [["DragonPool", "owner", "<i8", [0]]]), ("arrays", "x"),
])  # fmt: skip
def test_every_entry_of_the_header_is_checked(content, tmp_path, key, value):
    header, arrays = content
    with pytest.raises(SnapshotError, match=r"a\.palu: "):
        World.load(sealed(tmp_path / "a.palu", {**header, key: value}, arrays))
    del header[key]
    if key not in ("families", "formats"):
        with pytest.raises(SnapshotError, match=r"a\.palu: "):
            World.load(sealed(tmp_path / "a.palu", header, arrays))


@pytest.mark.parametrize("text", [
    b"", b"5", b"[]", b"{}", b"{", b"[" * 100_000, b'{"seed": 1, "seed": 2}', b'{"seed": NaN}',
    b'{"seed": 1' + b"0" * 5000 + b"}",
    b'{"seed": "\\ud800"}', b"\xff\xfe", b'{"a":' * 500 + b"1" + b"}" * 500,
])  # fmt: skip
def test_a_header_that_is_no_plain_data_is_refused(tmp_path, text):
    with pytest.raises(SnapshotError, match=r"a\.palu: ") as caught:
        World.load(sealed(tmp_path / "a.palu", text, {}))
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("version", [0, 3, 2**32 - 1])
def test_formats_that_never_were_are_refused(content, tmp_path, version):
    with pytest.raises(SnapshotError, match=f"format {version}"):
        World.load(sealed(tmp_path / "a.palu", *content, version=version))


def test_a_header_longer_than_the_file_is_refused(content, tmp_path):
    import hashlib

    from paludarium.engine.snapshot import DIGEST_BYTES, MAGIC, PREFIX

    body = PREFIX.pack(MAGIC, 2, 2**60)
    path = tmp_path / "a.palu"
    path.write_bytes(body + hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest())
    with pytest.raises(SnapshotError, match="header of"):
        World.load(path)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path, monkeypatch):
    from paludarium.engine import snapshot

    monkeypatch.setattr(snapshot, "MOST_BYTES", 1000)
    (tmp_path / "a.palu").write_bytes(b"\0" * 1001)
    with pytest.raises(SnapshotError, match="larger than 1000 bytes"):
        World.load(tmp_path / "a.palu")
    with pytest.raises(SnapshotError, match="is no file"):
        World.load(tmp_path)


@pytest.mark.parametrize("name", ["builtins:exit", "victim", "victim:build", "paludarium.examples.mods.rolling_ball"])
def test_nothing_that_a_save_names_is_imported(content, tmp_path, monkeypatch, name):
    header, arrays = content
    (tmp_path / "victim.py").write_text("from pathlib import Path\nPath('touched').write_text('')\ndef build(world): pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    header["plugins"] = [*header["plugins"], name]
    known = set(sys.modules)
    with pytest.raises(SnapshotError, match=rf"not given: '{name}'; give them as plugins="):
        World.load(sealed(tmp_path / "a.palu", header, arrays))
    assert not (tmp_path / "touched").exists()
    assert "victim" not in set(sys.modules) - known


def test_a_state_whose_owner_stumbles_is_named(original, content, tmp_path, monkeypatch):
    from paludarium.engine.water import Water

    def stumble(_water, _state):
        raise KeyError("numbers")

    monkeypatch.setattr(Water, "restore", stumble)
    with pytest.raises(SnapshotError, match=r"world\.palu: water: KeyError"):
        World.load(original[0])


def test_every_whole_number_of_a_pool_says_what_it_is():
    world = World(seed=0)
    for family in world.families:
        world.require_family(family)
    for name, pool in world.pools.items():
        for column, declared in pool.columns.items():
            assert np.dtype(declared.dtype).kind == "f" or declared.holds is not None, f"{name}.{column}"


@pytest.mark.parametrize("pool", ["SegmentPool", "NodePool", "SeaweedPool"])
def test_what_belongs_together_is_not_far_apart(content, checks, pool):
    """Boxes around bodies and weeds are looked up in squares: one of a million units took minutes, or was an error in every
    tick."""
    _, arrays = content
    row, position = arrays[pool, "spans"][0, 0], arrays[pool, "position"]
    position[(row, -1) if position.ndim == 3 else row + 1] += 1e6  # the tip of a leaf, or the second part of a body
    with pytest.raises(SnapshotError, match=rf"{pool}\.position .*units from the first one of its owner"):
        checks(arrays)


@pytest.mark.parametrize("half", [1e4, 1e-9])
def test_obstacles_are_such_as_the_index_has_room_for(content, checks, half):
    _, arrays = content
    arrays["ObstaclePool", "half_size"][...] = half
    with pytest.raises(SnapshotError, match=r"ObstaclePool\.half_size .*cells of the index"):
        checks(arrays)


@pytest.mark.parametrize("stiffness", [-1.0, 1e6])
def test_springs_of_seaweed_are_such_as_hold_together(content, checks, stiffness):
    _, arrays = content
    arrays["SeaweedPool", "stiffness"][...] = stiffness
    with pytest.raises(SnapshotError, match=r"SeaweedPool\.stiffness .*keep together"):
        checks(arrays)


def test_leaves_that_are_thrown_away_stay_within_reach_of_their_roots(content, tmp_path):
    """A box around one that is 160,000 units long made a tick take half a minute, and could not be saved again."""
    header, arrays = content
    arrays["SeaweedPool", "velocity"][...] = 1e7
    sealed(tmp_path / "sealed.palu", header, arrays)
    world = World.load(tmp_path / "sealed.palu")
    world.step(2)
    nodes = world.pools["SeaweedPool"].live("position")
    assert np.abs(nodes - nodes[:, :1])[..., :2].max() == pytest.approx(STRETCH)
    world.save(tmp_path / "again.palu")
    assert World.load(tmp_path / "again.palu").state_hash() == world.state_hash()


def test_what_nobody_owns_is_as_good_as_new_after_loading(content, tmp_path):
    header, arrays = content
    gap = next(row for row in range(len(arrays["BodyPool", "owner"])) if arrays["BodyPool", "owner"][row] == -1)
    arrays["BodyPool", "first_segment"][gap] = 2**31 - 1
    world = World.load(sealed(tmp_path / "a.palu", header, arrays))
    assert world.pools["BodyPool"].first_segment[gap] == 0
    world.step()


def test_refusals_are_errors_of_ours():
    assert issubclass(SnapshotError, PaludariumError)
