"""Mods from a folder, without touching the package: trails that others follow, warm places, and an animal from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paludarium import Creature, Map, World
from paludarium.systems.brain.mode_registry import ModeRegistry

MODS = Path(__file__).resolve().parent / "mods"
MEADOW = Map.define(name="meadow", area={"width_u": 160, "height_u": 240})
PAIRS = 2
"""Leaders on circles of 40 units, 50 units from each other."""


def build_world(mods: bool = True, seed: int = 4) -> World:
    """Two leaders that have walked in wide curves, and where each began somebody who is free to go anywhere."""
    world = World(seed=seed, map=MEADOW, mods=MODS if mods else None)
    for place in range(PAIRS):
        world.spawn("pauropod", at=(-40.0, 50.0 * place - 75.0), tier="follow").control(2.0, 0.05 * (-1.0) ** place)
    world.step(600)
    for place in range(PAIRS):
        world.spawn("pauropod", at=(-38.0, 50.0 * place - 76.0), tier="follow")
    return world


def straying(world: World, ticks: int) -> float:
    """Let time pass and return how far the followers' heads are from their leaders' ways, on average over the time."""
    group = list(world.creatures.values())
    leaders, followers = group[:PAIRS], group[PAIRS : 2 * PAIRS]
    distances = []
    for _ in range(0, ticks, 15):
        world.step(15)
        distances.append([circle_gap(leader, follower) for leader, follower in zip(leaders, followers, strict=True)])
    return float(np.mean(distances))


def circle_gap(leader: Creature, follower: Creature) -> float:
    """How far a follower is from the circle its leader walks on; the leader's head is on it and looks along it."""
    speed, yaw_rate = leader.brain.speed, leader.brain.yaw_rate
    radius = speed / yaw_rate
    side = leader.heading + np.pi / 2.0
    center = leader.position[:2] + radius * np.array([np.cos(side), np.sin(side)])
    return float(abs(np.hypot(*(follower.position[:2] - center)) - abs(radius)))


def check(world: World) -> None:
    """Trails are followed, stones in the sun are sat on, and the new animal walks."""
    names = [entry.name for entry in world.schedule]
    assert names.index("PheromoneSystem") == names.index("BrainSystem") + 1
    following, wandering = straying(build_world(), 600), straying(build_world(mods=False), 600)
    assert following < 0.5 * wandering, (following, wandering)
    glass = world.spawn("glass_millipede", at=(0.0, 40.0), heading=np.pi / 2)
    world.add_stimulus("warmth", (0.0, 48.0), radius=30.0)
    world.step(600)
    modes = world.resource(ModeRegistry)
    assert modes.name_of(int(glass.brain.mode)) == "BASK"
    assert glass.distance_to((0.0, 48.0)) < 4.0


def main() -> None:
    world = build_world()
    world.step(120)
    check(world)
    print("trails are followed")


if __name__ == "__main__":
    main()
