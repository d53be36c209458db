"""Checks A12, A13 and A20 to A24 of the digest on the strokes that searches found in space."""

from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from paludarium.engine.world import World
from paludarium.lab.articulated.space.space_bodies import load_body
from paludarium.lab.articulated.space.space_path import choose_pitch, follow_by_switching
from paludarium.lab.articulated.space.space_trial import Basin, Swim, judge, tried
from paludarium.lab.articulated.training.course import Course
from paludarium.lab.articulated.training.objective import CYCLES, SETTLED, Weights
from paludarium.lab.articulated.training.search import GENERATIONS, POPULATION_IN_SPACE
from paludarium.lab.jobs.job import measure_on_cores
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.swimmers.path_runs import s_path
from paludarium.tests.reproduction.swimmers.space_swims import (
    NAMES,
    angles_of,
    box_of,
    found,
    places_in_body,
    swum,
    wave,
    wrapped,
)

BOUND = Weights().bound


def species_of(name):
    library = World(seed=0).species
    library.add(load_body(name).file)
    return library[name]


@pytest.mark.parametrize("name", NAMES)
def test_a10_stored_strokes_score_as_when_they_were_found(name, record_property):
    """Asked for: work below the bound of 0.5 J/kg in two cycles, with the distance of the search."""
    body, (generations, _, stored) = load_body(name), found(name)
    settled = "--objective settled" in body.manoeuvres["straight"].found_by
    if settled:  # without a bound: four cycles, the last two by way and work
        score = tried(body, body.sines(), replace(box_of(name), cells=(48, 24, 24)), "straight", SETTLED)
    else:
        score = judge(swum(name), "straight")
    record_property(name, f"{score.distance:.3f} lengths, {score.work:.3f} J/kg, objective {score.value:.3f}, "
                          f"{generations} generations")  # fmt: skip
    # files have hundredths of a degree: over four cycles of the manta that grows to 0.04, over two to less than 0.02
    assert score.value == pytest.approx(stored, abs=0.05 if settled else 0.02)
    assert settled or score.work < BOUND
    assert score.distance > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_a09_budget_in_space(name, record_property):
    """Asked for: at most 100 generations of 31, two cycles a try."""
    course = Course(species_of(name), grid="48x24x24", generations=found(name)[0])
    record_property(name, f"{course.count} tries")
    assert course.population == POPULATION_IN_SPACE == 31
    assert course.count <= GENERATIONS * POPULATION_IN_SPACE
    assert course.task.basin.cycles == CYCLES


def test_a12_the_fish_in_space_bends_most_near_its_tail(record_property):
    """Reported: carangiform. Asked for: last joint >= 1.5 times the first; the head goes less than half of the tail."""
    swim = swum("fish_3d")
    bends = [wave(swim.angles[:, k])[0] for k in (1, 2, 3)]
    tail = places_in_body("fish_3d", swim)[:, 3]
    head, yaw = swim.record[-60:, 1], 2.0 * np.arctan2(swim.record[-60:, 6], swim.record[-60:, 3])
    share = float(np.ptp(head) / np.ptp(head + np.sin(yaw) * tail[:, 0] + np.cos(yaw) * tail[:, 1]))
    ratio = bends[2] / bends[0]
    record_property("amplitudes, deg", np.round(np.degrees(bends), 1).tolist())
    record_property("head over tail", round(share, 2))
    assert ratio > 1.0
    criterion(record_property, holds=ratio >= 1.5 and share < 0.5, why_not="it bends more evenly")


def test_a13_a_wave_runs_down_the_eel_in_space(record_property):
    """Reported: anguilliform. Asked for: phases fall along the body; reversed they give less than 30 % of the distance."""
    eel, swim = load_body("eel_3d"), swum("eel_3d")
    phases = [wave(swim.angles[:, k])[1] for k in range(1, 7)]
    steps = [np.degrees(wrapped(b - a)) for a, b in zip(phases, phases[1:], strict=False)]
    back = eel.sines() * np.array([[1.0], [-1.0], [1.0]])
    reverse = tried(eel, back, box_of("eel_3d")).distance
    forward = judge(swim, "straight").distance
    yaw = 2.0 * np.arctan2(swim.record[:, 6], swim.record[:, 3])
    lags = [wave(yaw + swim.angles[:, : k + 1].sum(axis=1))[1] for k in range(7)]
    record_property("phase steps of joints, deg", np.round(steps).tolist())
    falls = [np.degrees(wrapped(b - a)) for a, b in zip(lags, lags[1:], strict=False)]
    record_property("of links against the water", np.round(falls).tolist())
    record_property("reversed over forward", round(reverse / forward, 3))
    assert sum(step < 0.0 for step in steps) >= 3
    holds = max(steps) < 0.0 and reverse < 0.3 * forward
    why_not = "the second joint is 161 degrees before the first or 199 behind it: steps beyond half a cycle cannot be told"
    criterion(record_property, holds=holds, why_not=why_not)


def test_a20_the_manta_follows_a_vertical_s_by_switching(record_property):
    """Reported: closely, by three strokes. Asked for: mean distance < 0.5 lengths, all used, switched at cycle starts."""
    manta = load_body("manta")
    path = s_path(0.9, 6.0, 16.0, 0.02)[:, [0, 2, 1]]  # the S of the eel, on its side
    strokes = {name: manta.sines(name) for name in ("straight", "pitch_up", "pitch_down")}
    swim = Swim(manta, Basin(cells=(48, 24, 24), lengths=box_of("manta").lengths, tolerance=0.03))
    chosen, gaps = follow_by_switching(swim, path, strokes, S_CYCLES)
    record_property("mean and largest distance, lengths", f"{gaps.mean():.3f}, {gaps.max():.3f}")
    high = np.interp(swim.record[:, 7], path[:, 0], path[:, 2])
    record_property("mean distance in height alone", round(float(np.abs(swim.record[:, 9] - high).mean()), 3))
    record_property("straight, up, down", [chosen.count(name) for name in strokes])
    record_property("lengths along x", round(float(swim.record[-1, 7]), 2))
    assert len(chosen) == S_CYCLES
    assert len(swim.record) == 60 * S_CYCLES
    holds = gaps.mean() < 0.5 and set(chosen) == set(strokes)
    why_not = "at 1.4 lengths a cycle it chooses once per quarter of a wave, and overshoots; at 0.4 it was off by 0.39"
    criterion(record_property, holds=holds, why_not=why_not)


S_CYCLES = 8
"""That the path is followed for: eleven lengths of it."""


def test_a20_manoeuvres_of_the_manta_turn_it_where_they_say(record_property):
    """Reported: straight, pitch up and pitch down. Here also a turn to the left; values are those of a steady cycle."""
    found = load_body("manta").manoeuvres
    record_property("up, down, left, deg/s", np.round(np.degrees([found["pitch_up"].pitch, found["pitch_down"].pitch,
                                                                  found["turn_left"].yaw]), 1).tolist())  # fmt: skip
    assert found["pitch_up"].pitch > 0.0 > found["pitch_down"].pitch
    assert found["turn_left"].yaw > 0.5
    for name, one in found.items():
        steady = np.array(one.cycle).reshape(16, 6).mean(axis=0)
        assert steady[0] == pytest.approx(one.speed, rel=0.35), name
        assert steady[4] == pytest.approx(one.pitch, abs=0.05), name
        assert steady[5] == pytest.approx(one.yaw, abs=0.05), name


def test_a20_the_published_rule(record_property):
    """Digest 2.10: straight where it comes nearer already, a turn where path and direction agree."""
    assert choose_pitch(0.3, -0.4) == choose_pitch(-0.3, 0.4) == "straight"
    assert choose_pitch(0.05, 0.1) == choose_pitch(0.15, 0.0) == "straight"
    assert choose_pitch(0.3, 0.4) == choose_pitch(0.0, 0.4) == choose_pitch(0.25, 0.0) == "pitch_up"
    record_property("path and direction up, apart, down", [choose_pitch(0.3, 0.4), choose_pitch(0.3, -0.4),
                                                           choose_pitch(-0.3, -0.4)])  # fmt: skip
    assert choose_pitch(-0.3, -0.4) == choose_pitch(0.0, -0.4) == choose_pitch(-0.25, 0.0) == "pitch_down"


def test_a21_the_turtle_feathers_its_flippers(record_property):
    """Reported: front flippers turn on the upstroke. Asked for: twist and stroke velocity correlate by more than 0.5."""
    swim = swum("turtle_3d", 3)
    twist, flap = (angles_of("turtle_3d", swim, link)[-60:] for link in ("flipper_left", "flap_left"))
    share = float(np.corrcoef(twist, np.gradient(flap))[0, 1])
    record_property("correlation", round(share, 2))
    record_property("amplitudes of flap and twist, deg", np.round(np.degrees([wave(flap)[0], wave(twist)[0]]), 1).tolist())
    assert np.isfinite(share)
    criterion(record_property, holds=abs(share) > 0.5, why_not="the search found another stroke than feathering")


def test_a22_the_frog_kicks_with_its_hind_legs(record_property):
    """Reported: hind legs give the thrust. Asked for: held forelimbs lose < 15 % of the distance and move less than half."""
    frog = load_body("frog_3d")
    fore = np.array([group == "fore" for group in frog.plan.group])
    held = frog.sines()
    held[:, fore] = 0.0
    whole = judge(swum("frog_3d"), "straight").distance
    without = tried(frog, held, box_of("frog_3d")).distance
    size = np.hypot(*frog.sines()[:2])
    arms, legs = float(size[fore].mean()), float(size[1:][~fore[1:]].mean())
    record_property("distance lost with held forelimbs", round(1.0 - without / whole, 3))
    record_property("mean amplitudes, fore and hind, deg", np.round(np.degrees([arms, legs]), 1).tolist())
    assert whole > 0.0
    holds = without > 0.85 * whole and arms < 0.5 * legs
    why_not = "forelimbs give thrust, or move more than half as much as the hind legs"
    criterion(record_property, holds=holds, why_not=why_not)


def test_a23_the_alien_rows_and_whips(record_property):
    """Reported: two pairs of wings slightly out of phase. Asked for: phase between the pairs not zero and < 90 degrees."""
    swim = swum("alien_3d", 3)
    pairs = [wave(angles_of("alien_3d", swim, link)) for link in ("row_front_left", "row_rear_left")]
    apart = np.degrees(wrapped(pairs[1][1] - pairs[0][1]))
    tail = [wave(angles_of("alien_3d", swim, f"tail_{k}"))[0] for k in range(8)]
    record_property("phase between the pairs, deg", round(apart, 1))
    record_property("amplitudes of the pairs, deg", np.round(np.degrees([pair[0] for pair in pairs]), 1).tolist())
    record_property("amplitudes of the tail, deg", np.round(np.degrees(tail), 1).tolist())
    assert np.isfinite(apart)
    criterion(record_property, holds=1.0 < abs(apart) < 90.0,
              why_not="the pairs beat against each other in the stroke that the search found")  # fmt: skip


def test_a24_the_manta_flaps(record_property):
    """Reported: slow graceful flapping. Asked for: tips go farther than roots and later, and it swims forward."""
    swim = swum("manta", 3)
    plan = load_body("manta").plan
    heights = places_in_body("manta", swim)[:, [plan.names.index(f"wing_{k}_left") for k in (1, 2, 3, 4)], 2]
    waves = [wave(heights[:, k]) for k in range(4)]
    lags = [np.degrees(wrapped(a[1] - b[1])) for a, b in zip(waves, waves[1:], strict=False)]
    forward = float(swim.record[-1, 7] - swim.record[-61, 7])
    record_property("heights of the four rows, lengths", np.round([one[0] for one in waves], 3).tolist())
    record_property("lag from row to row, deg", np.round(lags).tolist())
    record_property("lengths in the third cycle", round(forward, 3))
    assert waves[3][0] > waves[0][0]
    assert forward > 0.1
    criterion(record_property, holds=sum(lags) > 0.0, why_not="the tip leads the root in this stroke")


@pytest.mark.slow
def test_a09_the_fish_of_the_publication_is_found_again(record_property):
    """Asked for: a fish in space within an hour on two cores. The stored stroke comes out of its command again."""
    start = process_time()
    generations, lengths, score = found("fish_3d")
    course = Course(species_of("fish_3d"), grid="48x24x24", generations=generations, lengths=lengths)
    course.run(measure_on_cores)
    seconds = process_time() - start
    record_property("CPU seconds", round(seconds))
    record_property("lengths, J/kg", f"{course.score.distance:.3f}, {course.score.work:.3f}")
    assert f"{course.score.value:.4f}" == f"{score:.4f}"
    assert seconds < 2.0 * 3600.0
