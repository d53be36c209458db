"""Every key of a species at its least and at its largest works for a while or is refused; just outside it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from paludarium import Map, PaludariumError, World
from paludarium.engine.errors import MapError, SpeciesError
from paludarium.engine.maps import LISTS, TABLES
from paludarium.engine.spec import Rule, keys_of
from paludarium.engine.water.pond import Pond

TICKS = 24
AMPHIBIAN = "giant_centipede"
DERIVED = {"chain", "chain_segments", "head", "ganglia"}
EDGES = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}
NEEDED: dict[str, dict[str, Any]] = {
    "water": {"bounds": [-30, -30, 30, 30], "cell_u": 1.0, **EDGES}, "creatures": {"species": "pauropod"},
}  # fmt: skip


def extremes(rule: Rule) -> list[Any]:
    """The ends of the range of a key, as a file would hold them."""
    if rule.kind.rstrip("s") not in ("number", "integer"):
        return []
    low = rule.low + 1e-9 if rule.above else rule.low
    ends = [int(low), int(rule.high)] if rule.kind.startswith("integer") else [low, rule.high]
    return [[end] * (rule.length or 1) for end in ends] if rule.kind.endswith("s") else ends


def outside(rule: Rule) -> list[Any]:
    """The values next to the range."""
    step = 1 if rule.kind.startswith("integer") else 1e-6 * max(1.0, abs(rule.high))
    values = [rule.low if rule.above else rule.low - step, rule.high + step]
    values = [int(value) if rule.kind.startswith("integer") else value for value in values]
    return [[value] * (rule.length or 1) for value in values] if rule.kind.endswith("s") else values


def refusal(error: type[PaludariumError], call: Callable[[], object]) -> str:
    """What our error says, or nothing where it works."""
    try:
        call()
    except error as problem:
        return str(problem)
    return ""


def species_keys() -> list[tuple[str, str, Rule]]:
    world = World(seed=0)
    known = world.species[AMPHIBIAN].specs
    return [(part.name, key, rule) for part in world.parts.values() if part.name in known and part.name not in DERIVED
            for key, (_, rule) in keys_of(part.spec).items()]  # fmt: skip


def sound(world: World) -> bool:
    return all(pool.is_sound(0, pool.end) for pool in world.pools.values())


KEYS = species_keys()


@pytest.mark.parametrize("table", dict.fromkeys(table for table, _, _ in KEYS))
def test_the_ends_of_the_ranges_of_a_species_work_or_are_refused(table):
    tables = World(seed=0).species[AMPHIBIAN].source
    world, lived = World(seed=1), 0
    wrong: list[str] = []
    world.on("went_wrong", lambda event: wrong.append(event.reason))
    world.add_food((6.0, 2.0))
    world.add_obstacle("sphere", (100.0, 3.0), 1.0)
    bystander = world.spawn("pauropod", at=(0.0, 8.0))
    for name, key, rule in KEYS:
        for value in extremes(rule) if name == table else ():
            changed = {**tables, table: {**tables.get(table, {}), key: value}}
            if said := refusal(SpeciesError, lambda tables=changed: world.define_species("extreme", **tables)):
                assert "allowed is" in said
                continue
            creature = world.spawn("extreme")
            world.step(TICKS)
            assert not wrong, (key, value, wrong)
            assert sound(world), (key, value)
            creature.despawn()
            lived += 1
    assert lived > 0
    assert bystander.alive


def test_just_outside_of_every_range_is_refused_by_name():
    world = World(seed=1)
    tables = world.species[AMPHIBIAN].source
    for table, key, rule in KEYS:
        for value in outside(rule) if extremes(rule) else ():
            with pytest.raises(SpeciesError) as caught:
                world.define_species("extreme", **{**tables, table: {**tables.get(table, {}), key: value}})
            assert key in str(caught.value)


@pytest.mark.parametrize("table", [*TABLES, *LISTS, "water"])
def test_the_ends_of_the_ranges_of_a_map_work_or_are_refused(table):
    lived, keys = 0, keys_of({**TABLES, **LISTS, "water": Pond}[table])
    for key, (_, rule) in keys.items():
        for value in extremes(rule):
            if key == "count" and value > 1:
                continue  # as many as there may be, and ten seconds
            one = {**NEEDED.get(table, {}), key: value}
            if table == "water" and key not in ("level_u", "depth_u"):
                one["level_u"] = 3.0
            tables = {"area": {"width_u": 80, "height_u": 80}, table: one if table in TABLES else [one]}
            if table in ("plankton", "seaweed", "bubbles", "corals", "lilies"):
                tables["water"] = [{**NEEDED["water"], "level_u": 3.0}]
            if said := refusal(MapError, lambda tables=tables: World(seed=1, map=Map.define(**tables))):
                assert "allowed is" in said
                continue
            world = World(seed=1, map=Map.define(**tables))
            world.step(TICKS // 4)
            assert sound(world), (key, value)
            lived += 1
    assert lived > 0 or not any(extremes(rule) for _, rule in keys.values())


@pytest.mark.parametrize(("key", "value"), [("length_mm", 0.1), ("head_mm", 500.0), ("gaster_mm", -500.0),
                                            ("width_mm", 200.0)])  # fmt: skip
def test_parts_of_a_trunk_farther_apart_than_a_body_is_long_are_refused(key, value):
    """They were taken, and such an animal was taken out in its first tick because its body was torn apart."""
    world = World(seed=1)
    tables = world.species["cockroach"].source
    with pytest.raises(SpeciesError, match="lengths of the trunk"):
        world.species.define("wide", {**tables, "trunk": {**tables["trunk"], key: value}})
