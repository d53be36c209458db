"""What the jointed swimmers of the lagoon and the frog pond do by themselves, and what the game draws of their water."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.links import LinkPool
from paludarium.components.articulated.manoeuvres import MANOEUVRES
from paludarium.components.articulated.servo import SwimPool
from paludarium.systems.articulated.fluid.window_layout import SHIFTS
from paludarium.systems.articulated.fluid.windows import ends_of
from paludarium.systems.articulated.painter.wake_kernel import STEPS
from paludarium.systems.articulated.window_sharing import SwimWindows
from paludarium.systems.render.creatures.primitive_fields import ALPHA, CB, CR, DYE, KIND, LINE
from paludarium.systems.render.creatures.sheet import View, new_sheet

LIVES = [(11, 16.0)] + [pytest.param(seed, 60.0, marks=pytest.mark.slow) for seed in (101, 202, 303)]
"""Seed and seconds."""
STRAIGHT = 0.15
"""Steering below which a stroke counts as straight."""


@dataclass
class One:
    """Of one swimmer, tick by tick."""

    species: str
    angle: list[np.ndarray] = field(default_factory=list)
    off: list[np.ndarray] = field(default_factory=list)  # angle minus what the servo was to have, rad
    steer: list[float] = field(default_factory=list)
    effort: list[float] = field(default_factory=list)
    across: list[tuple[float, float]] = field(default_factory=list)  # of head and tail against the course, lengths
    cells: list[float] = field(default_factory=list)  # box of the body from the middle of its window
    shifts: int = 0
    manoeuvres: set[str] = field(default_factory=set)
    limit: np.ndarray = field(default_factory=lambda: np.zeros(0))
    windowed: bool = False


@lru_cache(maxsize=2)
def life(name: str, seed: int, seconds: float) -> dict[int, One]:
    """Let a world live and write down what its jointed swimmers do."""
    world = World(seed=seed, map=name)
    swim, links = world.pool(SwimPool), world.pool(LinkPool)
    world.step(120)
    mine = [one for one in world.creatures.values() if "servo" in one.rows]
    found = {one.serial: One(one.species.key) for one in mine}
    fluid = world.resource(SwimWindows).fluid.arrays
    for _ in range(round(seconds * 60)):
        world.step()
        for one in mine:
            story, here, row = found[one.serial], one.rows["links"].slice, one.row
            story.angle.append(links.angle[here].copy())
            story.off.append(links.angle[here] - links.wanted[here])
            story.steer.append(float(swim.steer[row]))
            story.effort.append(float(swim.effort[row]))
            story.manoeuvres.add(MANOEUVRES[int(swim.manoeuvre[row])])
            story.limit = links.limit[here]
            place, last = links.place[here], links.length[here][-1]
            side = np.array([-np.sin(swim.heading[row]), np.cos(swim.heading[row])])
            tail = place[-1, :2] - last * np.array([np.cos(place[-1, 2]), np.sin(place[-1, 2])])
            middle = np.average(place[:, :2], axis=0, weights=links.mass[here])
            story.across.append(tuple((end - middle) @ side / swim.length[row] for end in (place[0, :2], tail)))
            w = int(swim.window[row])
            if 0 <= w < len(fluid.members) and fluid.member_count[w] == 1:  # others swim in boxes
                ends = ends_of(swim, links, row)
                half = 0.5 * np.array([fluid.u.shape[2] - 2, fluid.u.shape[1] - 2]) * fluid.cell[w]
                off = 0.5 * (ends.min(axis=0) + ends.max(axis=0)) - fluid.origin[w] - half
                story.cells.append(float(np.abs(off).max() / fluid.cell[w]))
                story.shifts, story.windowed = int(fluid.counts[w, SHIFTS]), True
    return found


def stretches(one: One, ticks: int) -> list[slice]:
    """Pieces of so many ticks in which it swims straight by its full stroke or nearly so."""
    calm = (np.abs(one.steer) < STRAIGHT) & (np.array(one.effort) > 0.5)
    found, k = [], 0
    while k + ticks <= len(calm):
        if calm[k : k + ticks].all():
            found.append(slice(k, k + ticks))
            k += ticks
        else:
            k += 1
    return found


def later(front: np.ndarray, rear: np.ndarray) -> float:
    """Radians of its main frequency by which one angle is behind another."""
    a, b = (np.fft.rfft((x - x.mean()) * np.hanning(len(x))) for x in (front, rear))
    k = 1 + int(np.argmax(np.abs(a[1:]) + np.abs(b[1:])))
    return float(np.angle(a[k] / b[k]))


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_a_wave_runs_down_the_eels_of_the_lagoon(seed, seconds, record_property):
    """While they swim straight each joint bends later than the one ahead of it."""
    lags = []
    for one in life("lagoon", seed, seconds).values():
        angle = np.array(one.angle)
        for piece in stretches(one, 180) if one.species == "eel" else ():
            lags.append([later(angle[piece, k], angle[piece, k + 1]) for k in range(1, len(one.limit) - 1)])
    record_property("stretches, median lags, deg", f"{len(lags)}, {np.round(np.degrees(np.median(lags, axis=0))).tolist()}")
    assert len(lags) >= 2
    assert (np.median(lags, axis=0) > 0.2).all()


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_clownfish_of_the_lagoon_bend_most_near_the_tail(seed, seconds, record_property):
    """While they swim straight the last joint goes 1.5 times as far as the first, and the head half as far as the tail."""
    ratios, shares = [], []
    for one in life("lagoon", seed, seconds).values():
        if one.species == "jointed_clownfish":
            angle, across = np.array(one.angle), np.array(one.across)
            for piece in stretches(one, 120):
                size = angle[piece].std(axis=0)
                ratios.append(size[-1] / size[1])
                shares.append(np.ptp(across[piece, 0]) / np.ptp(across[piece, 1]))
    record_property("stretches, last over first joint, head over tail", f"{len(ratios)}, {np.median(ratios):.2f}, "
                                                                        f"{np.median(shares):.2f}")  # fmt: skip
    assert len(ratios) >= 2
    assert np.median(ratios) > 1.5
    assert np.median(shares) < 0.5


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_windows_of_the_lagoon_go_along(seed, seconds, record_property):
    """The box of a body that has a window of its own stays within ten cells of its middle, and the window moves by whole
    cells again and again."""
    own = [one for one in life("lagoon", seed, seconds).values() if one.windowed]
    record_property("swimmers, farthest off in cells, shifts", f"{len(own)}, {max(max(one.cells) for one in own):.1f}, "
                                                               f"{[one.shifts for one in own]}")  # fmt: skip
    assert len(own) >= 3
    assert max(max(one.cells) for one in own) < 10.0
    assert max(one.shifts for one in own) > 5


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
@pytest.mark.parametrize("name", ["lagoon", pytest.param("frog_pond", marks=pytest.mark.slow)])
def test_servos_hold_joints_within_their_limits_near_what_they_are_told(name, seed, seconds, record_property):
    """No joint goes beyond its limit, and half of all errors are below three degrees: strokes, turns and blends between."""
    errors = []
    for one in life(name, seed, seconds).values():
        if one.windowed:
            angle = np.array(one.angle)[:, 1:]
            assert (np.abs(angle) < one.limit[1:] + 0.1).all(), one.species
            errors.append(np.median(np.abs(np.array(one.off)[:, 1:])))
    record_property(f"{name}: medians, deg", np.round(np.degrees(errors), 2).tolist())
    assert errors
    assert max(errors) < np.radians(3.0)


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_swimmers_of_the_lagoon_choose_among_their_manoeuvres(seed, seconds):
    """Straight strokes and turns to both sides, by the blends of the follower."""
    seen = set().union(*(one.manoeuvres for one in life("lagoon", seed, seconds).values()))
    assert {"straight", "turn_left", "turn_right"} <= seen


def test_a_wake_of_the_lagoon_is_drawn_by_fifteen_places_warm_and_cool():
    """What the game draws: traces of the last 15 frames of a film, warm where the water turns counter-clockwise and cool
    where clockwise, as the water itself does, and denser where it whirls more."""
    world = World(seed=2, map="lagoon")
    for creature in list(world.creatures.values()):
        if creature.species.key != "eel":
            creature.despawn()
    wakes = world.picture.painters["articulated"].wakes
    for _ in range(240):
        world.step()
        group = wakes.group()
    own = group.wakes
    assert own.places.shape[2] == STEPS == 15
    fluid = world.resource(SwimWindows).fluid.arrays
    middle = own.origin[0] + 0.5 * own.cell[0] * np.array([own.u.shape[2] - 2, own.u.shape[1] - 2])
    view = View(float(middle[0]), float(middle[1]), 30.0, 900.0, 900.0, 30.0, 0.0, False, -90.0, -65.0, 1.0,
                np.full((4, 4), -8.0), np.zeros((0, 5)), -8.0, 6.0)  # fmt: skip
    spin = (np.diff(own.v[0], axis=1)[:-1] - np.diff(own.u[0], axis=0)[:, :-1]) / own.cell[0]
    strong = np.abs(own.dye[0]) > 0.5
    assert strong.sum() > 30
    assert (np.sign(spin[strong]) == np.sign(own.dye[0][strong])).mean() > 0.8
    sheet = new_sheet(8192)
    rows = sheet.prims[: group.put(sheet, 0, view)]
    assert (rows[:, KIND] == DYE).any()
    lines = rows[rows[:, KIND] == LINE]
    assert len(lines) > 20
    warm, cool = lines[lines[:, CR] > lines[:, CB]], lines[lines[:, CR] < lines[:, CB]]
    assert len(warm) > 5
    assert len(cool) > 5
    assert lines[:, ALPHA].max() > 2.0 * np.median(lines[:, ALPHA])
    assert fluid.u.shape[0] >= len(own.origin)
