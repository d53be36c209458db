"""Swims of the stored strokes in space, measured once for all checks of a run."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from paludarium.lab.articulated.space.space_bodies import load_body
from paludarium.lab.articulated.space.space_trial import Basin, Swim
from paludarium.systems.articulated.space.space_body import new_state
from paludarium.systems.articulated.space.space_body_kernel import place_links

if TYPE_CHECKING:
    from paludarium.engine.pool import Array

NAMES = ("fish_3d", "eel_3d", "manta", "turtle_3d", "frog_3d", "alien_3d")
FOUND_BY = re.compile(r"paludarium train --species \w+ --manoeuvre \w+ .*--generations (\d+).* --box ([\d.]+): (-[\d.]+)")
"""What a stored stroke says of itself: the command with generations and box, and the score."""


def found(name: str, manoeuvre: str = "straight") -> tuple[int, float, float]:
    """Generations, body lengths of the box and score of the search that a stored stroke comes from."""
    said = FOUND_BY.match(load_body(name).manoeuvres[manoeuvre].found_by)
    assert said, f"{name}, {manoeuvre}: not found by the command"
    return int(said[1]), float(said[2]), float(said[3])


def box_of(name: str) -> Basin:
    """The box that a body was trained in, 64 x 32 x 32 cells."""
    return Basin(lengths=found(name)[1])


@lru_cache(maxsize=8)
def swum(name: str, cycles: int = 2) -> Swim:
    """A stored body after so many cycles of its straight stroke, 64 x 32 x 32 cells."""
    body = load_body(name)
    swim = Swim(body, box_of(name))
    assert swim.cycles(cycles, body.sines()), f"{name}: the water failed, {swim.ended}"
    return swim


def wave(values: Array) -> tuple[float, float]:
    """Amplitude and phase (rad) of A sin(2 pi t + phase) in the last cycle of a record of 60 steps per cycle."""
    t = 2.0 * np.pi * np.arange(1, 61) / 60.0
    a, b = 2.0 * np.mean(values[-60:] * np.sin(t)), 2.0 * np.mean(values[-60:] * np.cos(t))
    return float(np.hypot(a, b)), float(np.arctan2(b, a))


def angles_of(name: str, swim: Swim, link: str) -> Array:
    """(steps,) of a hinge, rad."""
    column: Array = swim.angles[:, load_body(name).plan.names.index(link)]
    return column


def places_in_body(name: str, swim: Swim, steps: int = 60) -> Array:
    """(steps, links, 3) centres of all links in the axes of the root, over the last steps."""
    state: Any = new_state(swim.body)
    found = np.zeros((steps, load_body(name).plan.count, 3))
    for row, angles in zip(found, swim.angles[-steps:], strict=True):
        state.angle[:] = angles
        place_links(swim.body, state)
        row[:] = state.middles
    return found


def wrapped(angle: float) -> float:
    """Between -pi and pi."""
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)
