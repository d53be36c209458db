"""Foragers between a nest and food as the source has them: who comes the other way is stopped for, who goes the same way is
kept away from. [Guo15 5.4.2]

Ants are points with a heading on a strip; each has one oscillator, whose size is the share of the walking speed and whose
sigma stops and starts it. How long they stand and how they steer is not printed: those numbers are choices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...components.insect.oscillators import HOPF_RATE
from ...engine.pool import Array

LENGTH, HALF_WIDTH = 1000.0, 10.0
"""Millimetres of the strip: nest at one end, food at the other."""
SENSING = 20.0
"""Millimetres within which ants notice each other."""
SPEED = 15.0
"""mm/s; not printed."""
PAUSE = (0.5, 1.5)
"""Seconds that two stand; not printed."""
REARM = 2.0
"""Seconds after which the same two may stop for each other again; not printed."""
TURN_ASIDE, ASIDE_TIME = np.radians(30.0), 0.5
"""How far and how long one turns away from another on the same way; not printed."""
TURN_RATE = 4.0
"""1/s at which a heading comes to the wanted one; not printed."""
ARRIVED = 5.0
"""Millimetres from the goal."""
STEP = 0.01
"""Seconds."""
GO, STOP = 1.0, -1.0


@dataclass(frozen=True)
class Encounters:
    """What came of it."""

    met: int  # pairs with opposite goals that came near
    stopped: int  # of these, those in which both stood still
    resumed: int  # and both walked again
    same_goal_stops: int  # ants that stopped without having met one with the opposite goal
    farthest: float  # mm to the side of the strip's middle
    longest: float  # s that any of them stood
    arrivals: int


def forage_on_strip(count: int = 30, seconds: float = 120.0, seed: int = 1) -> Encounters:
    """Let ants go to and fro.

    Example::

        forage_on_strip(30, 60.0).resumed
    """
    rng = np.random.default_rng(seed)
    place = np.column_stack([rng.uniform(0.0, LENGTH, count), rng.uniform(-HALF_WIDTH, HALF_WIDTH, count)])
    heading, to_nest = rng.uniform(0.0, 2.0 * np.pi, count), rng.uniform(size=count) >= 0.5
    size, wait, aside, turned = np.full(count, 1e-2), np.zeros(count), np.zeros(count), np.zeros(count)
    armed_at = np.full((count, count), -np.inf)
    open_pairs: dict[tuple[int, int], list[bool]] = {}
    allowed = np.zeros(count, np.bool_)  # has met one with the opposite goal since it last walked
    met = stopped = resumed = wrong = arrivals = 0
    stood, longest, farthest = np.zeros(count), 0.0, 0.0
    for step in range(round(seconds / STEP)):
        now = step * STEP
        gap = np.linalg.norm(place[:, None] - place[None], axis=2)
        near = np.triu(gap < SENSING, 1)
        opposite = to_nest[:, None] != to_nest[None]
        for i, j in np.argwhere(near & opposite & (now >= armed_at)).tolist():
            if (i, j) in open_pairs:
                continue  # held up by others, these two are still about the same encounter
            met += 1
            pause = rng.uniform(*PAUSE)
            for one in (i, j):
                wait[one] = max(wait[one], pause)
                allowed[one] = True
            armed_at[i, j] = now + pause + REARM
            open_pairs[i, j] = [False, False, False]  # both stood; each of them walked again
        for i, j in np.argwhere(near & ~opposite):
            for one, other in ((i, j), (j, i)):
                if aside[one] <= 0.0:
                    way = place[other] - place[one]
                    left = np.cos(heading[one]) * way[1] - np.sin(heading[one]) * way[0] > 0.0
                    turned[one], aside[one] = -TURN_ASIDE if left else TURN_ASIDE, ASIDE_TIME
        sigma = np.where(wait > 0.0, STOP, GO)
        size = _amplitude(size, sigma)
        goal = np.column_stack([np.where(to_nest, 0.0, LENGTH), np.zeros(count)])
        wanted = np.arctan2(goal[:, 1] - place[:, 1], goal[:, 0] - place[:, 0]) + np.where(aside > 0.0, turned, 0.0)
        outside = np.abs(place[:, 1]) > HALF_WIDTH  # a soft wall: half a right angle back toward the strip
        inward = np.where(to_nest, 1.0, -1.0) * np.sign(place[:, 1]) * np.pi / 4.0
        wanted = np.where(outside, np.where(to_nest, np.pi, 0.0) + inward, wanted)
        heading += STEP * TURN_RATE * size * np.sin(wanted - heading)
        place += STEP * SPEED * (size * np.array([np.cos(heading), np.sin(heading)])).T
        still = size < 0.05
        wrong += int((still & (stood == 0.0) & ~allowed & (now > 1.0)).sum())
        stood = np.where(still, stood + STEP, 0.0)
        longest, farthest = max(longest, float(stood.max())), max(farthest, float(np.abs(place[:, 1]).max()))
        for pair, told in list(open_pairs.items()):
            both = list(pair)
            told[0] = told[0] or bool((size[both] < 0.3).all())
            told[1:] = [was or (told[0] and size[one] > 0.9) for was, one in zip(told[1:], both, strict=True)]
            if all(told) or now > armed_at[pair] + 5.0:
                stopped, resumed = stopped + told[0], resumed + all(told)
                del open_pairs[pair]
        allowed &= ~((size > 0.9) & (wait <= 0.0))
        wait, aside = np.maximum(wait - STEP, 0.0), np.maximum(aside - STEP, 0.0)
        there = np.linalg.norm(goal - place, axis=1) < ARRIVED
        arrivals += int(there.sum())
        to_nest = np.where(there, ~to_nest, to_nest)
    met -= len(open_pairs)  # those that are still under way at the end
    return Encounters(met, stopped, resumed, wrong, farthest, longest, arrivals)


def _amplitude(size: Array, sigma: Array) -> Array:
    """The size of a Hopf oscillator a step later: r' = lambda (sigma - r^2) r, in closed form. [Guo15 eq. 5.1]"""
    q = size * size
    grown = np.exp(2.0 * HOPF_RATE * sigma * STEP)
    next_q = sigma * q * grown / (sigma + q * (grown - 1.0))
    settled: Array = np.sqrt(np.maximum(next_q, 1e-4))  # from exact rest none starts
    return settled
