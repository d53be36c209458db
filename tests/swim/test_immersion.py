"""Water levels at segments: beside the body, along a shore, in and out of the water; and the modes of a body."""

import numpy as np
import pytest

from paludarium import BodyMode, LegState
from paludarium.components.legs import LegPool
from paludarium.components.myriapod.body_modes import ON_LAND
from paludarium.components.segments import DRY_LEVEL
from paludarium.engine.terrain import Terrain
from paludarium.engine.water import Pond, Water
from paludarium.systems.myriapod.swim.immersion_kernel import is_submerged, latch_modes, sample_immersion
from paludarium.systems.water.wet_bodies_kernel import BESIDE
from paludarium.tests.body.bodies import chain

FLAT = Terrain.flat(bounds=(-60, -60, 60, 60))
LEVEL = 3.0


def pond(terrain=FLAT):
    return Water([Pond(bounds=(-20, -20, 20, 20), level=LEVEL)], terrain)


def sample(columns, water, level_share=1.0, height=None):
    """Sample the water at bodies; with a height above the ground they walk, at a ride height of 1."""
    columns.leg_count[:] = 0 if height is None else 2 * len(columns.position)
    columns.height[:], columns.ride_height[:] = 0.0 if height is None else height, 1.0
    bodies, _, segments, chained, _ = columns.pools
    rows = np.arange(len(columns.substeps), dtype=np.int32)
    sample_immersion(rows, bodies, segments, chained, water.arrays, level_share)


def test_still_pond_has_its_level_everywhere_and_none_outside():
    columns = chain(14)
    columns.position[:, 0] += 1.0  # the last segments are beyond the western edge
    columns.position[:, 2] = 2.0
    sample(columns, pond())
    inside = columns.position[:, 0] > -20.0
    assert inside.any()
    assert not inside.all()
    np.testing.assert_allclose(columns.water_level[inside], LEVEL, atol=1e-12)
    assert (columns.water_level[~inside] == DRY_LEVEL).all()
    np.testing.assert_array_equal(columns.submerged, inside)


def test_segment_counts_as_out_of_the_water_only_when_it_is_well_above():
    columns, water = chain(1), pond()
    seen = []
    for above in (0.1, -0.1, 0.1, 0.2, 0.3, 0.1):
        columns.position[0, 2] = LEVEL + above
        sample(columns, water)
        seen.append(int(columns.submerged[0]))
    assert seen == [0, 1, 1, 1, 0, 0]


def test_own_dent_and_wake_of_a_body_hardly_count():
    columns, water = chain(2), pond()
    for k in range(240):
        x = -5.0 + 3.0 * k / 60
        water.step(1 / 60, np.array([[x, 0, 2.9, x - 2, 0, 2.9, 0.5, 3, 0, 3, 0]]))
    columns.position[:, 0] += x
    columns.position[:, 2] = 2.9
    sample(columns, water)
    own = water.velocity(columns.position[:, :2])[0, 0]  # what it would feel of its own motion
    beside = [water.velocity(columns.position[:, :2] + (0.0, side * BESIDE * 0.5)) for side in (1.0, -1.0)]
    assert own > 0.2
    assert np.abs(np.mean(beside, axis=0)).max() < 0.2 * own
    np.testing.assert_allclose(columns.water_level, LEVEL, atol=0.2)
    assert (columns.water_velocity == 0.0).all()  # water counts as still in the force on a body


def test_segment_on_the_shore_asks_for_the_water_below_it():
    island = Terrain.gaussians([(0.0, 1.5, 8.0, 0.5)], bounds=(-20, -20, 20, 20))
    columns, water = chain(1), pond(island)
    columns.position[0, 2] = 2.0
    assert not water.depth([(0.0, 1.5)])[0] > 0.0
    sample(columns, water)
    assert columns.water_level[0] == pytest.approx(LEVEL, abs=1e-9)
    columns.position[0, 1] = 1.5
    sample(columns, water)
    assert columns.submerged[0] == 1  # water on both sides: an islet narrower than the body
    columns.position[0, :2] = 40.0
    sample(columns, water)
    assert columns.submerged[0] == 0


@pytest.mark.parametrize(("depth", "wet_from_dry", "wet_from_wet"), [
    (0.85, 0, 0),  # its feet reach the bed, however low the body lies
    (0.95, 0, 1),  # between the two it stays what it was
    (1.05, 1, 1),
])  # fmt: skip
def test_walker_is_submerged_only_where_its_feet_lose_the_bed(depth, wet_from_dry, wet_from_wet):
    assert is_submerged(-0.3, depth, 0.5, 1.0, 0) == wet_from_dry
    assert is_submerged(-0.3, depth, 0.5, 1.0, 1) == wet_from_wet
    assert is_submerged(-0.3, depth, 0.5, 0.0, 0) == 1  # an eel has no feet


def test_walking_body_is_wet_in_the_deep_and_dry_in_the_shallows_of_one_pond():
    columns, water = chain(3), pond()
    columns.position[:, 2] = 2.5
    for height, expected in ((0.3, 0), (2.5, 1)):  # above ground at 2.2 and at 0: water 0.8 and 3 deep
        columns.submerged[:] = 0
        sample(columns, water, height=height)
        assert (columns.submerged == expected).all()
        assert (columns.water_level == LEVEL).all()


def test_ripples_are_smoothed_but_the_first_touch_is_not():
    columns, water = chain(1), pond()
    columns.position[0, 2] = 2.0
    columns.water_level[0] = DRY_LEVEL
    sample(columns, water, level_share=0.1)
    assert columns.water_level[0] == LEVEL
    columns.water_level[0] = LEVEL + 1.0
    sample(columns, water, level_share=0.1)
    assert columns.water_level[0] == pytest.approx(LEVEL + 0.9)


def modes_after(wet_counts, stood, mode=ON_LAND, aground=False):
    """The water modes of one animal of which so many segments, from its head on or (negative) from its tail, are wet.

    stood: share of its legs, from the head on, that have stood in the last second. aground: its last leg stood all the time.
    """
    animal, legs, seen = chain(4), LegPool(), []
    legs.claim(8, owner=1)
    legs.history[:8] = LegState.SF1
    legs.history[: round(8 * stood), 3] = LegState.STANCE
    legs.segment_row[:8] = np.repeat(np.arange(4), 2)
    if aground:
        legs.history[7] = LegState.STANCE
    animal.leg_count[0], animal.body_mode[0] = 8, mode
    bodies, chains, segments, _, _ = animal.pools
    for count in wet_counts:
        animal.submerged[:] = 0
        animal.submerged[: max(count, 0)] = 1
        if count < 0:
            animal.submerged[count:] = 1
        latch_modes(np.zeros(1, np.int32), bodies, chains, segments, legs)
        seen.append(int(animal.body_mode[0]))
    return seen


def test_modes_follow_the_table_of_the_source():
    ground_to_water, in_water, water_to_ground = BodyMode.GROUND_TO_WATER, BodyMode.IN_WATER, BodyMode.WATER_TO_GROUND
    assert modes_after([0, 1, 3, 4, 4], 1.0) == [ON_LAND, ground_to_water, ground_to_water, in_water, in_water]
    assert modes_after([4, -3, -1, 0], 1.0) == [in_water, water_to_ground, water_to_ground, ON_LAND]
    assert modes_after([4, -3, 4, -3], 1.0) == [in_water, water_to_ground, in_water, water_to_ground]
    assert modes_after([1, 2, 0], 1.0) == [ground_to_water, ground_to_water, ON_LAND]  # it turns back


def test_way_out_of_the_water_ends_on_its_feet_or_in_the_air():
    assert modes_after([-1, 0, 0], 0.5, BodyMode.WATER_TO_GROUND) == [BodyMode.WATER_TO_GROUND] * 3
    assert modes_after([-1, 0], 0.95, BodyMode.WATER_TO_GROUND) == [BodyMode.WATER_TO_GROUND, ON_LAND]
    assert modes_after([4, 0], 0.0) == [BodyMode.IN_WATER, ON_LAND]  # thrown out
    assert modes_after([2, 3, 4], 0.0) == [BodyMode.AIR_TO_WATER, BodyMode.AIR_TO_WATER, BodyMode.IN_WATER]  # thrown in


def test_body_that_fell_half_into_the_water_wades_once_most_of_its_dry_legs_have_stood():
    assert modes_after([-1, -1], 0.25, BodyMode.AIR_TO_WATER) == [BodyMode.AIR_TO_WATER] * 2
    assert modes_after([-1, -1], 0.5, BodyMode.AIR_TO_WATER) == [BodyMode.GROUND_TO_WATER] * 2  # four of six dry legs
    assert modes_after([-2, -2], 0.25, BodyMode.AIR_TO_WATER) == [BodyMode.GROUND_TO_WATER] * 2  # two of four


def test_swimmer_that_has_run_aground_leaves_the_water_whatever_is_wet():
    assert modes_after([3, 3], 1.0, BodyMode.IN_WATER) == [BodyMode.IN_WATER] * 2  # its feet were drawn on
    assert modes_after([3, 3], 1.0, BodyMode.IN_WATER, aground=True) == [BodyMode.WATER_TO_GROUND] * 2


def test_modes_are_latched_when_a_head_goes_on_into_the_water_across_a_bank():
    assert modes_after([4, -2, 1], 1.0) == [BodyMode.IN_WATER, BodyMode.WATER_TO_GROUND, BodyMode.WATER_TO_GROUND]


def test_swimmer_whose_tail_brushes_a_shoal_is_still_in_the_water_until_half_of_it_is_out():
    assert modes_after([4, 3, 4, 3], 0.0) == [BodyMode.IN_WATER] * 4
    assert modes_after([4, 3, 2], 1.0) == [BodyMode.IN_WATER, BodyMode.IN_WATER, BodyMode.WATER_TO_GROUND]
