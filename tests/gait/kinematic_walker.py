"""A body without dynamics for testing the controller alone: every led segment moves exactly as commanded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paludarium.components.leg_states import HISTORY_TICKS, LegState, SupportMode
from paludarium.components.myriapod.gait import Gait, gait_row
from paludarium.components.segments import Lift
from paludarium.engine.terrain.terrain import Terrain
from paludarium.systems.myriapod.gait.stance_pose_kernel import pose_stance_legs
from paludarium.systems.myriapod.gait.switcher_kernel import switch_legs
from paludarium.systems.myriapod.gait.targeter_kernel import target_bodies

TICK = 1.0 / 60.0
GRAVITY = 9.8
RIDE_HEIGHT = 1.0
HALF_PITCH = 1.0
LINKS = (1.0, 0.75, 0.5, np.radians(20.0))
HIP = (0.0, 0.5, -0.2)
STAND_RADIUS = 1.5  # hip to tip on the map for a random standing leg


class KinematicWalker:
    """Several equal creatures in rows, walking along +x from random leg states.

    The order of one tick is the engine's: Targeter, Switcher, physics (here plain integration), leg poses.
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
        walking = segments if head_legs else segments - 1
        self.segments, self.legs = segments, 2 * walking
        self.first_segment = (np.arange(creatures) * segments).astype(np.int32)
        self.segment_count = np.full(creatures, segments, np.int32)
        self.first_leg = (np.arange(creatures) * self.legs).astype(np.int32)
        self.leg_count = np.full(creatures, self.legs, np.int32)
        self.head_speed = np.full(creatures, speed)
        self.head_yaw_rate = np.full(creatures, yaw_rate)
        self.adjusting = np.zeros(creatures, np.uint8)
        gait_changes.setdefault("support_mode", float(SupportMode.ALWAYS))
        self.gait = np.tile(gait_row(**gait_changes), (creatures, 1))
        self._make_segments(creatures)
        self._make_legs(creatures, 0 if head_legs else 1)
        self.stance_share = np.zeros(creatures)
        self.history_cursor = np.zeros(creatures, np.int32)
        rng = np.random.default_rng(seed)
        if start == "random":
            self._randomise_legs(rng)
        self.pose()

    def _make_segments(self, creatures: int) -> None:
        n = creatures * self.segments
        self.position = np.zeros((n, 3))
        self.position[:, 0] = -2.0 * HALF_PITCH * (np.arange(n) % self.segments)
        self.position[:, 1] = 20.0 * (np.arange(n) // self.segments)
        self.position[:, 2] = RIDE_HEIGHT
        self.orientation = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        self.velocity = np.zeros((n, 3))
        self.angular_velocity = np.zeros((n, 3))
        self.half_extents = np.full((n, 3), 0.5)
        self.way = np.zeros((len(self.head_speed), 3))  # and nothing stands in the way
        self.lift_share, self.lift, self.shove = np.zeros(n), np.zeros((n, len(Lift))), np.zeros((n, 3))  # alone
        self.half_pitch = np.full(n, HALF_PITCH)
        self.height, self.water_level = np.zeros(n), np.full(n, -1e6)
        self.swimming = np.ones(len(self.head_speed), np.uint8)  # what is under water is left to it
        self.ride_height = np.full(n, RIDE_HEIGHT)
        self.supported = np.zeros(n, np.uint8)
        self.kinematic = np.ones(n, np.uint8)
        self.submerged = np.zeros(n, np.uint8)
        self.support_timer = np.zeros(n)
        self.blend_timer = np.zeros(n)
        self.ground_point = np.zeros((n, 3))
        self.ground_normal = np.zeros((n, 3))
        self.gravity = np.zeros((n, 3))

    def _make_legs(self, creatures: int, first_walking: int) -> None:
        n = creatures * self.legs
        leg = np.arange(n)
        creature, within = leg // self.legs, leg % self.legs
        self.segment_row = (creature * self.segments + first_walking + within // 2).astype(np.int32)
        self.side = 1.0 - 2.0 * (within % 2)
        self.hip = np.tile(HIP, (n, 1))
        self.hip[:, 1] *= self.side
        self.links = np.tile(LINKS, (n, 1))
        self.state = np.zeros(n, np.uint8)
        self.angles = np.zeros((n, 3))
        self.angles[:] = self.gait[0, [Gait.PEP_THETA, Gait.EXTREME_ALPHA, Gait.EXTREME_BETA]]
        self.tip = np.zeros((n, 3))
        self.armed = np.zeros(n, np.uint8)
        self.entered = np.zeros(n, np.uint8)
        self.events = np.zeros(n, np.uint8)
        self.history = np.zeros((n, HISTORY_TICKS), np.uint8)

    def _randomise_legs(self, rng: np.random.Generator) -> None:
        """Six states with equal chance; standing tips on flat ground, swinging angles anywhere between the poses."""
        n = self.state.size
        self.state[:] = rng.integers(0, 6, n)
        theta = rng.uniform(self.gait[0, Gait.PEP_THETA], self.gait[0, Gait.AEP_THETA], n)
        self.angles[:, 0] = theta
        self.angles[:, 1] = rng.uniform(np.radians(20.0), np.radians(43.0), n)
        self.angles[:, 2] = rng.uniform(0.0, np.radians(60.0), n)
        centre = self.position[self.segment_row]
        self.tip[:, 0] = centre[:, 0] + STAND_RADIUS * np.sin(theta)
        self.tip[:, 1] = centre[:, 1] + self.side * (HIP[1] + STAND_RADIUS * np.cos(theta))

    def target(self) -> None:
        """The Targeter for all creatures."""
        target_bodies(
            self.rows, self.first_segment, self.segment_count, self.first_leg, self.leg_count, self.head_speed,
            self.head_yaw_rate, self.way, self.adjusting, self.gait, self.segment_row, self.state, self.position,
            self.orientation, self.half_extents, self.half_pitch, self.ride_height, self.submerged,
            self.swimming, self.water_level, self.velocity,
            self.angular_velocity, self.supported, self.kinematic, self.support_timer, self.blend_timer, self.height,
            self.ground_point, self.ground_normal, self.gravity, self.lift_share, self.lift, self.shove,
            self.ground, GRAVITY, self.dt,
        )  # fmt: skip

    def switch(self) -> None:
        """The Switcher for all creatures."""
        switch_legs(
            self.rows, self.first_leg, self.leg_count, self.head_speed, self.gait, self.segment_row, self.hip,
            self.links, self.position, self.orientation, self.submerged, self.lift_share,
            self.state, self.angles, self.tip, self.armed,
            self.entered, self.events, self.history, self.history_cursor, self.stance_share, self.ground, 1, self.dt,
        )  # fmt: skip

    def pose(self) -> None:
        """The leg poses at the current segment poses."""
        pose_stance_legs(
            self.rows, self.first_leg, self.leg_count, self.segment_row, self.hip, self.links, self.position,
            self.orientation, self.state, self.angles, self.tip,
        )  # fmt: skip

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
