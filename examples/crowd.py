"""Twenty centipedes in a pen that is far too small: they climb over each other, and nobody gets stuck.

``python -m paludarium.examples.crowd 300 bush 1 2 3`` measures five minutes of three seeds at one tier.
"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import Map, World
from paludarium.components.body import BodyPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.pool import Array

PEN = 60.0
CROWD = 20
SPECIES = ("stone_centipede", "giant_centipede")
DEEP_SHARE = 0.2
"""Overlaps deeper than this share of the narrower body's width count."""
STUCK_LENGTH = 0.5
"""A head that moves less than this share of the distance between two segments is not going anywhere."""
SAMPLES_PER_LINK = 9
ROCK_RADIUS = 1.5


def build_world(
    seed: int = 1, count: int = CROWD, precision: str = "float64", tier: str = "full",
    species: tuple[str, ...] = SPECIES, rocks: int = 0,
) -> World:  # fmt: skip
    """A pen with `count` animals in two columns, the listed species in turn, and up to nine round rocks between the rows."""
    world = World(seed=seed, map=Map.define(name="pen", area={"width_u": PEN, "height_u": PEN}), precision=precision)
    settle(world, count, tier, species)
    lanes = max(count // 2 - 1, 1)
    for place in range(rocks):
        x, lane = 0.3 * PEN * (place % 3 - 1), place // 3 * lanes // 3
        world.add_obstacle("cylinder", at=(x, row_place(lane + 0.5, count)), radius=ROCK_RADIUS, height=6.0)
    return world


def row_place(row: float, count: int) -> float:
    """Where in y the animals of a row start; half a row more is the middle of the lane between two rows."""
    return -0.45 * PEN + 0.9 * PEN * row / max(count // 2 - 1, 1)


def settle(world: World, count: int, tier: str, species: tuple[str, ...], size: float = 1.0) -> None:
    """Put animals into two columns of a pen whose lengths are `size` times the usual ones."""
    for place in range(count):
        column, row = place % 2, place // 2
        at = (size * (-6.0 + 32.0 * column), size * row_place(row, count))
        world.spawn(species[place % len(species)], at=at, tier=tier)


def links(world: World) -> tuple[Array, Array]:
    """Row of the front segment of every link, and the creature row it belongs to."""
    body = world.pool(BodyPool)
    rows = body.spans[:, 0]
    first, count = body.first_segment[rows], body.segment_count[rows] - 1
    return np.concatenate([np.arange(a, a + n) for a, n in zip(first, count, strict=True)]), np.repeat(rows, count)


def overlaps(world: World) -> tuple[Array, Array]:
    """(n,) depths of all plan-view overlaps at equal height, as shares of the narrower body's width, and (n, 2) whose.

    Bodies are capsules from segment to segment. Two points are at equal height when the vertical distance of the axes
    is less than the sum of the half heights, so that the bodies would be inside each other there.
    """
    segments, (front, owner) = world.pool(SegmentPool), links(world)
    a, b = segments.position[front], segments.position[front + 1]
    half_width, half_height = segments.half_extents[front, 1], segments.half_extents[front, 2]
    middle, half = 0.5 * (a + b), 0.5 * np.linalg.norm(b - a, axis=1) + half_width
    apart = np.hypot(middle[:, None, 0] - middle[None, :, 0], middle[:, None, 1] - middle[None, :, 1])
    first, second = np.nonzero((apart < half[:, None] + half[None, :]) & (owner[:, None] < owner[None, :]))
    if not first.size:
        return np.zeros(0), np.zeros((0, 2), np.int64)
    share = np.linspace(0.0, 1.0, SAMPLES_PER_LINK)[None, :, None]
    p, q = (a[k, None] + share * (b - a)[k, None] for k in (first, second))
    gap = p[:, :, None] - q[:, None, :]
    plan, rise = np.hypot(gap[..., 0], gap[..., 1]), np.abs(gap[..., 2])
    narrower = np.minimum(half_width[first], half_width[second])
    depth = (half_width[first] + half_width[second])[:, None, None] - plan
    depth[rise >= (half_height[first] + half_height[second])[:, None, None]] = 0.0
    return np.maximum(depth.max(axis=(1, 2)), 0.0) / (2.0 * narrower), np.stack([owner[first], owner[second]], axis=1)


def deepest_overlap(world: World) -> float:
    """The deepest plan-view overlap of two bodies at equal height, as a share of the narrower one's width."""
    return float(overlaps(world)[0].max(initial=0.0))


def link_errors(world: World) -> Array:
    """Deviation of every distance between neighbouring segments from its rest length, as a share of it."""
    segments, half_pitch, (front, _) = world.pool(SegmentPool), world.pool(ChainSegmentPool).half_pitch, links(world)
    rest = half_pitch[front] + half_pitch[front + 1]
    return np.linalg.norm(segments.position[front + 1] - segments.position[front], axis=1) / rest - 1.0


def measure(world: World, seconds: float, warm_up: float = 3.0) -> dict[str, float]:
    """Share of time with a deep overlap, the longest time anybody was stuck, the worst overlap, and the links.

    `deep_share` counts a moment when any two of all animals overlap deeply, `deep_share_each` what one animal sees.
    """
    every = 6
    world.step(int(warm_up * world.tick_rate))
    pitch = 2.0 * float(world.pool(ChainSegmentPool).live("half_pitch").min())
    deep, worst, longest, stretch, top = [], 0.0, 0.0, [], []
    anchor = {c.serial: (world.time, c.position[:2].copy()) for c in world.creatures.values()}
    for _ in range(0, int(seconds * world.tick_rate), every):
        world.step(every)
        depth, whose = overlaps(world)
        deep.append(np.unique(whose[depth > DEEP_SHARE]).size)
        worst = max(worst, float(depth.max(initial=0.0)))
        stretch.append(np.abs(link_errors(world)))
        top.append(world.pool(SegmentPool).live("position")[:, 2].max())
        for creature in world.creatures.values():
            since, place = anchor[creature.serial]
            if np.hypot(*(creature.position[:2] - place)) > STUCK_LENGTH * pitch:
                anchor[creature.serial] = (world.time, creature.position[:2].copy())
            else:
                longest = max(longest, world.time - since)
    return {
        "deep_share": float(np.mean(np.array(deep) > 0)), "deep_share_each": float(np.mean(deep)) / len(anchor),
        "worst": worst, "longest_stuck_s": longest, "worst_link": float(np.max(stretch)),
        "link_999": float(np.quantile(stretch, 0.999)), "highest": float(np.max(top)),
    }  # fmt: skip


def check(world: World) -> None:
    """Nobody is inside anybody, and every number is finite."""
    assert np.isfinite(world.pool(SegmentPool).live("position")).all()
    assert deepest_overlap(world) <= DEEP_SHARE


def main(seconds: float = 60.0, tier: str = "full", seeds: tuple[int, ...] = (1,)) -> None:
    """Print one line of figures per seed."""
    for seed in seeds:
        world = build_world(seed=seed, tier=tier)
        figures = measure(world, seconds)
        print(tier, seed, ", ".join(f"{name} {value:.4g}" for name, value in figures.items()), flush=True)
        assert np.isfinite(world.pool(SegmentPool).live("position")).all()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(float(sys.argv[1]), sys.argv[2], tuple(int(seed) for seed in sys.argv[3:]))
    else:
        main()
