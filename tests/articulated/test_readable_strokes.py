"""Strokes that one can read from above: what the joints of shipped animals do in their scenes. [stroke 3]

A frog gathers its legs, kicks and glides, its arms laid back; a turtle rows both flippers alike and rests between strokes.
"""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.link_plan import plan_of
from paludarium.components.articulated.manoeuvres import ManoeuvrePool
from paludarium.components.articulated.servo import SwimPool

STILL = 0.15
"""Of the fastest rate of a joint: below that it stands. [stroke 3]"""
SETTLING = 3
"""Cycles before one is looked at."""
SCENE = {"frog": ("frog_pond", (-13.0, 3.0)), "sea_turtle": ("lagoon", (8.0, 20.0))}
"""Where there is deep water."""


def cycle_of(key: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[str, int], float]:
    """Angles and rates of joints, places of links in the axes of the root, over a cycle straight on in its scene; numbers of
    links by their names, and the body length."""
    scene, place = SCENE[key]
    world = World(seed=11, map=scene)
    for other in list(world.creatures.values()):
        if "servo" in other.rows:
            world.despawn(other)
    animal = world.spawn(key, at=place, tier="full")
    animal.manoeuvre = "straight"
    pool, row = world.pool(SwimPool), animal.row
    ticks = round(60.0 * float(world.pool(ManoeuvrePool).period[pool.first_manoeuvre[row]]) / float(pool.pace[row]))
    world.step(SETTLING * ticks)
    angles, rates, places = [], [], []
    for _ in range(ticks):
        world.step(1)
        links = animal.links
        here = links.pool.place[links.rows.slice]
        angles.append(links.angle.copy())
        rates.append(links.rate.copy())
        axes = np.column_stack([np.cos(here[:, 2]), np.sin(here[:, 2])])
        ends = here[:, :2] - links.pool.length[links.rows.slice][:, None] * axes
        off, c, s = ends - here[0, :2], np.cos(here[0, 2]), np.sin(here[0, 2])
        places.append(np.column_stack([c * off[:, 0] + s * off[:, 1], c * off[:, 1] - s * off[:, 0]]))
    assert float(pool.wet[row]) == 1.0
    names = {name: k for k, name in enumerate(plan_of(tuple(animal.species.specs["links"])).names)}
    return np.array(angles), np.array(rates), np.array(places), names, float(pool.length[row])


def still(rates: np.ndarray) -> float:
    """Share of a cycle in which all joints stand that ever move."""
    fastest = np.abs(rates).max(axis=0)
    moving = fastest > 0.1 * fastest.max()
    return float((np.abs(rates[:, moving]) < STILL * fastest[moving]).all(axis=1).mean())


def swing(angles: np.ndarray) -> float:
    return float(np.ptp(angles, axis=0).max())


def test_a_frog_gathers_kicks_and_glides_with_its_arms_laid_back(record_property):
    angles, rates, places, names, length = cycle_of("frog")
    hip = (-0.42 * length, 0.08 * length)
    reach = np.hypot(*(places[:, names["left_foot"]] - hip).T)
    arms = swing(angles[:, [names[f"{side}_{part}"] for side in ("left", "right") for part in ("arm", "hand")]])
    legs = swing(angles[:, [names[f"{side}_{part}"] for side in ("left", "right") for part in ("thigh", "shank", "foot")]])
    found = {"reach, shortest over longest": reach.min() / reach.max(), "arms over legs": arms / legs, "still": still(rates)}
    for what, value in found.items():
        record_property(what, round(float(value), 3))
    assert reach.min() / reach.max() < 0.82, found
    assert arms < 0.2 * legs, found
    assert still(rates) >= 0.2, found


def test_a_turtle_rows_both_flippers_alike_and_wide(record_property):
    angles, rates, places, names, length = cycle_of("sea_turtle")
    left, right = (places[:, names[f"{side}_blade"]] / length for side in ("left", "right"))
    sweeps = np.ptp(left[:, 0]), np.ptp(right[:, 0])
    found = {"sweep of the tips, lengths": sweeps, "still": still(rates)}
    record_property("sweep of the tips, lengths", f"{sweeps[0]:.3f} left, {sweeps[1]:.3f} right")
    record_property("still", round(still(rates), 3))
    assert min(sweeps) > 0.4, found
    assert sweeps[0] == pytest.approx(sweeps[1], rel=0.05), found
    assert np.abs(left * (1.0, -1.0) - right).max() < 0.05 * max(sweeps), found
