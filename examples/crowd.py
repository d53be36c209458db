"""Twenty centipedes in a pen that is far too small: they climb over each other, and nobody gets stuck."""

from __future__ import annotations

import numpy as np

from paludarium import Map, World
from paludarium.components.body import BodyPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.pool import Array

PEN = 60.0
CROWD = 20
DEEP_SHARE = 0.2
"""Overlaps deeper than this share of a body's width count."""
STUCK_UNITS = 1.0
"""A head that moves less than this is not going anywhere."""


def build_world(seed: int = 1, count: int = CROWD, precision: str = "float64") -> World:
    world = World(seed=seed, map=Map.define(name="pen", area={"width_u": PEN, "height_u": PEN}), precision=precision)
    for place in range(count):
        column, row = place % 2, place // 2
        world.spawn("stone_centipede", at=(-6.0 + 32.0 * column, -27.0 + 54.0 * row / max(count // 2 - 1, 1)))
    return world


def deepest_overlap(world: World) -> float:
    """The deepest plan-view overlap of two bodies at equal height, as a share of a body's width.

    Bodies are capsules from segment to segment. Two are at equal height when the vertical distance of their axes is
    less than a body's height, so that they would be inside each other.
    """
    body, segments = world.pool(BodyPool), world.pool(SegmentPool)
    rows = body.spans[:, 0]
    starts, ends, owner = [], [], []
    for row in rows:
        first, count = body.first_segment[row], body.segment_count[row]
        chain = segments.position[first : first + count]
        starts.append(chain[:-1])
        ends.append(chain[1:])
        owner += [row] * (count - 1)
    a, b, who = np.concatenate(starts), np.concatenate(ends), np.array(owner)
    middle = 0.5 * (a + b)
    near = np.hypot(*(middle[:, None, :2] - middle[None, :, :2]).transpose(2, 0, 1)) < 3.2
    first, second = np.nonzero(near & (who[:, None] < who[None, :]))
    if not first.size:
        return 0.0
    gap, rise = _plan_gap(a[first], b[first], a[second], b[second])
    width = 2.0 * segments.half_extents[0, 1]
    height = 2.0 * segments.half_extents[0, 2]
    depth = np.where(rise < height, (width - gap) / width, 0.0)
    return float(max(depth.max(), 0.0))


def _plan_gap(a: Array, b: Array, c: Array, d: Array) -> tuple[Array, Array]:
    """Plan-view distance of segments ab and cd, and the difference of height where they are nearest."""
    share = np.linspace(0.0, 1.0, 9)
    p = a[:, None] + share[None, :, None] * (b - a)[:, None]
    q = c[:, None] + share[None, :, None] * (d - c)[:, None]
    difference = p[:, :, None] - q[:, None, :]
    plan = np.hypot(difference[..., 0], difference[..., 1]).reshape(len(a), -1)
    nearest = plan.argmin(axis=1)
    rise = np.abs(difference[..., 2]).reshape(len(a), -1)
    return plan[np.arange(len(a)), nearest], rise[np.arange(len(a)), nearest]


def measure(world: World, seconds: float, warm_up: float = 3.0) -> dict[str, float]:
    """Share of time with a deep overlap, the longest time anybody was stuck, and the worst overlap."""
    every = 6
    ticks = int(seconds * world.tick_rate)
    world.step(int(warm_up * world.tick_rate))
    deep = samples = 0
    worst = longest = 0.0
    anchor = {c.serial: (world.time, c.position[:2].copy()) for c in world.creatures.values()}
    for _ in range(0, ticks, every):
        world.step(every)
        overlap = deepest_overlap(world)
        deep += overlap > DEEP_SHARE
        samples += 1
        worst = max(worst, overlap)
        for creature in world.creatures.values():
            since, place = anchor[creature.serial]
            if np.hypot(*(creature.position[:2] - place)) > STUCK_UNITS:
                anchor[creature.serial] = (world.time, creature.position[:2].copy())
            else:
                longest = max(longest, world.time - since)
    return {"deep_share": deep / samples, "worst": worst, "longest_stuck_s": longest}


def check(world: World) -> None:
    """Nobody is inside anybody, and every number is finite."""
    assert np.isfinite(world.pool(SegmentPool).live("position")).all()
    assert deepest_overlap(world) <= DEEP_SHARE


def main() -> None:
    world = build_world()
    print(measure(world, 60.0))
    check(world)


if __name__ == "__main__":
    main()
