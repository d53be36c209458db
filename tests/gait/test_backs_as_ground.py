"""What counts of a back underfoot, against brute force over points of its axis."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.body import BodyPool
from paludarium.components.segments import Lift, SegmentPool
from paludarium.examples.crowd import build_world
from paludarium.systems.legs.segment_frame_kernel import segment_frame
from paludarium.systems.myriapod.gait.backs_kernel import feel_backs, highest_within
from paludarium.systems.myriapod.gait.crowd import Crowd
from paludarium.systems.myriapod.gait.crowd_kernel import is_alone, longest_reach
from paludarium.systems.spatial_index.index import SpatialIndex
from paludarium.systems.spatial_index.solids import capsules

EVERYWHERE = (-np.inf, -np.inf, np.inf, np.inf)
POINTS = 20001


def lay_body(ends: np.ndarray) -> np.ndarray:
    return capsules(ends[:1], ends[1:], 0.5, np.zeros(1, np.int32))


def slanted_normal(rng: np.random.Generator) -> np.ndarray:
    normal = np.array([0.0, 0.0, 1.0]) + rng.normal(0.0, 0.4, 3)
    return normal / np.linalg.norm(normal)


@pytest.mark.parametrize("seed", range(20))
def test_what_a_climber_has_to_clear_is_the_highest_point_within_the_full_margin(seed):
    rng = np.random.default_rng(seed)
    ends, point, normal = rng.uniform(-1.5, 1.5, (2, 3)), rng.uniform(-1.5, 1.5, 3), slanted_normal(rng)
    full = rng.uniform(0.3, 2.5)
    body = lay_body(ends)
    dx, dy, dz, up, top = highest_within(body, 0, *point, *normal, full)

    axis = ends[0] + np.linspace(0.0, 1.0, POINTS)[:, None] * (ends[1] - ends[0]) - point
    heights = axis @ normal
    plan = np.linalg.norm(axis - heights[:, None] * normal, axis=1)
    assert np.linalg.norm((dx, dy, dz)) == pytest.approx(plan.min(), abs=1e-3)
    assert up == pytest.approx(heights[plan.argmin()], abs=1e-3)
    within = plan <= full
    assert top == pytest.approx(heights[within].max() if within.any() else up, abs=2e-3)


def test_of_a_body_that_stands_upright_the_upper_end_counts():
    ends = np.array([[1.0, 0.0, 0.2], [1.0, 0.0, 1.8]])
    for body in (lay_body(ends), lay_body(ends[::-1])):
        assert highest_within(body, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.5)[4] == pytest.approx(1.8)


def felt_by(world: World, creature: int) -> tuple[bool, float]:
    """Whether a body takes the shortcut, and what its segments feel without it."""
    body, s, around = world.pool(BodyPool), world.pool(SegmentPool), world.resource(SpatialIndex)
    crowd = Crowd(world.creature_pool.owner, around.places, around.bodies, around.body_hash, around.herd, around.herd_hash)
    first = int(body.first_segment[creature])
    end = first + int(body.segment_count[creature])
    reach = longest_reach(first, end, s.half_extents, s.half_pitch)
    alone = is_alone(creature, first, end, s.bundle, crowd, reach)
    felt = 0.0
    for row in range(first, end):
        frame = segment_frame(s.position, s.orientation, row)
        raised = feel_backs(creature, row, body.bundle, s.bundle, crowd, frame, EVERYWHERE, s.position[row, 2])
        felt = max(felt, raised)
    return bool(alone), felt


def test_a_body_that_skips_the_query_would_have_felt_nobody():
    """Bodies of very different widths, so that a reach measured in one's own width alone would be too short."""
    world = build_world(seed=6, count=10, tier="bush", species=("millipede", "pauropod", "stone_centipede"))
    rows = world.pool(BodyPool).spans[:, 0].tolist()
    skipped = touched = 0
    for _ in range(20):
        world.step(30)
        world.resource(SpatialIndex).refresh()
        for creature in rows:
            alone, felt = felt_by(world, creature)
            assert not (alone and felt > 0.0)
            skipped, touched = skipped + alone, touched + (felt > 0.0)
    assert skipped > 10
    assert touched > 10
    assert world.pool(SegmentPool).live("lift")[:, Lift.HEIGHT].max() > 0.0
