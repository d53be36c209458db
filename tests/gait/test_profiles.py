"""Profiles: one word in a species file stands for the published rules; single keys beside it still win."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import SpeciesError, World
from paludarium.components.leg_states import SupportMode
from paludarium.components.myriapod.gait import PUBLISHED as WALKING
from paludarium.components.myriapod.gait import Gait, GaitPool, GaitSpec
from paludarium.components.myriapod.muscles import PUBLISHED as SWIMMING
from paludarium.components.myriapod.muscles import Muscle, MusclePool, MuscleSpec
from paludarium.components.parameters import parameter_row


def spawned(tmp_path, text, **more):
    """An animal of a species that is written like this, in a world that also knows the species in `more`."""
    world = World(seed=1, map="flat")
    for name, other in {**more, "tested": text}.items():
        (tmp_path / f"{name}.toml").write_text(other)
        world.add_species(tmp_path / f"{name}.toml")
    return world, world.spawn("tested")


THREE_LINES = 'inherits = "stone_centipede"\n[gait]\nprofile = "published"\n'


def gait_of(tmp_path, text, **more):
    world, animal = spawned(tmp_path, text, **more)
    return world.pool(GaitPool).parameters[animal.row]


def test_three_lines_make_an_animal_that_walks_as_published(tmp_path):
    gait = gait_of(tmp_path, THREE_LINES)
    assert gait[Gait.SUPPORT_MODE] == SupportMode.BOTH
    assert gait[Gait.SUPPORT_HOLD] == gait[Gait.PAIR_RULE] == 0.0
    own = parameter_row(GaitSpec(), min_turn_radius=2.5)  # the only number of its own that the species has
    changed = np.flatnonzero(gait != own)
    assert changed.tolist() == sorted(Gait[name] for name in ("SUPPORT_MODE", "SUPPORT_HOLD", "PAIR_RULE"))
    assert len(WALKING) == len(changed)


def test_single_keys_beside_the_word_win(tmp_path):
    gait = gait_of(tmp_path, THREE_LINES + "support_hold_s = 0.1\n")
    assert gait[Gait.SUPPORT_HOLD] == 0.1
    assert gait[Gait.SUPPORT_MODE] == SupportMode.BOTH


def test_children_take_the_profile_over_or_go_back(tmp_path):
    child = gait_of(tmp_path, 'inherits = "parent"\n[gait]\nclearance_u = 0.03\n', parent=THREE_LINES)
    assert child[Gait.SUPPORT_MODE] == SupportMode.BOTH
    back = gait_of(tmp_path, 'inherits = "parent"\n[gait]\nprofile = "steady"\n', parent=THREE_LINES)
    np.testing.assert_array_equal(back, parameter_row(GaitSpec(), min_turn_radius=2.5))


def test_swimmers_have_a_published_profile_too(tmp_path):
    world, animal = spawned(tmp_path, 'inherits = "giant_centipede"\n[muscles]\nprofile = "published"\n')
    muscles = world.pool(MusclePool).parameters[animal.row]
    assert muscles[Muscle.STEERING] == 1.0
    assert muscles[Muscle.ACTIVATION] == muscles[Muscle.CONTROLLER] == 0.0  # the source's, as our defaults are
    assert np.sum(muscles != parameter_row(MuscleSpec())) == 1
    assert set(SWIMMING) == {"controller", "activation", "steering"}


@pytest.mark.parametrize("word", ['"publisched"', "1", "[]"])
def test_a_wrong_word_names_the_right_ones(tmp_path, word):
    with pytest.raises(SpeciesError, match="'steady', 'published'"):
        spawned(tmp_path, f'inherits = "stone_centipede"\n[gait]\nprofile = {word}\n')


def test_a_saved_animal_keeps_its_profile(tmp_path):
    world, animal = spawned(tmp_path, THREE_LINES)
    world.step(20)
    world.save(tmp_path / "world.save")
    loaded = World.load(tmp_path / "world.save")
    assert loaded.state_hash() == world.state_hash()
    assert loaded.creatures[animal.serial].species.specs["gait"].profile == "published"
