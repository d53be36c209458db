"""Terrain as plain data: round trips through JSON, seeds and bounds filled in, clear errors."""

from __future__ import annotations

import json

import pytest
from numpy.testing import assert_array_equal

from paludarium.engine.terrain import Terrain, TerrainError, build_terrain
from paludarium.engine.terrain.ground_pack import packed_ground
from paludarium.engine.terrain.height_field import flat_floor
from paludarium.engine.terrain.mesh import no_mesh
from paludarium.engine.terrain.shapes import no_shapes

BOUNDS = [-10.0, -8.0, 10.0, 8.0]
SHAPES = [
    {"kind": "sphere", "center": [0, 0, 0], "radius": 1},
    {"kind": "cylinder", "center": [3, 0, 0], "axis": [1, 1, 0], "length": 2.0, "radius": 0.5},
    {"kind": "box", "center": [-3, 0, 0], "size": [1, 2, 1], "yaw_deg": 20},
    {"kind": "random_cylinders", "count": 5, "area": [-5, -5, 5, 5]},
]
CUBE = {
    "source": "arrays",
    "vertices": [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]],
    "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    "field_nodes": 8,
}
DESCRIPTIONS = {
    "flat": {"kind": "flat", "elevation": 2},
    "noise": {"kind": "noise", "amplitude": 2.0, "octaves": 2, "noise": "simplex", "bounds": BOUNDS},
    "gaussians": {"kind": "gaussians", "hills": [[0, 0, 1, 2], [3, 1, -1, 1]], "bounds": BOUNDS},
    "random_gaussians": {"kind": "random_gaussians", "count": 3, "width": [1, 2], "bounds": BOUNDS},
    "shapes": {"kind": "shapes", "shapes": SHAPES},
    "mesh": {"kind": "mesh", "mesh": CUBE},
    "ball": {"kind": "mesh", "mesh": {"source": "ball", "radius": 3, "rings": 6, "sectors": 6, "exact": True}},
    "lumpy": {"kind": "mesh", "mesh": {"source": "lumpy_ball", "radius": 3, "rings": 6, "sectors": 6, "exact": True}},
    "everything": {"kind": "noise", "bounds": BOUNDS, "shapes": SHAPES, "mesh": CUBE},
}


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_description_survives_the_round_trip_through_a_file(name):
    terrain = build_terrain(DESCRIPTIONS[name], seed=5)
    written = json.dumps(terrain.describe())
    again = build_terrain(json.loads(written), seed=99)  # the seed of the first time is in the file
    assert_array_equal(again.ground.numbers, terrain.ground.numbers)
    assert_array_equal(again.ground.indices, terrain.ground.indices)
    assert json.dumps(again.describe()) == written
    assert again.bounds == terrain.bounds


@pytest.mark.parametrize("name", ["noise", "random_gaussians", "shapes", "lumpy"])
def test_random_parts_without_a_seed_take_that_of_the_world(name):
    first, second = (build_terrain(DESCRIPTIONS[name], seed=seed).ground.numbers for seed in (1, 2))
    assert not (first.shape == second.shape and (first == second).all())


def test_bounds_of_the_description_win_over_those_of_the_world():
    assert build_terrain({"kind": "flat"}, bounds=(0, 0, 4, 4)).bounds == (0.0, 0.0, 4.0, 4.0)
    assert build_terrain({"kind": "flat", "bounds": [0, 0, 9, 9]}, bounds=(0, 0, 4, 4)).bounds == (0.0, 0.0, 9.0, 9.0)


def test_a_description_is_not_changed_by_building_from_it():
    description = json.loads(json.dumps(DESCRIPTIONS["everything"]))
    build_terrain(description)
    assert description == DESCRIPTIONS["everything"]


@pytest.mark.parametrize(
    ("description", "said"),
    [
        ({}, "kind is 'missing'"),
        ({"kind": "swamp"}, "swamp.*allowed are flat, noise"),
        ({"kind": ["flat"]}, "kind"),
        ("flat", "table"),
        ({"kind": "flat", "height": 1}, "unknown key 'height'.*elevation"),
        ({"kind": "flat", "elevation": "high"}, "elevation"),
        ({"kind": "gaussians"}, "lacks the key 'hills'"),
        ({"kind": "gaussians", "hills": 3}, "hills"),
        ({"kind": "noise", "backend": "magic"}, "backend"),
        ({"kind": "shapes"}, "no shapes"),
        ({"kind": "shapes", "shapes": {"kind": "sphere"}}, "list of tables"),
        ({"kind": "shapes", "shapes": [{"kind": "cone"}]}, r"shapes\[0\].*cone.*sphere"),
        ({"kind": "shapes", "shapes": ["sphere"]}, r"shapes\[0\]"),
        ({"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0]}]}, "lacks the key 'radius'"),
        ({"kind": "shapes", "shapes": [{"kind": "sphere", "center": 1, "radius": 1}]}, "center"),
        ({"kind": "shapes", "amplitude": 1, "shapes": SHAPES}, "unknown key 'amplitude'"),
        ({"kind": "mesh"}, "lacks the table mesh"),
        ({"kind": "mesh", "mesh": {"source": "scan"}}, "scan.*allowed are file"),
        ({"kind": "mesh", "mesh": {"source": "file"}}, "lacks the key 'path'"),
        ({"kind": "mesh", "mesh": {"source": "file", "path": 3}}, "path"),
        ({"kind": "mesh", "mesh": {"source": "ball", "colour": 3}}, "unknown key 'colour'"),
        ({"kind": "mesh", "mesh": 3}, "source"),
        ({"kind": "flat", "bounds": [0, 0, 1]}, "bounds"),
    ],
)
def test_bad_descriptions_say_what_is_allowed(description, said):
    with pytest.raises(TerrainError, match=said):
        build_terrain(description)


def test_a_terrain_packed_by_hand_cannot_be_described():
    terrain = Terrain(packed_ground(flat_floor(0.0), no_shapes(), no_mesh()))
    with pytest.raises(TerrainError, match="packed by hand"):
        terrain.describe()
