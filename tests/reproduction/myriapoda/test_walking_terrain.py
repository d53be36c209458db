"""Digest checks C20, C21, C23, C24, C25 and C72 with the whole animal: hills, logs, meshes, other bodies, crowds."""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
import pytest

from paludarium import LegState, Map, World
from paludarium.components.legs import LegPool
from paludarium.engine.creature import Creature
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.myriapoda.measures import Floats, Track, follow, species_of

SEEDS = (1, 2, 3)
CYCLE = 1.27  # s, the study's; only used to say when "three cycles" are over
SPEED = 2.0
AREA = {"width_u": 300, "height_u": 120, "edge": "open"}
STEEPNESS = 0.9  # height over width of a hill; the steepest slope is then 0.9 exp(-1/2), 28.6 degrees
LOGS = {"kind": "random_cylinders", "count": 250, "area": [-30, -8, 30, 8]}  # radius 0.2 to 0.6, length 2 to 6


def hills(width: float) -> dict[str, object]:
    places = ((0.0, 0.0), (4.0 * width, width), (8.0 * width, -width))
    return {"kind": "gaussians", "hills": [[x, y, STEEPNESS * width, width] for x, y in places]}


def start(profile: str, terrain: dict[str, object], at: tuple[float, ...], seed: int = 1) -> tuple[World, Creature]:
    world = World(seed=seed, map=Map.define(name="rough", area=AREA, terrain=terrain))
    creature = world.spawn(species_of("stone_centipede", profile), at=at)
    creature.control(SPEED, 0.0)
    return world, creature


@cache
def hill_walk(profile: str, width: float) -> tuple[World, Track]:
    world, creature = start(profile, hills(width), (-25.0, 0.0))
    return world, follow(world, creature, 45.0).after(3.0)


@cache
def log_walk(profile: str, seed: int) -> tuple[World, Track, Floats]:
    """Across the whole field, and the heights of all hips above the surface."""
    world, creature = start(profile, {"kind": "flat", "shapes": [LOGS]}, (-33.0, 0.0), seed)
    hips: list[Floats] = []
    track = follow(world, creature, 51.0, lambda: hips.append(hip_heights(world, creature)))
    return world, track, np.array(hips)


@cache
def mesh_walk(profile: str, source: str) -> tuple[World, Track]:
    world, creature = start(profile, {"kind": "mesh", "mesh": {"source": source, "radius": 15}}, (0.0, 0.0, 16.0))
    return world, follow(world, creature, 45.0).after(3.0)


@cache
def species_walk(profile: str, species: str) -> Track:
    """20 units and more, straight on; a wave needs longer to run down a longer body."""
    world = World(seed=1, map=Map.define(name="plain", area=AREA))
    source = world.species[world.add_species(species_of(species, profile)) if profile != "steady" else species].source
    straight = {"birth_bend_deg": 0.0}  # the check is about straight walking; millipedes are born in curves
    creature = world.spawn(world.define_species("straight", **source | {"body": source.get("body", {}) | straight}))
    creature.control(SPEED, 0.0)
    return follow(world, creature, 12.0)


def hip_heights(world: World, creature: Creature) -> Floats:
    """Distance of every hip from the ground."""
    first = creature.rows["segments"].start
    at = creature.legs.segment.repeat(2) - first
    local = world.pool(LegPool).hip[creature.rows["legs"].slice]
    w, vector = creature.segments.orientation[at, :1], creature.segments.orientation[at, 1:]
    turned = local + 2.0 * np.cross(vector, np.cross(vector, local) + w * local)
    return world.terrain.height(creature.segments.position[at] + turned)


def heights(world: World, track: Track) -> Floats:
    """(t, segments) distance of every centre from the ground."""
    return world.terrain.height(track.position.reshape(-1, 3)).reshape(track.position.shape[:2])


@pytest.mark.parametrize("width, limits", [(4.0, (0.015, 0.017)), (6.0, (0.007, 0.007)), (8.0, (0.004, 0.008))])
def test_c20_links_of_the_full_body_keep_their_length_over_hills(profile, width, limits, record_property):
    """Limit 10 %. Study with dynamics: hills 1.83 to 2.08."""
    record_property("worst link", hill_walk(profile, width)[1].worst_link())
    assert hill_walk(profile, width)[1].worst_link() < limits[profile == "published"]


# per profile: height error of 95 % of the time and at the worst, tilt in degrees
HILL_LIMITS = {
    "steady": {4.0: (0.05, 0.16, 6.0), 6.0: (0.05, 0.07, 4.5), 8.0: (0.05, 0.05, 3.5)},
    "published": {4.0: (0.067, 0.27, 10.0), 6.0: (0.052, 0.23, 10.0), 8.0: (0.044, 0.26, 10.0)},
}


@pytest.mark.parametrize("width", [4.0, 6.0, 8.0])
def test_c21_full_body_lies_level_on_hills_of_thirty_degrees(profile, width, record_property):
    """Reported: height and tilt follow the ground; limits 5 % and 10 degrees. Ours: 95 % of the time within 5 %.

    The worst moments are tops and hollows that curve more than the body can bend between two segments. As published
    segments sag besides, whenever one of their legs swings.
    """
    usual, error, tilt = HILL_LIMITS[profile][width]
    world, track = hill_walk(profile, width)
    off = np.abs(heights(world, track) - 1.0)
    normal = world.terrain.normal(track.position.reshape(-1, 3)).reshape(track.position.shape)
    angle = np.degrees(np.arccos(np.clip((track.axis(2) * normal).sum(axis=2), -1.0, 1.0)))
    assert np.degrees(np.arccos(normal[..., 2].min())) == pytest.approx(28.6, abs=0.5)
    record_property("height error, 95 %", np.quantile(off, 0.95))
    record_property("height error, worst", off.max())
    record_property("tilt [deg]", angle.max())
    record_property("share of segments that are led", track.kinematic.mean())
    why_not = {"steady": "tops and hollows that curve more than a joint bends",
               "published": "besides, segments sag while a leg of theirs swings"}[profile]  # fmt: skip
    criterion(record_property, holds=off.max() < 0.05, why_not=why_not)
    assert np.quantile(off, 0.95) < usual
    assert off.max() < error
    assert angle.max() < tilt


@pytest.mark.parametrize("seed", SEEDS)
def test_c23_full_body_crosses_a_field_of_logs(profile, seed, record_property):
    """Reported (a picture): walks over random cylinders. Limits: does not fall over, no hip below the surface, wave 30 %.

    Study with dynamics: links 1.85 to 2.10, height error p95 0.17, lag spread 10 %.
    """
    world, track, hips = log_walk(profile, seed)
    assert track.position[-1, -1, 0] > 30.0  # the tail has left the field as well
    inside = track.after(3.0)
    record_property("lowest hip [u]", hips[180:].min())
    record_property("lag spread [cycle]", inside.lag_spread())
    record_property("worst link", inside.worst_link())
    record_property("height error, 95 %", np.quantile(np.abs(heights(world, inside) - 1.0), 0.95))
    record_property("share of segments that are led", inside.kinematic.mean())
    assert inside.axis(2)[..., 2].min() > 0.85  # never leans more than 32 degrees
    assert hips[180:].min() > 0.1
    assert inside.lag_spread() < 0.10
    assert inside.in_order() == 1.0
    assert inside.worst_link() < 0.08
    assert np.quantile(np.abs(heights(world, inside) - 1.0), 0.95) < {"steady": 0.17, "published": 0.27}[profile]


@pytest.mark.parametrize("source, errors", [("ball", (0.04, 0.09)), ("lumpy_ball", (0.12, 0.22))])
def test_c24_full_body_walks_around_a_closed_mesh(profile, source, errors, record_property):
    """Reported (a picture): walks over a skull. Limits: two body lengths, centres outside, height error 0.3.

    Study on an analytic ball: height 0.97 to 1.04, head on the underside.
    """
    world, track = mesh_walk(profile, source)
    off = np.abs(heights(world, track) - 1.0)
    record_property("way [u]", track.walked())
    record_property("height error [u]", off.max())
    assert track.walked() > 2 * 35.0
    assert track.position[0, 0, 2] > 10.0  # from the top
    assert track.position[:, 0, 2].min() < -15.0  # to upside down
    assert not world.terrain.inside(track.position[::6].reshape(-1, 3)).any()
    assert off.max() < errors[profile == "published"]
    assert track.lag_spread() < 0.05
    assert track.in_order() == 1.0
    assert track.worst_link() < 0.02


@pytest.mark.parametrize("species, segments", [("stone_centipede", 18), ("giant_centipede", 19), ("robot", 12),
                                               ("millipede", 58), ("pauropod", 10)])  # fmt: skip
def test_c25_other_bodies_walk_with_the_same_controller(profile, species, segments, record_property):
    """Reported: 58-, 19-, 18- and 12-segment bodies walk with the same controller (Fig. 1.3); C14 within three cycles."""
    track = species_walk(profile, species)
    assert track.position.shape[1] == segments
    assert track.position[-1, 0, 0] - track.position[0, 0, 0] > 20.0
    window = track.between(3 * CYCLE, 6 * CYCLE)
    record_property(f"lag spread [cycle], {segments} segments", window.lag_spread())
    assert window.lag_spread() < 0.025
    assert window.in_order() == 1.0
    assert window.worst_link() < 0.005
    assert window.share(LegState.STANCE) > 0.7


def test_c72_ten_creatures_end_bitwise_the_same_on_any_number_of_threads(record_property):
    """Reported: creatures are updated in parallel. Ours: one state hash for one thread and for all of them."""
    most = numba.config.NUMBA_NUM_THREADS
    if most < 2:
        pytest.skip("this machine has one core")
    digests = set()
    for threads in (1, most):
        numba.set_num_threads(threads)
        try:
            world = World(seed=5, map=Map.define(name="crowd", area={"width_u": 60, "height_u": 60}))
            world.spawn("pauropod", count=10, spread=20.0)
            for place in ((5.0, 5.0), (-8.0, 3.0), (2.0, -9.0)):
                world.add_food(place)
            world.step(90)
            digests.add(world.state_hash())
        finally:
            numba.set_num_threads(most)
    record_property("different hashes", len(digests))
    assert len(digests) == 1
