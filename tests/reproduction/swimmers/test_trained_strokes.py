"""Checks A10, A13, A14, A18 and A27 on strokes that were searched for, beside those on strokes set by hand."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest

from paludarium.components.articulated.link_plan import plan_of
from paludarium.components.articulated.manoeuvres import sines_of
from paludarium.engine.world import World
from paludarium.lab.articulated.training.bench import Bench, Water
from paludarium.lab.articulated.training.objective import Weights
from paludarium.lab.articulated.training.search import Search, SwimTask, measure_serially
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.swimmers.bodies import EEL, hand_gait
from paludarium.tests.reproduction.swimmers.test_search import PLANE
from paludarium.tests.reproduction.swimmers.test_wakes import MODERATE

WIDE = np.radians(85.0)
"""Limit of every joint for check A18: with the 45 degrees of the digest both searches end at the limit."""
REPORTED = {"accordion": 1.37, "sea_turtle": 0.34}
"""Seconds per frame in the plane. [Tan11 tab. 1]"""


@pytest.fixture(scope="module")
def library():
    return World(seed=0).species


def stroke_of(species):
    """The straight stroke of a species."""
    spec = next(one for one in species.specs["manoeuvres"] if one.name == "straight")
    return sines_of(spec, plan_of(tuple(species.specs["links"])))


def test_a10_one_bound_by_mass(library, record_property):
    """Published: one bound of energy, tuned on the fish, times the mass of the creature. Digest: 0.5 J/kg in two cycles."""
    bounds = {}
    for key in PLANE:
        said = next(one.found_by for one in library[key].specs["manoeuvres"] if one.name == "straight")
        bound = re.search(r"--bound ([\d.]+)", said)
        bounds[key] = float(bound[1]) if bound else Weights().bound
        if "--objective settled" in said:
            bounds[key] = np.inf  # found by way and work
    record_property("J/kg", bounds)
    assert min(bounds.values()) > 0.0
    why_not = "bodies with limbs find no stroke within the bound of the fish: they have bounds of their own, or pay for work"
    criterion(record_property, holds=len(set(bounds.values())) == 1, why_not=why_not)


@pytest.mark.slow
def test_a10_more_effort_goes_as_far_in_the_window(library, record_property):
    """Doubling the bound never shortens the best distance by more than 5 %; in the fluid, 30 generations each."""
    ways = []
    for bound in (0.5, 1.0):
        search = Search(SwimTask.of_species(library["eel"], "straight", Water.named("64x64"), Weights(bound=bound)), seed=4)
        for _ in range(30):
            search.run(measure_serially)
        ways.append(search.best_score.distance)
        assert search.best_score.work < bound
    record_property("lengths in two cycles", " and ".join(f"{way:.3f}" for way in ways))
    assert ways[1] > 0.95 * ways[0]


def test_a13_the_wave_of_the_trained_eel(library, record_property):
    """Reported: an eel's wave travels from head to tail. Digest: phases fall along the body; reversed they go less than 30 %
    as far in 4 s. Here the stroke that the search found."""
    eel = library["eel"]
    stroke = stroke_of(eel)
    back = stroke.copy()
    back[1] *= -1.0  # the other sense of time
    ways = []
    for sines in (stroke, back):
        bench = Bench.of_species(eel, Water.named("64x64"))
        bench.teach("straight", sines)
        bench.begin()
        ways.append(float(bench.swim(240)[-1, 0]))
    phases = np.arctan2(stroke[1, 1:], stroke[0, 1:])
    falls = (np.diff(phases) + np.pi) % (2.0 * np.pi) - np.pi
    record_property("steps of phase, deg", np.round(np.degrees(falls)).tolist())
    record_property("lengths in 4 s, reversed", f"{ways[0]:.2f}, {ways[1]:.2f}")
    assert ways[0] > 0.8
    holds = bool((falls < 0.0).all()) and ways[1] < 0.3 * ways[0]
    criterion(record_property, holds=holds, why_not="phases do not fall at every joint, or the reversed stroke goes as far")
    assert ways[1] < 0.3 * ways[0]


def test_a14_the_objective_refuses_the_standing_wave(record_property):
    """Digest: a standing wave may go farther and must be refused by the budget: the objective of the search itself prefers
    the travelling one."""
    species = World(seed=0).species["eel"]
    scores = []
    for way in (1.0, 0.0):
        sines = sines_of(hand_gait(way, amplitude=MODERATE), plan_of(EEL))
        task = replace(SwimTask.of_species(species, "straight", Water.named("128x64")), links=EEL)
        scores.append(task.score(sines))
    for name, score in zip(("travelling", "standing"), scores, strict=True):
        record_property(f"{name}: lengths, J/kg, score", f"{score.distance:.2f}, {score.work:.2f}, {score.value:.2f}")
    assert scores[1].distance > scores[0].distance
    assert scores[0].value < 0.0 < scores[1].value


@pytest.mark.slow
def test_a18_the_gait_depends_on_the_fluid_with_wide_limits(library, record_property):
    """Reported: trained in the simple fluid, the fish bends sharply at its middle joint. The share of the middle joint
    differs by at least 25 %. Here joints have room: 85 degrees to either side, 60 generations in each water."""
    fish, shares = library["jointed_clownfish"], {}
    for name in ("64x64", "simple"):
        task = SwimTask.of_species(fish, "straight", Water.named(name))
        task = replace(task, links=tuple(replace(link, limit=WIDE) for link in task.links))
        search = Search(task, seed=1)
        for _ in range(60):
            search.run(measure_serially)
        size = np.hypot(*search.best[:2])[1:]
        shares[name] = size[1] / size.sum()
        record_property(f"{name}: amplitudes, deg, and lengths", f"{np.round(np.degrees(size), 1).tolist()}, "
                                                                 f"{search.best_score.distance:.2f}")  # fmt: skip
        assert search.best_score.distance > 0.1
    apart = abs(shares["simple"] / shares["64x64"] - 1.0)
    record_property("share of the middle joint, full and simple", f"{shares['64x64']:.2f} and {shares['simple']:.2f}")
    criterion(record_property, holds=apart >= 0.25, why_not=f"shares differ by {100 * apart:.0f} %")


@pytest.mark.parametrize("key", REPORTED)
def test_a27_time_of_other_bodies_in_the_plane(library, record_property, key):
    """Reported: 1.37 s per frame for the accordion, 0.34 s for the turtle. Digest: at least 20 times faster."""
    bench = Bench.of_species(library[key], Water.named("64x64"))
    bench.begin()
    bench.swim(30)
    best = np.inf
    for _ in range(3):
        start = time.thread_time()
        bench.swim(30)
        best = min(best, (time.thread_time() - start) / 30.0)
    record_property(f"{key}: ms per step, times faster than published", f"{1e3 * best:.2f}, {REPORTED[key] / best:.0f}")
    assert REPORTED[key] / best > 20.0
