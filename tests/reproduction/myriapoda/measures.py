"""What a creature of a full world did, tick by tick, and the numbers that the published checks ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paludarium import LegState, World
from paludarium.components.brain import BrainPool
from paludarium.components.head_command import HeadCommandPool
from paludarium.components.legs import LegPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.gait import Gait, GaitPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import Creature
from paludarium.systems.legs.leg_kinematics_kernel import leg_tip

Floats = NDArray[np.float64]
PUBLISHED = Path(__file__).parent / "published"
"""The same animals with ``profile = "published"``: three lines each."""


def species_of(name: str, profile: str) -> str:
    """What to spawn for a species under one of the two profiles."""
    return name if profile == "steady" else str(PUBLISHED / f"published_{name}.toml")


@dataclass(frozen=True)
class Track:
    """Arrays with time as their first axis; legs are in pairs, side 0 left."""

    dt: float
    state: NDArray[np.uint8]  # (t, pairs, 2) LegState
    landed: NDArray[np.uint8]  # (t, pairs, 2) came to stand in this tick
    events: NDArray[np.uint8]  # (t, pairs, 2) LegEvent bits
    tip: Floats  # (t, pairs, 2, 3) world
    position: Floats  # (t, segments, 3)
    orientation: Floats  # (t, segments, 4) wxyz
    kinematic: NDArray[np.uint8]  # (t, segments)
    mode: NDArray[np.uint8]  # (t,)
    speed: Floats  # (t,) commanded
    stance_share: Floats  # (t,)

    def between(self, start: float, end: float) -> Track:
        """The part of the track from one time to another."""
        cut = slice(round(start / self.dt), round(end / self.dt))
        return replace(self, **{name: value[cut] for name, value in vars(self).items() if name != "dt"})

    def after(self, seconds: float) -> Track:
        """The same track without its beginning."""
        return self.between(seconds, len(self.state) * self.dt)

    def onsets(self, pair: int, side: int = 0) -> Floats:
        """Times at which a leg came to stand."""
        return np.flatnonzero(self.landed[:, pair, side]) * self.dt

    def cycle(self) -> float:
        """Median time from one landing of a leg to its next."""
        pairs = self.state.shape[1]
        return float(np.median(np.concatenate([np.diff(self.onsets(k, s)) for k in range(pairs) for s in (0, 1)])))

    def lags(self, side: int = 0) -> list[Floats]:
        """For each neighbour pair of one side: time from every landing in front to the next one behind."""
        result = []
        for pair in range(self.state.shape[1] - 1):
            front, behind = self.onsets(pair, side), self.onsets(pair + 1, side)
            after = np.searchsorted(behind, front + 1e-9)
            found = after < behind.size
            result.append(behind[after[found]] - front[found])
        return result

    def lag(self) -> float:
        """Mean neighbour lag in seconds."""
        return float(np.mean(np.concatenate(self.lags())))

    def lag_spread(self) -> float:
        """Standard deviation of all neighbour lags, as a share of the cycle."""
        return float(np.std(np.concatenate(self.lags())) / self.cycle())

    def in_order(self) -> float:
        """Share of neighbour pairs whose rear leg lands within half a cycle after the front one, on the average."""
        half = 0.5 * self.cycle()
        return float(np.mean([0.0 < np.mean(lag) < half for lag in self.lags() if lag.size]))

    def share(self, state: LegState) -> float:
        """Share of time that legs spend in a state."""
        return float(np.mean(self.state == state))

    def both_standing(self) -> float:
        """Share of time that both legs of a segment stand."""
        return float(np.mean((self.state == LegState.STANCE).all(axis=2)))

    def standing(self) -> Floats:
        """(t,) share of legs in STANCE."""
        return np.mean(self.state == LegState.STANCE, axis=(1, 2))

    def left_right_offset(self, pair: int) -> float:
        """Mean time between the landings of the two legs of a pair."""
        left, right = self.onsets(pair, 0), self.onsets(pair, 1)
        return float(np.mean([np.min(np.abs(right - time)) for time in left]))

    def links(self) -> Floats:
        """(t, segments - 1) distances between neighbouring segment centres."""
        return np.linalg.norm(np.diff(self.position, axis=1), axis=2)

    def worst_link(self, rest: float = 2.0) -> float:
        """Largest deviation of a link from its rest length, as a share of it."""
        return float(np.abs(self.links() / rest - 1.0).max())

    def axis(self, which: int) -> Floats:
        """(t, segments, 3) body axis 0, 1 or 2 in world coordinates."""
        w, x, y, z = np.moveaxis(self.orientation, -1, 0)
        columns = (
            (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
        )
        return np.stack(columns[which], axis=-1)

    def heading(self) -> Floats:
        """(t,) unwrapped heading of the head in the map plane."""
        forward = self.axis(0)[:, 0]
        return np.unwrap(np.arctan2(forward[:, 1], forward[:, 0]))

    def walked(self) -> float:
        """Length of the head's path."""
        return float(np.linalg.norm(np.diff(self.position[:, 0], axis=0), axis=1).sum())


def follow(world: World, creature: Creature, seconds: float, each: Callable[[], Any] | None = None) -> Track:
    """Step the world and record one creature; `each` runs after every tick."""
    brain, gait, head = world.pool(BrainPool), world.pool(GaitPool), world.pool(HeadCommandPool)
    segments, chained, legs = world.pool(SegmentPool), world.pool(ChainSegmentPool), world.pool(LegPool)
    here, feet = creature.rows["segments"].slice, creature.rows["legs"].slice
    frames = []
    for _ in range(round(seconds * world.tick_rate)):
        world.step()
        row = creature.row
        leg_columns = (legs.state, legs.entered, legs.events, legs.tip)
        paired = [column[feet].reshape(-1, 2, *column.shape[1:]).copy() for column in leg_columns]
        body = [column[here].copy() for column in (segments.position, segments.orientation, chained.kinematic)]
        frames.append((*paired, *body, brain.mode[row], head.speed[row], gait.stance_share[row]))
        if each is not None:
            each()
    return Track(1.0 / world.tick_rate, *(np.array(column) for column in zip(*frames, strict=True)))


def change_gait(world: World, creature: Creature, **values: float) -> None:
    """Replace columns of a creature's gait row, e.g. ``wave_rule=0``."""
    for name, value in values.items():
        world.pool(GaitPool).parameters[creature.row, Gait[name.upper()]] = value


def shown_tips(creature: Creature) -> Floats:
    """(pairs, 2, 3) feet computed from the joint angles and segment poses, as a renderer does."""
    legs, position, orientation = creature.legs, creature.segments.position, creature.segments.orientation
    first = creature.rows["segments"].start
    hips, links = legs.pool.view(legs.rows, "hip"), legs.pool.view(legs.rows, "links")
    tips = np.zeros((len(legs), 2, 3))
    for pair, row in enumerate(legs.segment - first):
        w, x, y, z = orientation[row]
        for side in (0, 1):
            leg = 2 * pair + side
            local = np.array(leg_tip(hips[leg], links[leg], 1.0 - 2.0 * side, *legs.angles[pair, side]))
            turned = local + 2.0 * np.cross((x, y, z), np.cross((x, y, z), local) + w * local)
            tips[pair, side] = position[row] + turned
    return tips
