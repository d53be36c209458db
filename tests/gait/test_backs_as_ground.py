"""What counts of a back underfoot, against brute force over points of its axis."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.body import BodyPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool, Lift
from paludarium.components.segments import SegmentPool
from paludarium.examples.crowd import build_world
from paludarium.systems.legs.segment_frame_kernel import segment_frame
from paludarium.systems.myriapod.gait.backs_kernel import CELL_MARGIN, MOST_BACKS, feel_backs, highest_within
from paludarium.systems.myriapod.gait.crowd import Crowd
from paludarium.systems.myriapod.gait.crowd_kernel import find_older, is_alone, longest_reach
from paludarium.systems.spatial_index.index import SpatialIndex
from paludarium.tests.capsule_rows import capsules

EVERYWHERE = ((-np.inf, -np.inf, np.inf, np.inf), MOST_BACKS)
"""What a body that has not looked around knows of older ones."""
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


def crowd_of(world: World) -> Crowd:
    around = world.resource(SpatialIndex)
    around.refresh()
    return Crowd(world.creature_pool.owner, around.places, around.bodies, around.body_hash, around.herd, around.herd_hash)


def felt_by(world: World, creature: int) -> tuple[bool, float]:
    """Whether a body takes the shortcut, and what its segments feel without it."""
    body, s, crowd = world.pool(BodyPool), world.pool(SegmentPool), crowd_of(world)
    chained = world.pool(ChainSegmentPool)
    first = int(body.first_segment[creature])
    end = first + int(body.segment_count[creature])
    reach = longest_reach(first, end, s.half_extents, chained.half_pitch)
    alone = is_alone(creature, first, end, s, crowd, reach)
    felt = 0.0
    for row in range(first, end):
        frame = segment_frame(s.position, s.orientation, row)
        raised = feel_backs(creature, row, body, s, chained, crowd, frame, EVERYWHERE,
                            s.position[row, 2])  # fmt: skip
        felt = max(felt, raised)
    return bool(alone), felt


def test_a_body_that_skips_the_query_would_have_felt_nobody():
    """Bodies of very different widths, so that a reach measured in one's own width alone would be too short."""
    world = build_world(seed=6, count=10, tier="bush", species=("millipede", "pauropod", "stone_centipede"))
    rows = world.pool(BodyPool).spans[:, 0].tolist()
    skipped = touched = 0
    for _ in range(20):
        world.step(30)
        for creature in rows:
            alone, felt = felt_by(world, creature)
            assert not (alone and felt > 0.0)
            skipped, touched = skipped + alone, touched + (felt > 0.0)
    assert skipped > 10
    assert touched > 10
    assert world.pool(ChainSegmentPool).live("lift")[:, Lift.HEIGHT].max() > 0.0


def found_by(world: World, creature: int) -> tuple[tuple[tuple[float, ...], int], list[float], list[float]]:
    """What a body finds of older ones, and what its segments feel with that and without it."""
    body, s, crowd = world.pool(BodyPool), world.pool(SegmentPool), crowd_of(world)
    chained = world.pool(ChainSegmentPool)
    first = int(body.first_segment[creature])
    end = first + int(body.segment_count[creature])
    reach = longest_reach(first, end, s.half_extents, chained.half_pitch) + CELL_MARGIN * crowd.capsule_hash.cell_size
    older = find_older(creature, first, end, s.position, crowd, reach)
    felt: tuple[list[float], list[float]] = ([], [])
    for row in range(first, end):
        frame = segment_frame(s.position, s.orientation, row)
        for known, heights in zip((older, EVERYWHERE), felt, strict=True):
            heights.append(feel_backs(creature, row, body, s, chained, crowd, frame, known, 1.0))
    return older, felt[0], felt[1]


def test_a_search_for_older_ones_that_ends_early_misses_nothing_that_is_felt():
    world = build_world(seed=6, count=12, tier="bush")
    counts = set()
    for _ in range(6):
        world.step(40)
        for creature in world.pool(BodyPool).spans[:, 0].tolist():
            (_, most), with_it, without_it = found_by(world, creature)
            counts.add(most)
            assert with_it == without_it
    assert len(counts) > 3, counts


def test_in_a_heap_nobody_looks_at_everybody():
    """A heap of many: each counts as many older ones as there are up to a limit, and feels what a full search would."""
    world = World(seed=1)
    heap = 3 * MOST_BACKS
    for k in range(heap):  # spread a little, so that the box around all is wider than that around the first ones
        world.spawn("pauropod", at=(0.02 * k, 0.0), tier="bush")
    world.step(3)
    rows = world.pool(BodyPool).spans[:, 0].tolist()
    boxes = [found_by(world, creature)[0] for creature in rows]
    for age, creature in enumerate(rows):
        (_, most), with_it, without_it = found_by(world, creature)
        assert most == min(age, MOST_BACKS)
        assert with_it == without_it
    easternmost = crowd_of(world).herd_hash.boxes[:, 2].max()
    assert boxes[MOST_BACKS + 5][0][2] < easternmost
    assert boxes[-1][0][2] < easternmost
