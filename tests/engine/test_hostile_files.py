"""Whatever is in a species or map file, one error of ours names the file, the key, the value and what is allowed."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from paludarium import Map, PaludariumError, World
from paludarium.engine import maps as maps_module
from paludarium.engine import species as species_module
from paludarium.engine.errors import LONGEST_SHOWN, MapError, SpeciesError
from paludarium.engine.spec import LONGEST_TEXT, MOST_ITEMS
from paludarium.tests.engine.worms import worm_world

ASSETS = Path(__file__).resolve().parent.parent.parent / "assets"
STRANGE = (
    True, None, 0, -1, 10**400, -(10**400), 1e308, -1e308, 5e-324, math.nan, math.inf, "", "x" * 100_000, "\0", [], [[]],
    [[[[[1]]]]], [1, "two", None], [math.nan] * 4, [1] * 100_000, {}, {"": {}}, {"a": {"b": {"c": {}}}}, [{}],
    [{"kind": []}],
)  # fmt: skip
WORST_MESSAGE = 40 * LONGEST_SHOWN


def deep(levels: int) -> list:
    nested: list = []
    for _ in range(levels):
        nested = [nested]
    return nested


def attempt(error: type[PaludariumError], call) -> tuple[Any, str]:
    """What a call gives, or None and what our error says; any other error is one too many."""
    try:
        return call(), ""
    except error as problem:
        return None, str(problem)


def refused(error: type[PaludariumError], call, *named: str) -> str:
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert len(message) <= WORST_MESSAGE
    for word in named:
        assert word in message
    return message


@pytest.mark.parametrize("text, words", [
    ("beads = " + "[" * 5000 + "]" * 5000, ["nested too deeply"]),
    ("beads = " + "{a = " * 3000 + "1" + "}" * 3000, ["nested too deeply"]),
    ("[beads]\ncount = " + "9" * 5000, ["TOML"]),
    ("[beads]\ncount = " + "9" * 400, ["count", "whole number from"]),
    ("[beads]\ncount = -" + "9" * 400, ["count", "whole number from"]),
    ("[beads]\ncount = 5\nspeed_u_per_s = " + "9" * 400, ["speed_u_per_s", "finite number"]),
    ("[beads]\ncount = 5\nspeed_u_per_s = 1e400", ["speed_u_per_s", "inf"]),
    ("[beads]\ncount = 5\nspeed_u_per_s = 1979-05-27", ["speed_u_per_s", "finite number"]),
    ("[beads]\ncount = 5\nweights = [" + "1.0," * 5000 + "]", ["weights", "list of 2"]),
    (f'name = "{"x" * (LONGEST_TEXT + 1)}"\n[beads]\ncount = 5', ["name", f"at most {LONGEST_TEXT} characters"]),
    ("inherits = [1, 2]\n[beads]\ncount = 5", ["inherits", "text"]),
    ("inherits = {a = 1}\n[beads]\ncount = 5", ["inherits", "text"]),
    ("family = 7\n[beads]\ncount = 5", ["family", "text"]),
    ("[beads]\ncount = 5\n" + "k" * 50_000 + " = 1", ["kkk", "one of"]),
    ("[" + "t" * 50_000 + "]\ncount = 5", ["ttt", "a table that a part reads"]),
    ("[[beads]]\ncount = 5", ["beads", "a table of keys"]),
    ("\x00", ["TOML"]),
])  # fmt: skip
def test_a_hostile_species_file_is_refused_and_leaves_nothing(tmp_path, text, words):
    world = worm_world(tmp_path, text=text)
    before = world.state_hash()
    refused(SpeciesError, lambda: world.spawn("worm"), "worm.toml", *words)
    assert world.state_hash() == before


def test_files_that_are_too_large_or_no_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(species_module, "LARGEST_FILE", 10)
    monkeypatch.setattr(maps_module, "LARGEST_FILE", 10)
    refused(SpeciesError, lambda: worm_world(tmp_path, text="[beads]\ncount = 5").spawn("worm"), "at most 10 bytes")
    (tmp_path / "large.toml").write_text("# " + "x" * 100)
    refused(MapError, lambda: World(map=tmp_path / "large.toml"), "large.toml", "at most 10 bytes")
    (tmp_path / "folder.toml").mkdir()
    refused(MapError, lambda: World(map=tmp_path / "folder.toml"), "folder.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    refused(MapError, lambda: World(map=tmp_path / "bytes.toml"), "bytes.toml", "TOML")


def test_a_long_lineage_is_refused(tmp_path):
    world = World(seed=0)
    for place in range(60):
        (tmp_path / f"worm{place}.toml").write_text(f'inherits = "worm{place + 1}"\n')
    (tmp_path / "worm60.toml").write_text('inherits = "pauropod"\n')
    refused(SpeciesError, lambda: world.add_species(tmp_path), "inherits", "at most 50 ancestors")
    assert not any(key.startswith("worm") for key in world.species)


@pytest.mark.parametrize("value", STRANGE, ids=[str(place) for place in range(len(STRANGE))])
def test_strange_values_anywhere_in_a_species_give_our_error_or_work(value):
    world = World(seed=0)
    tables = world.species["giant_centipede"].source
    for name in (*tables, "reactions", "diet", "ganglia", "wings"):
        table = tables.get(name, {})
        changed = [{**tables, name: value}]
        if isinstance(table, dict):
            changed += [{**tables, name: {**table, key: value}} for key in [*table, "unknown"]]
        for species in changed:
            _, said = attempt(SpeciesError, lambda tables=species: world.define_species("strange", **tables))
            assert len(said) <= WORST_MESSAGE


@pytest.mark.parametrize("value", STRANGE, ids=[str(place) for place in range(len(STRANGE))])
def test_strange_values_anywhere_in_a_map_give_our_error_or_work(value):
    good = {
        "name": "x", "description": "x", "area": {"width_u": 40, "height_u": 40}, "physics": {"gravity_u_per_s2": 9.0},
        "light": {"time": "day"}, "food": {"count": 1}, "obstacles": {"kind": "box", "at_u": [9, 9]},
        "creatures": {"species": "pauropod", "tier": "bush"}, "water": {"bounds": [-5, -5, 5, 5], "level_u": 1.0},
        "terrain": {"kind": "random_gaussians", "count": 3, "spacing": 2.0, "height": [0.0, 0.1], "seed": 3,
                    "bounds": [-9, -9, 9, 9]},
    }  # fmt: skip
    many = {"food", "obstacles", "creatures", "water"}
    tried = 0
    for name, table in good.items():
        changed = [{name: value}]
        if isinstance(table, dict):
            for key in [*table, "unknown"]:
                one = {**table, key: value}
                changed.append({name: [one] if name in many else one})
        for tables in changed:
            tried += 1
            world, said = attempt(MapError, lambda tables=tables: World(seed=1, map=Map.define(**tables)))
            assert len(said) <= WORST_MESSAGE
            if world is not None:
                world.step(1)
    assert tried == 35


SHAPE = {"kind": "sphere", "center": [0, 0, 0], "radius": 1.0}
MESHES = (
    {"source": "ball", "rings": 10**9}, {"source": "ball", "sectors": 501}, {"source": "ball", "rings": 2.5},
    {"source": "lumpy_ball", "octaves": 10**6}, {"source": "lumpy_ball", "seed": -1}, {"source": "file", "path": "x.zip"},
    {"source": "file", "path": 5}, {"source": "arrays", "vertices": deep(100), "faces": []},
    {"source": "arrays", "vertices": [[10**400, 0, 0]], "faces": [[0, 0, 0]]},
    {"source": "arrays", "vertices": 3, "faces": 4},
    {"source": "arrays", "vertices": [["a", "b", "c"]], "faces": [[0, 0, 0]]}, {"source": "ball", "cells": 201},
    {"source": "arrays", "vertices": [[1e300, 0, 0], [0, 1e300, 0], [0, 0, 1e300]], "faces": [[0, 1, 2], [0, 2, 1]]},
    {"source": "ball", "field_nodes": 10**6}, {"source": "ball", "scale": 1e300}, {"source": [], "path": {}},
    deep(50), "ball", {"source": "ball", "cells": 1},
)  # fmt: skip


@pytest.mark.parametrize("terrain", [
    {"kind": "noise", "octaves": 10**9}, {"kind": "noise", "spacing": 1e-300}, {"kind": "noise", "scale": 5e-324},
    {"kind": "noise", "lacunarity": 1e300}, {"kind": "noise", "amplitude": 1e300}, {"kind": "noise", "noise": []},
    {"kind": "noise", "backend": {}}, {"kind": "noise", "seed": 2**64}, {"kind": "random_gaussians", "count": 10**9},
    {"kind": "random_gaussians", "count": 9999}, {"kind": "random_gaussians", "height": [1e300, 1e300]},
    {"kind": "gaussians", "hills": [[0, 0, 1, 1]] * 10_001}, {"kind": "gaussians", "hills": deep(50)},
    {"kind": "gaussians", "hills": [[0, 0, 1, 0]]}, {"kind": "flat", "elevation": 10**400},
    {"kind": "flat", "bounds": [0] * 10**6},
    {"kind": "flat", "shapes": [{"kind": "random_cylinders", "count": 10**9, "area": [0, 0, 1, 1]}]},
    {"kind": "flat", "shapes": [{"kind": "random_cylinders", "count": 3000, "area": [0, 0, 1, 1]}] * 2},
    {"kind": "flat", "shapes": [SHAPE] * 5001}, {"kind": "flat", "shapes": [SHAPE] * 200},
    {"kind": "flat", "shapes": deep(50)},
    {"kind": "flat", "shapes": [{**SHAPE, "radius": 1e300}]}, {"kind": "x" * 10**6}, {"kind": deep(50)}, {"x" * 10**5: 1},
    *({"kind": "flat", "mesh": mesh} for mesh in MESHES),
], ids=lambda table: str(table)[:40])  # fmt: skip
def test_hostile_ground_is_refused_by_name(terrain):
    refused(MapError, lambda: World(seed=1, map=Map.define(terrain=terrain)), "Map.define", "terrain")


@pytest.mark.parametrize("tables, words", [
    ({"creatures": [{"species": "pauropod", "count": 5001}]}, ["count", "5000"]),
    ({"creatures": [{"species": "pauropod", "count": 3000}] * 2}, ["6000", "at most 5000 in all"]),
    ({"food": [{}] * 1001}, ["1001 tables"]),
    ({"creatures": [{"species": "dragon"}]}, ["creatures 1", "species", "dragon"]),
    ({"creatures": [{"species": "pauropod", "at_u": [1e5, 0]}]}, ["creatures 1", "at_u", "off the map"]),
    ({"obstacles": [{"radius_u": 1e5}]}, ["obstacles 1", "at most 1536"]),
    ({"water": [{"bounds": [-50, -50, 50, 50], "level_u": 1, "cell_u": 0.06}] * 2}, ["cells in 2 ponds"]),
    ({"water": [{"bounds": [-5, -5, 5, 5], "level_u": 1}] * 101}, ["101 ponds"]),
    ({"area": {"width_u": 1e6}}, ["width_u", "100000"]),
])  # fmt: skip
def test_too_much_of_anything_is_refused_with_the_limit(tables, words):
    refused(MapError, lambda: World(seed=1, map=Map.define(**tables)), *words)


@pytest.mark.parametrize("folder, error", [("species", SpeciesError), ("worlds", MapError)])
def test_damaged_files_give_our_error_or_work(tmp_path, folder, error):
    draw = random.Random(11)
    files = sorted((ASSETS / folder).glob("*.toml"))
    refusals = 0
    for trial in range(60):
        content = bytearray(draw.choice(files).read_bytes())
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(content))
            pieces = [b"nan", b"inf", b"-", b"[", b"{", b'"', b"9" * 30, b"1e308", b"\n[x]\n", b"\xff", b""]
            content[at : at + draw.randint(0, 4)] = draw.choice(pieces)
        file = tmp_path / f"damaged{trial}.toml"
        file.write_bytes(bytes(content))
        try:
            if folder == "species":
                world = World(seed=0)
                world.species[world.add_species(file)]
            else:
                World(seed=0, map=file, populate=False)
        except error:
            refusals += 1
    assert 20 < refusals < 60


def test_every_number_of_every_table_has_a_finite_range():
    from paludarium.engine.maps import LISTS, TABLES
    from paludarium.engine.spec import keys_of
    from paludarium.engine.water.pond import Pond

    specs = [*(part.spec for part in World(seed=0).parts.values()), *TABLES.values(), *LISTS.values(), Pond]
    for spec in specs:
        for key, (_, rule) in keys_of(spec).items():
            assert math.isfinite(rule.low), key
            assert math.isfinite(rule.high), key
            assert rule.length <= MOST_ITEMS
