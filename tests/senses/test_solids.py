"""Distances and normals of solids against closed forms, and the properties the callers rely on."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.systems.senses import box, pillar, sphere, stack_solids
from paludarium.systems.spatial_index.solid_kernel import link_distance, solid_distance
from paludarium.systems.spatial_index.solids import plan_boxes
from paludarium.tests.capsule_rows import capsules

S = np.sqrt(0.5)
ALL_KINDS = stack_solids(
    sphere((1.0, -2.0, 0.5), 1.2),
    pillar((-1.0, 0.5), 0.8, bottom=-0.5, height=2.0),
    box((0.5, 1.0), 3.0, 1.0, heading=0.7, bottom=-1.0, height=1.5),
    capsules(np.array([[0.0, 0.0, 1.0]]), np.array([[2.0, 1.0, 0.0]]), 0.4, np.array([3], np.int32)),
)


@pytest.mark.parametrize(
    ("solid", "point", "distance", "normal"),
    [
        (sphere((0, 0, 0), 2.0), (3.0, 4.0, 0.0), 3.0, (0.6, 0.8, 0.0)),
        (sphere((0, 0, 0), 2.0), (0.0, 0.0, 1.0), -1.0, (0.0, 0.0, 1.0)),
        (pillar((0, 0), 1.0, height=4.0), (3.0, 0.0, 2.0), 2.0, (1.0, 0.0, 0.0)),
        (pillar((0, 0), 1.0, height=4.0), (0.0, 0.5, 6.0), 2.0, (0.0, 0.0, 1.0)),
        (pillar((0, 0), 1.0, height=4.0), (0.0, -4.0, 8.0), 5.0, (0.0, -0.6, 0.8)),
        (pillar((0, 0), 1.0, height=4.0), (0.9, 0.0, 2.0), -0.1, (1.0, 0.0, 0.0)),
        (box((0, 0), 2.0, 4.0, height=2.0), (3.0, 0.0, 1.0), 2.0, (1.0, 0.0, 0.0)),
        (box((0, 0), 2.0, 4.0, height=2.0), (4.0, 6.0, 1.0), 5.0, (0.6, 0.8, 0.0)),
        (box((0, 0), 2.0, 4.0, height=2.0), (0.0, -1.9, 1.0), -0.1, (0.0, -1.0, 0.0)),
        (box((0, 0), 2.0, 4.0, heading=np.pi / 4, height=2.0), (3 * S, 3 * S, 1.0), 2.0, (S, S, 0.0)),
        (
            capsules(np.zeros((1, 3)), np.array([[4.0, 0, 0]]), 0.5, np.array([0])),
            (2.0, 0.0, 3.0),
            2.5,
            (0.0, 0.0, 1.0),
        ),
        (
            capsules(np.zeros((1, 3)), np.array([[4.0, 0, 0]]), 0.5, np.array([0])),
            (7.0, 4.0, 0.0),
            4.5,
            (0.6, 0.8, 0.0),
        ),
        (capsules(np.zeros((1, 3)), np.zeros((1, 3)), 0.5, np.array([0])), (0.0, 2.0, 0.0), 1.5, (0.0, 1.0, 0.0)),
    ],
)
def test_distance_and_normal_equal_the_closed_form(solid, point, distance, normal):
    found = solid_distance(solid, 0, *point)
    np.testing.assert_allclose(found[0], distance, atol=1e-12)
    np.testing.assert_allclose(found[1:], normal, atol=1e-12)


@pytest.mark.parametrize("k", range(4))
def test_normal_is_the_gradient_of_the_distance(k):
    generator = np.random.default_rng(k)
    step = 1e-6
    for point in generator.uniform(-4, 4, (60, 3)):
        d, *normal = solid_distance(ALL_KINDS, k, *point)
        if d < 0.05:  # inside, the nearest face changes abruptly
            continue
        gradient = [
            (
                solid_distance(ALL_KINDS, k, *(point + step * axis))[0]
                - solid_distance(ALL_KINDS, k, *(point - step * axis))[0]
            )
            / (2 * step)
            for axis in np.eye(3)
        ]
        np.testing.assert_allclose(normal, gradient, atol=1e-5)


@pytest.mark.parametrize("k", range(4))
def test_nearest_point_of_a_link_equals_a_dense_search(k):
    generator = np.random.default_rng(10 + k)
    for a, b in zip(generator.uniform(-3, 3, (30, 3)), generator.uniform(-3, 3, (30, 3)), strict=True):
        dense = min(solid_distance(ALL_KINDS, k, *(a + t * (b - a)))[0] for t in np.linspace(0, 1, 2001))
        # the bracket of the search is 5e-4 of a link of length at most 11, on a function with slope one
        assert link_distance(ALL_KINDS, k, *a, *b)[0] == pytest.approx(dense, abs=6e-3)


def test_plan_boxes_are_tight():
    rows = stack_solids(
        sphere((1, 2, 0), 0.5),
        box((0, 0), 2.0, 0.0, heading=np.pi / 6),
        capsules(np.array([[3.0, 0, 0]]), np.array([[1.0, 4.0, 9.0]]), 0.5, np.array([7])),
    )
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    np.testing.assert_allclose(
        plan_boxes(rows), [[0.5, 1.5, 1.5, 2.5], [-c, -s, c, s], [0.5, -0.5, 3.5, 4.5]], atol=1e-12
    )


def test_a_negative_size_is_refused():
    with pytest.raises(ValueError, match="sphere"):
        sphere((0, 0, 0), -1.0)
