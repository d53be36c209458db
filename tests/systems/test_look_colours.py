"""What the handles of looks tell: the colours of the species, by name, alike in every family."""

import pytest

from paludarium import Map, World
from paludarium.engine.errors import ArgumentError

LOOKS = {"koi": ("scales", "bar"), "giant_centipede": ("appearance", "antenna_tip"), "worker_ant": ("shell", "jaw"),
         "eel": ("skin", "marking")}  # fmt: skip
POND = {"bounds": [-30, -30, 30, 30], "level_u": 12.0,
        **{f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}}  # fmt: skip


@pytest.mark.parametrize("kind", LOOKS)
def test_a_look_tells_its_colours_by_name(kind):
    world = World(seed=1, map=Map.define(area={"width_u": 160, "height_u": 160}, water=[POND]))
    creature = world.spawn(kind, at=(0.0, 0.0, 6.0) if kind in ("koi", "eel") else (60.0, 0.0))
    table, key = LOOKS[kind]
    handle = getattr(creature, table)
    assert handle.color(key) == pytest.approx(getattr(creature.species.specs[table], key))
    with pytest.raises(ArgumentError, match=rf"color name = 'puple': allowed is .*\b{key}\b"):
        handle.color("puple")
