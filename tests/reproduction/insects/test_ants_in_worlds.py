"""What insects of the ant trail and of the log do by themselves: walk on three feet, meet, carry, lay trails, climb."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pytest

from paludarium import World
from paludarium.components.insect.colony import ColonyPool, Errand, NestPool
from paludarium.components.insect.tripods import TripodPool
from paludarium.components.insect.trunk import TrunkMode, TrunkPool
from paludarium.components.legs import LegPool
from paludarium.engine.tiers import FULL
from paludarium.systems.insect.colony.trail_grid import Trails

LOOK = 30
"""Ticks between two looks."""
LIVES = [(11, 30.0)] + [pytest.param(seed, 120.0, marks=pytest.mark.slow) for seed in (101, 202, 303)]
"""Seed and seconds."""


@dataclass
class Life:
    """Of all insects of a world over some time."""

    loads: int = 0
    greeted: int = 0
    errands: set[int] = field(default_factory=set)
    slip: float = 0.0  # u, of a foot that stands for two ticks
    lowest: int = 6  # feet that stand, of those that walk in full detail
    off: float = 0.0  # u, of standing feet from the ground
    belly: list[np.ndarray] = field(default_factory=list)
    trail: float = 0.0
    swing: list[np.ndarray] = field(default_factory=list)  # rad, of the rear part against the trunk
    yaw: list[np.ndarray] = field(default_factory=list)
    stretched: float = 0.0  # share of legs that cannot reach their foot
    duty: list[np.ndarray] = field(default_factory=list)
    speed: list[np.ndarray] = field(default_factory=list)
    steep: float = 1.0  # smallest cosine between a trunk's normal and up


@lru_cache(maxsize=2)
def life(name: str, seed: int, seconds: float) -> Life:
    """Let a world live and write down what its insects do."""
    world, found = World(seed=seed, map=name), Life()
    trunks, tripods, legs = world.pool(TrunkPool), world.pool(TripodPool), world.pool(LegPool)
    colonies, nests, herd = world.pool(ColonyPool), world.pool(NestPool), world.creature_pool

    met, stretched = [], []
    world.on("met", met.append)
    world.step(120)
    for _ in range(round(seconds * 60 / LOOK)):
        world.step(LOOK - 1)
        first_leg = {one.row: one.rows["legs"].start for one in world.creatures.values()}
        rows = trunks.spans[:, 0].copy()
        rows = rows[(trunks.mode[rows] == TrunkMode.WALK) & (herd.tier[rows] == FULL) & (herd.dead[rows] == 0)]
        feet = np.array([first_leg[row] for row in rows.tolist()], int)[:, None] + np.arange(6)
        stood, tips = tripods.stands[rows] != 0, legs.tip[feet].copy()
        world.step()
        still = (trunks.mode[rows] == TrunkMode.WALK) & (herd.dead[rows] == 0)
        stands, now = tripods.stands[rows] != 0, legs.tip[feet].copy()
        both = stands & stood & still[:, None]
        found.slip = max(found.slip, float(np.abs(now - tips)[both].max(initial=0.0)))
        found.lowest = min(found.lowest, int(stands[still].sum(axis=1).min(initial=6)))
        found.off = max(found.off, float(np.abs(world.terrain.height(now[both])).max(initial=0.0)))
        found.belly.append(world.terrain.height(trunks.position[rows[still]]))
        found.duty.append(tripods.duty[rows[still]].copy())
        found.speed.append(np.abs(trunks.speed[rows[still]]))
        found.steep = min(found.steep, float(trunks.normal[rows[still], 2].min(initial=1.0)))
        mine = colonies.spans[:, 0]
        found.errands |= set(colonies.errand[mine].tolist())
        found.swing.append(trunks.swing[rows[still], 0].copy())
        found.yaw.append(trunks.yaw_rate[rows[still]].copy())
        stretched.append((tripods.stretched[rows[still]] != 0).mean())
    found.greeted, found.stretched = len(met), float(np.nanmean(stretched))
    found.loads = int(nests.loads[nests.spans[:, 0]].sum()) if nests.spans.size else 0
    found.trail = float(world.resource(Trails).field.max()) if colonies.spans.size else 0.0
    return found


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
@pytest.mark.parametrize("name", ["ant_trail", "beetle_log"])
def test_insects_walk_on_three_feet_that_do_not_slip(name, seed, seconds, record_property):
    """Never less than three feet stand, those that stand do not move, and none hangs in the air or is in the ground."""
    found = life(name, seed, seconds)
    record_property(f"{name}: slip, off the ground, u", f"{found.slip:.1e}, {found.off:.1e}")
    assert found.lowest >= 3
    assert found.slip < 1e-9
    assert found.off < 0.02
    assert np.concatenate(found.belly).min() > 0.0


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_insects_of_the_log_climb_it(seed, seconds, record_property):
    """A trunk stands askew by more than 25 degrees at some time, and its feet are on the log all the same."""
    found = life("beetle_log", seed, seconds)
    record_property("steepest, deg", round(float(np.degrees(np.arccos(found.steep))), 1))
    assert found.steep < np.cos(np.radians(25.0))
    assert found.off < 0.02


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_ants_of_the_trail_stand_on_more_feet_the_slower_they_walk(seed, seconds, record_property):
    """Feet stand for a larger share of a cycle. One of a hundred legs is over-stretched here, so that claim is not made."""
    found = life("ant_trail", seed, seconds)
    duty, speed = np.concatenate(found.duty), np.concatenate(found.speed)
    alike = float(np.corrcoef(duty, speed)[0, 1])
    record_property("correlation of duty and speed; stretched legs", f"{alike:.2f}, {found.stretched:.4f}")
    assert alike < -0.8


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_rear_parts_of_ants_swing_behind_turns(seed, seconds, record_property):
    """The gaster lags: it bends to the outer side of a turn."""
    found = life("ant_trail", seed, seconds)
    swing, yaw = np.concatenate(found.swing), np.concatenate(found.yaw)
    record_property("largest, deg, and correlation with the turn", f"{np.degrees(np.abs(swing).max()):.1f}, "
                                                                   f"{np.corrcoef(swing, yaw)[0, 1]:.2f}")  # fmt: skip
    assert np.abs(swing).max() > np.radians(2.0)
    assert abs(np.corrcoef(swing, yaw)[0, 1]) > 0.5


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_ants_of_the_trail_meet_carry_and_mark_the_way(seed, seconds, record_property):
    """They feel each other with their antennae, bring more than a load in two seconds home, and leave a trail."""
    found = life("ant_trail", seed, seconds)
    record_property("loads and meetings per minute", f"{60 * found.loads / seconds:.0f}, {60 * found.greeted / seconds:.0f}")
    assert {Errand.SEARCH, Errand.HOMEWARD, Errand.GREET} <= found.errands
    assert found.greeted > 0.2 * seconds
    assert found.loads > 0.5 * seconds
    assert found.trail > 1.0
