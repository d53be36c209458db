"""Water levels at segments: beside the body, along a shore, in and out of the water."""

import numpy as np
import pytest

from paludarium.components.segments import DRY_LEVEL
from paludarium.engine.terrain import Terrain
from paludarium.engine.water import Pond, Water
from paludarium.systems.swim import sample_immersion
from paludarium.tests.body.bodies import chain

FLAT = Terrain.flat(bounds=(-60, -60, 60, 60))
LEVEL = 3.0


def pond(terrain=FLAT):
    return Water([Pond(bounds=(-20, -20, 20, 20), level=LEVEL)], terrain)


def sample(columns, water, submerged, current_share=0.0):
    rows = np.arange(len(columns.substeps), dtype=np.int32)
    sample_immersion(rows, columns.first_segment, columns.segment_count, columns.position, columns.orientation,
                     columns.half_extents, current_share, submerged, columns.water_level, columns.water_velocity,
                     water.arrays)  # fmt: skip


def test_still_pond_has_its_level_everywhere_and_none_outside():
    columns, submerged = chain(14), np.zeros(14, np.uint8)
    columns.position[:, 0] += 1.0  # the last segments are beyond the western edge
    columns.position[:, 2] = 2.0
    sample(columns, pond(), submerged)
    inside = columns.position[:, 0] > -20.0
    assert inside.any()
    assert not inside.all()
    np.testing.assert_allclose(columns.water_level[inside], LEVEL, atol=1e-12)
    assert (columns.water_level[~inside] == DRY_LEVEL).all()
    np.testing.assert_array_equal(submerged, inside)


def test_segment_counts_as_out_of_the_water_only_when_it_is_well_above():
    columns, submerged, water = chain(1), np.zeros(1, np.uint8), pond()
    seen = []
    for above in (0.1, -0.1, 0.1, 0.2, 0.3, 0.1):
        columns.position[0, 2] = LEVEL + above
        sample(columns, water, submerged)
        seen.append(int(submerged[0]))
    assert seen == [0, 1, 1, 1, 0, 0]


def test_own_dent_and_wake_of_a_body_hardly_count():
    columns, submerged, water = chain(2), np.zeros(2, np.uint8), pond()
    for k in range(240):
        x = -5.0 + 3.0 * k / 60
        water.step(1 / 60, np.array([[x, 0, 2.9, x - 2, 0, 2.9, 0.5, 3, 0, 3, 0]]))
    columns.position[:, 0] += x
    columns.position[:, 2] = 2.9
    sample(columns, water, submerged, current_share=1.0)
    assert water.velocity(columns.position[:, :2])[0, 0] > 2.0  # what it would feel of its own motion
    assert np.abs(columns.water_velocity).max() < 1.0
    np.testing.assert_allclose(columns.water_level, LEVEL, atol=0.2)
    sample(columns, water, submerged, current_share=0.0)
    assert (columns.water_velocity == 0.0).all()


def test_segment_on_the_shore_asks_for_the_water_below_it():
    island = Terrain.gaussians([(0.0, 1.5, 8.0, 0.5)], bounds=(-20, -20, 20, 20))
    columns, submerged, water = chain(1), np.zeros(1, np.uint8), pond(island)
    columns.position[0, 2] = 2.0
    assert not water.depth([(0.0, 1.5)])[0] > 0.0
    sample(columns, water, submerged)
    assert columns.water_level[0] == pytest.approx(LEVEL, abs=1e-9)
    columns.position[0, 1] = 1.5
    sample(columns, water, submerged)
    assert submerged[0] == 1  # water on both sides: an islet narrower than the body
    columns.position[0, :2] = 40.0
    sample(columns, water, submerged)
    assert submerged[0] == 0
