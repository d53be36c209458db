"""A body without dynamics for testing the controller alone: every led segment moves exactly as commanded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paludarium.components.body import BodyPool, find_rows
from paludarium.components.head_command import HeadCommandPool
from paludarium.components.leg_states import LegState, SupportMode
from paludarium.components.legs import LegPool
from paludarium.components.myriapod.body_modes import BodyMode
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.gait import Gait, GaitPool, GaitSpec
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.parameters import parameter_row
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import CreaturePool
from paludarium.engine.pool import Array, Rows
from paludarium.engine.terrain.terrain import Terrain
from paludarium.systems.myriapod.gait.stance_pose_kernel import pose_stance_legs
from paludarium.systems.myriapod.gait.switcher_kernel import switch_legs
from paludarium.systems.myriapod.gait.targeter_kernel import Moment, target_bodies

TICK = 1.0 / 60.0
GRAVITY = 9.8
RIDE_HEIGHT = 1.0
HALF_PITCH = 1.0
LINKS = (1.0, 0.75, 0.5, np.radians(20.0))
HIP = (0.0, 0.5, -0.2)
STAND_RADIUS = 1.5  # hip to tip on the map for a random standing leg


class KinematicWalker:
    """Several equal creatures in rows, walking along +x from random leg states.

    The order of one tick is the engine's: Targeter, Switcher, physics (here plain integration), leg poses. Columns of
    segments and legs are attributes: ``walker.position`` is that of all claimed rows of `SegmentPool`.
    """

    def __init__(
        self,
        segments: int = 18,
        seed: int = 1,
        speed: float = 2.0,
        yaw_rate: float = 0.0,
        creatures: int = 1,
        terrain: Terrain | None = None,
        head_legs: bool = False,
        start: str = "random",
        dt: float = TICK,
        **gait_changes: float,
    ) -> None:
        self.dt = dt
        self.ground = (terrain or Terrain.flat()).ground
        self.rows = np.arange(creatures, dtype=np.int32)
        self.creatures, self.bodies, self.chains = CreaturePool(), BodyPool(), ChainPool()
        self.segments, self.chained, self.legs, self.blocks = SegmentPool(), ChainSegmentPool(), LegPool(), TissuePool()
        self.gaits, self.heads = GaitPool(), HeadCommandPool()
        gait_changes.setdefault("support_mode", float(SupportMode.ALWAYS))
        gait = parameter_row(GaitSpec(), **gait_changes)
        walking = range(0 if head_legs else 1, segments)
        for c in range(creatures):
            self._add_creature(c, segments, walking, gait)
        self.heads.speed[:creatures], self.heads.yaw_rate[:creatures] = speed, yaw_rate
        rng = np.random.default_rng(seed)
        if start == "random":
            self._randomise_legs(rng)
        self.pose()

    def __getattr__(self, name: str) -> Array:
        """A column of all segments or legs."""
        for pool in (self.segments, self.chained, self.legs):
            if name in pool.columns:
                return getattr(pool, name)[: pool.end]
        raise AttributeError(name)

    def _add_creature(self, c: int, count: int, walking: range, gait: Array) -> None:
        for pool in (self.creatures, self.bodies, self.chains, self.gaits, self.heads):
            pool.claim(1, owner=c, at=c)
        segments, legs = self.segments.claim(count, owner=c), self.legs.claim(2 * len(walking), owner=c)
        self.chained.claim(count, owner=c, at=segments.start)
        find_rows(self.bodies, c, {"segments": segments, "legs": legs})
        self.gaits.parameters[c] = gait
        self.chains.body_mode[c] = BodyMode.IN_WATER  # what is under water is left to it
        self._lay_segments(c, segments)
        self._hang_legs(legs, segments.start + np.repeat(walking, 2), gait)

    def _lay_segments(self, c: int, rows: Rows) -> None:
        s, chained, here = self.segments, self.chained, rows.slice
        s.position[here, 0] = -2.0 * HALF_PITCH * np.arange(rows.size)
        s.position[here, 1] = 20.0 * c
        s.position[here, 2] = RIDE_HEIGHT
        s.orientation[here] = [1.0, 0.0, 0.0, 0.0]
        s.half_extents[here], chained.half_pitch[here], chained.ride_height[here] = 0.5, HALF_PITCH, RIDE_HEIGHT
        chained.kinematic[here] = 1

    def _hang_legs(self, rows: Rows, segment_rows: Array, gait: Array) -> None:
        legs, here = self.legs, rows.slice
        legs.segment_row[here], legs.hip[here], legs.links[here] = segment_rows, HIP, LINKS
        legs.hip[here, 1] *= 1.0 - 2.0 * (np.arange(rows.size) % 2)
        legs.angles[here] = gait[[Gait.PEP_THETA, Gait.EXTREME_ALPHA, Gait.EXTREME_BETA]]

    @property
    def side(self) -> Array:
        """(legs,) 1 for left legs, -1 for right ones; every creature begins with a left one."""
        return 1.0 - 2.0 * (np.arange(self.legs.end) % 2)

    def _randomise_legs(self, rng: np.random.Generator) -> None:
        """Six states with equal chance; standing tips on flat ground, swinging angles anywhere between the poses."""
        n, gait = self.legs.end, self.gaits.parameters[0]
        self.state[:] = rng.integers(0, 6, n)
        theta = rng.uniform(gait[Gait.PEP_THETA], gait[Gait.AEP_THETA], n)
        self.angles[:, 0] = theta
        self.angles[:, 1] = rng.uniform(np.radians(20.0), np.radians(43.0), n)
        self.angles[:, 2] = rng.uniform(0.0, np.radians(60.0), n)
        centre = self.position[self.segment_row]
        self.tip[:, 0] = centre[:, 0] + STAND_RADIUS * np.sin(theta)
        self.tip[:, 1] = centre[:, 1] + self.side * (HIP[1] + STAND_RADIUS * np.cos(theta))

    def target(self) -> None:
        """The Targeter for all creatures."""
        target_bodies(
            self.rows, self.creatures, self.bodies, self.chains, self.segments,
            self.chained, self.blocks, self.legs, self.gaits, self.heads, self.ground,
            Moment(self.dt, GRAVITY),
        )  # fmt: skip

    def switch(self) -> None:
        """The Switcher for all creatures."""
        switch_legs(
            self.rows, self.bodies, self.segments, self.chained, self.legs, self.gaits,
            self.heads, self.ground, 1, self.dt,
        )  # fmt: skip

    def pose(self) -> None:
        """The leg poses at the current segment poses."""
        pose_stance_legs(self.rows, self.bodies, self.segments, self.legs)

    def integrate(self) -> None:
        """Move every segment by its constant velocities."""
        self.position += self.dt * self.velocity
        rate = np.linalg.norm(self.angular_velocity, axis=1)
        half = 0.5 * self.dt * rate
        axis = self.angular_velocity * (0.5 * self.dt * np.sinc(half / np.pi))[:, None]
        turn = np.column_stack([np.cos(half), axis])
        self.orientation[:] = multiply(turn, self.orientation)
        self.orientation /= np.linalg.norm(self.orientation, axis=1)[:, None]

    def tick(self) -> None:
        """One step of the whole loop."""
        self.target()
        self.switch()
        self.integrate()
        self.pose()

    def walk(self, seconds: float) -> Track:
        """Run and record every tick."""
        ticks = round(seconds / self.dt)
        track = Track(ticks, self)
        for t in range(ticks):
            self.tick()
            track.state[t], track.landed[t], track.events[t] = self.state, self.entered, self.events
            track.position[t], track.orientation[t] = self.position, self.orientation
        return track


class Track:
    """What a walker did, tick by tick: arrays with time as their first axis."""

    def __init__(self, ticks: int, walker: KinematicWalker) -> None:
        legs, segments = walker.state.size, walker.position.shape[0]
        self.dt = walker.dt
        self.state = np.zeros((ticks, legs), np.uint8)
        self.landed = np.zeros((ticks, legs), np.uint8)
        self.events = np.zeros((ticks, legs), np.uint8)
        self.position = np.zeros((ticks, segments, 3))
        self.orientation = np.zeros((ticks, segments, 4))

    def between(self, start: float, end: float) -> Track:
        """The part of the track from one time to another."""
        cut = Track.__new__(Track)
        for name, value in vars(self).items():
            setattr(cut, name, value if name == "dt" else value[round(start / self.dt) : round(end / self.dt)])
        return cut

    def after(self, seconds: float) -> Track:
        """The same track without its beginning."""
        return self.between(seconds, self.state.shape[0] * self.dt)

    def onsets(self, leg: int) -> NDArray[np.float64]:
        """Times at which a leg came to stand."""
        return np.flatnonzero(self.landed[:, leg]) * self.dt

    def cycle(self) -> float:
        """Median time from one landing of a leg to its next."""
        gaps = [np.diff(self.onsets(leg)) for leg in range(self.state.shape[1])]
        return float(np.median(np.concatenate(gaps)))

    def lags(self, side: int = 0) -> list[NDArray[np.float64]]:
        """For each neighbour pair of one side: time from every landing in front to the next one behind."""
        result = []
        for leg in range(side, self.state.shape[1] - 2, 2):
            front, behind = self.onsets(leg), self.onsets(leg + 2)
            after = np.searchsorted(behind, front + 1e-9)
            found = after < behind.size
            result.append(behind[after[found]] - front[found])
        return result

    def lag_spread(self) -> float:
        """Standard deviation of all neighbour lags, as a share of the cycle."""
        return float(np.std(np.concatenate(self.lags())) / self.cycle())

    def share(self, state: LegState) -> float:
        """Share of time that legs spend in a state."""
        return float(np.mean(self.state == state))

    def both_standing(self) -> float:
        """Share of time that both legs of a segment stand."""
        standing = self.state == LegState.STANCE
        return float(np.mean(standing[:, 0::2] & standing[:, 1::2]))

    def left_right_offset(self, pair: int) -> float:
        """Mean time between the landings of the two legs of a pair."""
        left, right = self.onsets(2 * pair), self.onsets(2 * pair + 1)
        return float(np.mean([np.min(np.abs(right - time)) for time in left]))

    def links(self) -> NDArray[np.float64]:
        """Distances between neighbouring segment centres."""
        return np.linalg.norm(np.diff(self.position, axis=1), axis=2)


def multiply(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quaternion products of two arrays, wxyz."""
    aw, ax, ay, az = a.T
    bw, bx, by, bz = b.T
    return np.column_stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ]
    )
