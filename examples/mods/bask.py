"""A mod: warm places. One new kind of stimulus, and a brain mode that stops at it. Nothing to save, nothing to draw."""

from __future__ import annotations

import numpy as np

from paludarium import World
from paludarium.systems.brain import BrainColumns, Wish
from paludarium.systems.brain.mode_registry import ModeRegistry
from paludarium.systems.stimuli.stimuli import Stimuli

PRIORITY = 55.0  # above the reaction that brings them here, below avoidance
LIKED = 0.6  # default reaction of species that say nothing about warmth
NEAR = 4.0  # units; as near as this it is warm enough


def build(world: World) -> None:
    stimuli, creatures = world.resource(Stimuli), world.creature_pool
    stimuli.add_kind("warmth", default=LIKED, doc="a warm stone")

    def bask(_brain: BrainColumns, rows: np.ndarray) -> Wish:
        pool = stimuli.pool
        warm = pool.live("position")[pool.live("kind") == list(stimuli.kinds).index("warmth")]
        offsets = creatures.position[rows, None, :2] - warm[None, :, :2]
        wants = (np.hypot(offsets[..., 0], offsets[..., 1]) < NEAR).any(axis=1)
        return Wish(wants=wants, speed=np.zeros(rows.size), yaw_rate=np.zeros(rows.size))

    def warm_somewhere() -> bool:
        return bool(len(stimuli.pool.spans))

    world.resource(ModeRegistry).add("bask", priority=PRIORITY, decide=bask, when=warm_somewhere)
