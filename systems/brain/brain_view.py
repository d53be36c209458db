"""What a brain reads and writes: its pools, and the view of their columns that a mod's mode gets to see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...components.antennae import AntennaPool
from ...components.body import BodyPool
from ...components.brain import BrainPool
from ...components.head_command import HeadCommandPool
from ...components.segments import SegmentPool
from ...components.vision import VisionPool
from ...engine.creature import CreaturePool

Floats = NDArray[np.float64]


class BrainPools(NamedTuple):
    """The pools of the brain, in the order in which its kernels take them."""

    creatures: CreaturePool
    bodies: BodyPool
    segments: SegmentPool
    heads: HeadCommandPool
    brains: BrainPool
    antennae: AntennaPool
    eyes: VisionPool


class Senses(NamedTuple):
    """What the creatures feel and see, and how they stand."""

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
    """What the game wants from the creatures; see `GoalKind`."""

    kind: NDArray[np.uint8]  # (creatures,)
    position: Floats  # (creatures, 3)
    radius: Floats  # (creatures,)
    speed: Floats  # (creatures,) zero: the creature's own
    row: NDArray[np.int32]  # (creatures,) another creature
    drive: Floats  # (creatures, 3) speed, yaw rate, climb


@dataclass(frozen=True, slots=True)
class BrainColumns:
    """All columns of a brain, as a mod's mode sees them; indexed by creature row and valid for this tick.

    Example::

        def decide(brain, rows):
            hungry = brain.senses.smell[rows].max(axis=1) > 0.5
            return Wish(hungry, 2.0 * brain.parameters[rows, Brain.SPEED], np.zeros(rows.size))
    """

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


def brain_columns(pools: BrainPools) -> BrainColumns:
    """The columns of the pools as they are now; a pool that grows has new ones."""
    c, head, brain, feel, eyes = pools.creatures, pools.heads, pools.brains, pools.antennae, pools.eyes
    return BrainColumns(
        parameters=brain.parameters,
        senses=Senses(
            contact=feel.contact,
            contact_normal=feel.contact_normal,
            smell=feel.smell,
            free_path=feel.free_path,
            barrier=feel.barrier,
            stance_share=brain.footing,
            afloat=brain.afloat,
            eyes=eyes.parameters,
            seen_food=eyes.food,
            alert=eyes.alert,
        ),
        goals=Goals(c.goal_kind, c.goal_position, c.goal_radius, c.goal_speed, c.goal_row, c.drive),
        memory=brain.memory,
        mode=brain.mode,
        goal_done=c.goal_done,
        stream=brain.stream,
        wish=brain.wish,
        speed=head.speed,
        yaw_rate=head.yaw_rate,
    )
