"""Species files: every mistake gives one error that names file, table, key, value and what is allowed."""

from __future__ import annotations

import math
import os

import pytest

from paludarium.engine.errors import SpeciesError
from paludarium.tests.engine.worms import WORM, worm_world

MISTAKES = {
    "unknown key": ("[beads]\ncount = 5\nspede = 1", ["beads", "spede", "speed_u_per_s"]),
    "unknown table": ("[beads]\ncount = 5\n[wings]\nsize = 1", ["wings", "beads"]),
    "wrong type": ('[beads]\ncount = "five"', ["beads", "count", "'five'", "whole number"]),
    "fraction for a count": ("[beads]\ncount = 2.5", ["count", "2.5", "whole number"]),
    "true for a number": ("[beads]\ncount = 5\nspeed_u_per_s = true", ["speed_u_per_s", "True", "number"]),
    "negative": ("[beads]\ncount = 5\nspeed_u_per_s = -1.0", ["speed_u_per_s", "-1.0", "from 0 to 1e+06"]),
    "nan": ("[beads]\ncount = 5\nspeed_u_per_s = nan", ["speed_u_per_s", "nan", "finite"]),
    "infinite": ("[beads]\ncount = 5\nturn_deg = inf", ["turn_deg", "inf", "from -180 to 180"]),
    "zero where above zero": ("[beads]\ncount = 5\nweights = [0.0, 1.0]", ["weights", "above 0"]),
    "list too short": ("[beads]\ncount = 5\nweights = [1.0]", ["weights", "list of 2"]),
    "no such choice": ('[beads]\ncount = 5\nmood = "sad"', ["mood", "'sad'", "'calm'"]),
    "no colour": ('[beads]\ncount = 5\nhue = "red"', ["hue", "'red'", "colour"]),
    "missing key": ("[beads]\nspeed_u_per_s = 1.0", ["count", "missing"]),
    "impossible together": ("[beads]\ncount = 5\nhead_bead = 9", ["head_bead", "9", "0 to 4"]),
    "table expected": ("beads = 5", ["beads", "5", "table"]),
    "broken toml": ("[beads\ncount = 5", ["TOML", "line 1"]),
    "unknown parent": ('inherits = "snail"\n[beads]\ncount = 5', ["inherits", "snail", "worm"]),
    "own ancestor": ('inherits = "worm"\n[beads]\ncount = 5', ["inherits", "ancestor"]),
    "name is no text": ("name = 3\n[beads]\ncount = 5", ["name", "text"]),
}


@pytest.mark.parametrize("text, words", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_and_leaves_nothing_behind(tmp_path, text, words):
    world = worm_world(tmp_path, text=text)
    before = world.state_hash()
    with pytest.raises(SpeciesError) as caught:
        world.spawn("worm")
    message = str(caught.value)
    for word in ["worm.toml", *words]:
        assert word in message
    assert "\n" not in message.split("TOML")[0]
    assert world.state_hash() == before
    assert not world.creatures


def test_degrees_become_radians_and_colours_become_numbers(tmp_path):
    text = '[beads]\ncount = 5\nturn_deg = 90\nhue = "#ff0080"'
    spec = worm_world(tmp_path, text=text).spawn("worm").species.specs["beads"]
    assert spec.turn == pytest.approx(math.pi / 2)
    assert spec.hue == pytest.approx((1.0, 0.0, 128 / 255))


def test_unknown_species_suggests_the_right_one(tmp_path):
    with pytest.raises(SpeciesError, match="did you mean 'worm'"):
        worm_world(tmp_path).spawn("wrom")


def test_a_species_inherits_and_overrides_keys(tmp_path):
    world = worm_world(tmp_path)
    (tmp_path / "long.toml").write_text('inherits = "worm"\n[beads]\ncount = 9')
    world.add_species(tmp_path / "long.toml")
    long = world.spawn("long")
    assert long.species.specs["beads"].count == 9
    assert long.species.specs["beads"].speed == 2.0
    assert len(long.beads.position) == 9


def test_a_changed_file_is_used_for_new_spawns_only(tmp_path):
    world = worm_world(tmp_path)
    old = world.spawn("worm")
    (tmp_path / "worm.toml").write_text(WORM.replace("count = 5", "count = 8"))
    os.utime(tmp_path / "worm.toml", ns=(1, 1))
    new = world.spawn("worm")
    assert (len(old.beads.position), len(new.beads.position)) == (5, 8)


def test_a_changed_parent_is_noticed(tmp_path):
    world = worm_world(tmp_path)
    (tmp_path / "long.toml").write_text('inherits = "worm"\n[beads]\nturn_deg = 3')
    world.add_species(tmp_path / "long.toml")
    world.spawn("long")
    (tmp_path / "worm.toml").write_text(WORM.replace("count = 5", "count = 12"))
    assert len(world.spawn("long").beads.position) == 12


def test_a_file_that_became_wrong_leaves_the_living_alone(tmp_path):
    world = worm_world(tmp_path)
    worm = world.spawn("worm")
    (tmp_path / "worm.toml").write_text("[beads]\ncount = -3")
    with pytest.raises(SpeciesError, match="-3"):
        world.spawn("worm")
    world.step(3)
    assert worm.alive
    assert len(world.creatures) == 1
