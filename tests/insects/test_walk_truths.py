"""What holds of every walk: three feet down, no slip, feet on the ground, bellies out of stones, no jump between tiers."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.insect.tripods import TripodPool
from paludarium.components.insect.trunk import TrunkPool
from paludarium.components.legs import LegPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.maps import Map

SIDE = 160.0
BELLY_PLACES = np.array([-0.6, 0.0, 0.6])
"""Units along the trunk where the belly is looked at. [insect 3]"""


def stony(radius, seed=5):
    """Ground strewn with half-buried stones of a radius."""
    rng = np.random.default_rng(seed)
    shapes = [{"kind": "sphere", "center": [*rng.uniform(-40.0, 40.0, 2).tolist(), -0.3 * radius], "radius": radius}
              for _ in range(round(120 / max(radius, 0.5)))]  # fmt: skip
    return {"kind": "flat", "shapes": shapes}


GROUNDS = {
    "flat": {"kind": "flat"},
    "hills": {"kind": "noise", "amplitude": 0.8, "scale": 8.0, "octaves": 2},
    "small stones": stony(0.4),
    "large stones": stony(1.0),
}


class Walkers:
    """Ants without a colony that are driven across a ground; feet and bellies, tick by tick."""

    def __init__(self, ground, count, speed, turn=0.0):
        self.world = World(seed=1, map=Map.define(name="way", area={"width_u": SIDE, "height_u": SIDE}, terrain=ground))
        rng = np.random.default_rng(1)
        self.ants = []
        for k in range(count):
            at = (rng.uniform(-30.0, 30.0), -0.35 * SIDE / 2.0 + 0.7 * SIDE / 2.0 * k / count)
            try:
                self.ants.append(self.world.spawn("worker_ant", at=at, heading=rng.uniform(-np.pi, np.pi)))
            except Exception:  # noqa: BLE001, S112 - inside a stone
                continue
            self.ants[-1].control(speed, turn)
        self.rows = np.array([ant.row for ant in self.ants])
        self.trunks, self.tripods, self.legs = (self.world.pool(kind) for kind in (TrunkPool, TripodPool, LegPool))
        self.feet = np.array([ant.rows["legs"].start for ant in self.ants])[:, None] + np.arange(6)

    def belly(self):
        """(ants,) nearest distance of three places below the trunk from the ground."""
        at = self.trunks.position[self.rows][:, None] + BELLY_PLACES[:, None] * self.trunks.forward[self.rows][:, None]
        return self.world.terrain.height(at.reshape(-1, 3)).reshape(-1, 3).min(axis=1)


@pytest.mark.parametrize("name", GROUNDS)
def test_three_feet_no_slip_and_feet_on_the_ground(name):
    """At 15 mm/s: three feet at least, none of those that stand moves (1e-12), all of them on the ground (1e-6)."""
    walk = Walkers(GROUNDS[name], 12, 2.25)
    walk.world.step(60)
    stood, tips = walk.tripods.stands[walk.rows].astype(bool), walk.legs.tip[walk.feet].copy()
    for _ in range(240):
        walk.world.step(1)
        stands, now = walk.tripods.stands[walk.rows].astype(bool), walk.legs.tip[walk.feet].copy()
        assert stands.sum(axis=1).min() >= 3
        both = stands & stood
        assert np.abs(now - tips)[both].max() <= 1e-12
        landed = stands & ~stood
        if landed.any():
            assert np.abs(walk.world.terrain.height(now[landed])).max() <= 1e-6
        stood, tips = stands, now


def lowest_belly(name, count, seconds, speed=2.0):
    """(samples,) of all ants and ticks."""
    walk = Walkers(GROUNDS[name], count, speed, turn=0.15)
    walk.world.step(90)
    seen = []
    for _ in range(round(60 * seconds)):
        walk.world.step(1)
        seen.append(walk.belly())
    return np.array(seen)


@pytest.mark.parametrize("name", GROUNDS)
def test_bellies_stay_out_of_stones(name):
    assert lowest_belly(name, 12, 5.0).min() > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUNDS)
def test_bellies_stay_out_of_stones_for_long(name, record_property):
    seen = np.concatenate([lowest_belly(name, 60, 12.0, speed) for speed in (2.0, 4.0)])
    record_property("lowest and 5 % of bellies, u", f"{seen.min():.3f} {np.percentile(seen, 5):.3f}")
    print(name, seen.min(), np.percentile(seen, 5))  # noqa: T201
    assert seen.min() > 0.0


@pytest.mark.parametrize("tier", ["bush", "follow"])
@pytest.mark.parametrize("speed", [1.0, 3.0])
def test_a_change_of_tier_is_no_jump(tier, speed):
    """Neither trunk nor feet move more in the tick of the change than in those around it, nor does the trunk turn."""
    walk = Walkers(GROUNDS["hills"], 12, speed, turn=0.3)
    walk.world.step(90)
    segments, spans = walk.world.pool(SegmentPool), np.concatenate([np.r_[a.rows["segments"].slice] for a in walk.ants])

    def pose():
        return (segments.position[spans].copy(), walk.legs.tip[walk.feet].reshape(-1, 3).copy(),
                segments.orientation[spans].copy())  # fmt: skip

    for change in (tier, "full"):
        moves, before = [], pose()
        for tick in range(40):
            if tick == 20:
                for ant in walk.ants:
                    ant.tier = change
            walk.world.step(1)
            now = pose()
            turned = 2.0 * np.arccos(np.clip(np.abs((now[2] * before[2]).sum(axis=1)), 0.0, 1.0))
            moves.append((np.linalg.norm(now[0] - before[0], axis=1).max(), np.linalg.norm(now[1] - before[1], axis=1).max(),
                          turned.max()))  # fmt: skip
            before = now
        steps = np.array(moves)
        usual = np.maximum(steps[:20].max(axis=0), np.maximum(steps[26:].max(axis=0), 0.02))
        assert (steps[20:26] <= 1.25 * usual).all(), (change, steps[18:28], usual)
        walk.world.step(30)
