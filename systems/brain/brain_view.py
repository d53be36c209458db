"""The columns a brain reads and writes, grouped as its kernels take them.

The three tuples are read-only bundles for the kernels. `BrainColumns` holds everything of one brain part: it is what a
mode of a mod gets to see, and any object with the same attributes (a pool, for one) serves as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...components.brain import BRAIN_COLUMNS, brain_row
from ...components.brain_modes import MEMORY_COLUMNS, BrainMode, GoalKind
from ...components.vision import OUT_OF_SIGHT, vision_row

Floats = NDArray[np.float64]


class Heads(NamedTuple):
    """Where the heads are: segment poses and the first segment of each creature."""

    position: Floats  # (segments, 3)
    orientation: Floats  # (segments, 4) wxyz
    first_segment: NDArray[np.int32]  # (creatures,)
    segment_count: NDArray[np.int32]  # (creatures,)


class Senses(NamedTuple):
    """What the creatures feel and see: the outputs of the sense kernels and the share of standing legs."""

    contact: NDArray[np.uint8]  # (creatures, 2)
    contact_normal: Floats  # (creatures, 2, 3) in the world, outward
    smell: Floats  # (creatures, 2)
    free_path: Floats  # (creatures, 2) forward, backward
    barrier: Floats  # (creatures, 3) outward normal of what the head has met ahead, or zero
    stance_share: Floats  # (creatures,) of standing legs; 1 in water, which carries the body
    afloat: NDArray[np.uint8]  # (creatures,) it swims
    eyes: Floats  # (creatures, VISION_COLUMNS) parameters of its vision
    seen_food: Floats  # (creatures, 2) distance and bearing, `OUT_OF_SIGHT` if there is none
    alert: Floats  # (creatures, 2) distance of the nearest thing in sight left and right ahead


class Goals(NamedTuple):
    """What somebody else wants from the creatures; see `GoalKind`."""

    kind: NDArray[np.uint8]  # (creatures,)
    position: Floats  # (creatures, 3)
    radius: Floats  # (creatures,)
    speed: Floats  # (creatures,) zero: the creature's own
    row: NDArray[np.int32]  # (creatures,) another creature
    drive: Floats  # (creatures, 2) speed, yaw rate


@dataclass(frozen=True, slots=True)
class BrainColumns:
    """All columns of the brains of ``count`` creatures: ``BrainColumns.allocate(40, seeds)``."""

    parameters: Floats  # (creatures, BRAIN_COLUMNS)
    senses: Senses
    goals: Goals
    memory: Floats  # (creatures, MEMORY_COLUMNS)
    mode: NDArray[np.uint8]
    goal_done: NDArray[np.uint8]
    stream: NDArray[np.uint64]
    wish: Floats  # (creatures, 2) speed, yaw rate
    speed: Floats
    yaw_rate: Floats

    @classmethod
    def allocate(cls, count: int, stream: NDArray[np.uint64]) -> BrainColumns:
        """Columns of resting creatures with default parameters, all legs standing, nothing felt and no goal."""
        parameters = np.empty((count, BRAIN_COLUMNS))
        parameters[:] = brain_row()
        senses = Senses(
            contact=np.zeros((count, 2), np.uint8),
            contact_normal=np.zeros((count, 2, 3)),
            smell=np.zeros((count, 2)),
            free_path=np.full((count, 2), np.inf),
            barrier=np.zeros((count, 3)),
            stance_share=np.ones(count),
            afloat=np.zeros(count, np.uint8),
            eyes=np.tile(vision_row(), (count, 1)),
            seen_food=np.full((count, 2), OUT_OF_SIGHT),
            alert=np.full((count, 2), OUT_OF_SIGHT),
        )
        goals = Goals(
            kind=np.full(count, GoalKind.NONE, np.uint8),
            position=np.zeros((count, 3)),
            radius=np.ones(count),
            speed=np.zeros(count),
            row=np.full(count, -1, np.int32),
            drive=np.zeros((count, 2)),
        )
        return cls(
            parameters=parameters,
            senses=senses,
            goals=goals,
            memory=np.zeros((count, MEMORY_COLUMNS)),
            mode=np.full(count, BrainMode.RANDOM_WALK, np.uint8),
            goal_done=np.zeros(count, np.uint8),
            stream=stream,
            wish=np.zeros((count, 2)),
            speed=np.zeros(count),
            yaw_rate=np.zeros(count),
        )
