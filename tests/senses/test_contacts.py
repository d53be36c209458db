"""What stops a ball: nearest obstacle and edges of the map, against all solids asked one by one."""

import numpy as np
import pytest

from paludarium.engine.bundle import packed
from paludarium.systems.spatial_index.index import Around
from paludarium.systems.spatial_index.solid_kernel import solid_distance
from paludarium.systems.spatial_index.solids import SolidField, SolidKind, hash_solids, no_solids
from paludarium.systems.spatial_index.wall_contact_kernel import (
    EDGES,
    edge_gap,
    is_beyond_edge,
    nearest_edge,
    nearest_solid,
    nearest_wall,
    wall_contact,
)

BOUNDS = np.array([-20.0, -15.0, 20.0, 15.0])


@pytest.fixture(scope="module")
def around():
    rng = np.random.default_rng(4)
    solids = np.zeros((40, len(SolidField)))
    solids[:, SolidField.KIND] = rng.choice([SolidKind.PILLAR, SolidKind.BOX, SolidKind.SPHERE], 40)
    solids[:, SolidField.X], solids[:, SolidField.Y] = rng.uniform(-18, 18, 40), rng.uniform(-13, 13, 40)
    solids[:, SolidField.RADIUS] = rng.uniform(0.5, 2.0, 40)
    for column in (SolidField.EXTENT_X, SolidField.EXTENT_Y, SolidField.EXTENT_Z):
        solids[:, column] = rng.uniform(0.5, 2.0, 40)
    angle = rng.uniform(0, 6, 40)
    solids[:, SolidField.COS], solids[:, SolidField.SIN] = np.cos(angle), np.sin(angle)
    nothing = no_solids()
    hashed, empty = hash_solids(solids), hash_solids(nothing)
    return solids, packed(Around(solids, hashed, nothing, empty, np.zeros(0, np.int32), empty, BOUNDS))


def places():
    return np.random.default_rng(6).uniform((-21, -16, -2), (21, 16, 3), (300, 3))


def test_the_nearest_solid_is_the_nearest_of_all(around):
    solids, packed_around = around
    for x, y, z in places():
        found = nearest_solid(x, y, z, 1.5, packed_around)
        wanted = min((solid_distance(solids, k, x, y, z) for k in range(len(solids))), key=lambda d: d[0])
        assert found == (wanted if wanted[0] < 1.5 else (1.5, 0.0, 0.0, 1.0))


def test_edges_are_the_four_sides_of_the_map():
    for x, y, _ in places():
        gaps = [edge_gap(edge, x, y, BOUNDS) for edge in range(EDGES)]
        for gap, nx, ny, _ in gaps:  # a step back by the gap is on the edge
            on_edge = np.array([x - gap * nx, y - gap * ny])
            assert np.isclose(on_edge, BOUNDS[:2]).any() or np.isclose(on_edge, BOUNDS[2:]).any()
        assert nearest_edge(x, y, BOUNDS) == min(gaps, key=lambda gap: gap[0])
        inside = BOUNDS[0] <= x <= BOUNDS[2] and BOUNDS[1] <= y <= BOUNDS[3]
        assert is_beyond_edge(x, y, BOUNDS) == (not inside) == (min(gap[0] for gap in gaps) < 0.0)


def test_walls_are_the_nearest_solid_and_the_edges(around):
    _, packed_around = around
    touched = 0
    for x, y, z in places():
        solid = nearest_solid(x, y, z, 1.2, packed_around)
        walls = [solid, *(edge_gap(edge, x, y, BOUNDS) for edge in range(EDGES))]
        for wall, (d, *normal) in enumerate(walls):
            depth, *found = wall_contact(wall, x, y, z, 1.2, packed_around)
            assert (depth, found) == (1.2 - d, normal)
            touched += depth > 0.0
        nearest = min(walls, key=lambda wall: wall[0])
        assert nearest_wall(x, y, z, 1.2, packed_around) == (nearest if nearest[0] < 1.2 else (1.2, 0.0, 0.0, 1.0))
    assert touched > 100
