"""The parameter row: complete, named, and true to scale."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.leg_states import SupportMode
from paludarium.components.myriapod.gait import GAIT_COLUMNS, Gait, GaitPool, GaitSpec
from paludarium.components.parameters import parameter_row
from paludarium.tests.gait.kinematic_walker import KinematicWalker


def test_columns_are_numbered_without_gaps():
    assert [int(column) for column in Gait] == list(range(GAIT_COLUMNS))


def test_changes_are_made_by_column_name():
    row = parameter_row(GaitSpec(), pair_rule=0.0)
    assert row[Gait.PAIR_RULE] == 0.0
    assert np.sum(row != parameter_row(GaitSpec())) == 1


def test_unknown_column_is_an_error():
    with pytest.raises(ValueError, match="pear_rule"):
        parameter_row(GaitSpec(), pear_rule=0.0)


@pytest.mark.parametrize("size", [0.25, 3.0])
def test_animal_of_another_size_steps_alike_at_proportional_speed(size):
    """Dimensional similarity: scale every length and speed, and the same feet land in the same ticks."""
    normal, scaled = KinematicWalker(9, yaw_rate=0.1), KinematicWalker(9, yaw_rate=0.1, speed=2.0 * size)
    scaled.gaits.parameters[0] = parameter_row(GaitSpec(), size, support_mode=normal.gaits.parameters[0, Gait.SUPPORT_MODE])
    for name in ("position", "tip", "hip", "half_extents", "half_pitch", "ride_height"):
        getattr(scaled, name)[:] *= size
    scaled.links[:, :3] *= size
    before, after = normal.walk(6.0), scaled.walk(6.0)
    np.testing.assert_array_equal(before.state, after.state)
    np.testing.assert_allclose(after.position, size * before.position, atol=1e-6)


def test_no_tier_changes_what_the_species_file_says():
    world = World(seed=1, map="flat")
    animal = world.spawn("stone_centipede")
    for tier in ("follow", "bush", "follow", "full"):
        animal.tier = tier
        world.step(2)
        np.testing.assert_array_equal(
            world.pool(GaitPool).parameters[animal.row], parameter_row(animal.species.specs["gait"])
        )


def test_gait_that_an_older_save_had_changed_for_its_tier_is_the_species_own_again(tmp_path, monkeypatch):
    world = World(seed=1, map="flat")
    animal = world.spawn("stone_centipede", tier="follow")
    own = world.pool(GaitPool).parameters[animal.row].copy()
    world.pool(GaitPool).parameters[animal.row, [Gait.SUPPORT_MODE, Gait.SAMPLE_OFFSET]] = SupportMode.ALWAYS, 0.0
    world.step(10)
    monkeypatch.setattr(GaitPool, "format", 2)
    world.save(tmp_path / "older.save")
    monkeypatch.undo()
    loaded = World.load(tmp_path / "older.save")
    np.testing.assert_array_equal(loaded.pool(GaitPool).parameters[animal.row], own)
