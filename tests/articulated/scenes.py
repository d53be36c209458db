"""What free swimmers do in the scenes that ship."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paludarium import World
from paludarium.components.articulated.ashore import Ashore
from paludarium.components.articulated.manoeuvres import ManoeuvrePool
from paludarium.components.articulated.servo import SwimPool

SCENES = ("lagoon", "frog_pond")
SETTLING = 120
"""Ticks from rest."""


@dataclass(frozen=True)
class Life:
    """Of one swimmer: shares of time and speeds, those of the time in the water."""

    species: str
    length: float  # u
    own: float  # u/s of its straight stroke in still water
    speed: float  # u/s
    straight: float  # share with less than a tenth of a turn
    wet: float  # share of the time in the water
    visits: bool  # it sits ashore of its own will


def watch(scene: str, seed: int, seconds: int) -> list[Life]:
    """All articulated swimmers of a scene over some seconds, in full detail as far as there are windows."""
    world = World(seed=seed, map=scene)
    swimmers = [one for one in world.creatures.values() if "servo" in one.rows]
    pool = world.pool(SwimPool)
    rows = np.array([one.row for one in swimmers])
    world.step(SETTLING)
    straight, wet, way = (np.zeros(len(rows)) for _ in range(3))
    for _ in range(seconds):
        before, swims = pool.root[rows, :2].copy(), np.ones(len(rows), np.bool_)
        for _ in range(4):
            world.step(15)
            swims &= pool.wet[rows] > 0.9
            straight += np.abs(pool.steer[rows]) < 0.1
        wet += swims
        way += swims * np.hypot(*(pool.root[rows, :2] - before).T)
    own = world.pool(ManoeuvrePool).speed[pool.first_manoeuvre[rows]] * pool.pace[rows] * pool.length[rows]
    visits = world.pool(type(swimmers[0].ashore.pool)).parameters[rows, Ashore.SWIM_TIME] > 0.0
    return [Life(one.species.key, float(pool.length[one.row]), float(own[k]), float(way[k] / max(wet[k], 1.0)),
                 float(straight[k] / (4 * seconds)), float(wet[k] / seconds), bool(visits[k]))
            for k, one in enumerate(swimmers)]  # fmt: skip
