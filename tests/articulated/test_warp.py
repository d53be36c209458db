"""The warp of a stroke: its closed form, rates that are derivatives of angles, and efforts that are glides."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from paludarium.components.articulated.links import LinkSpec
from paludarium.components.articulated.manoeuvres import ManoeuvreSpec, warp_of
from paludarium.components.articulated.servo import ServoSpec
from paludarium.engine.parts import SpecProblem
from paludarium.engine.world import World
from paludarium.lab.articulated.training.bench import ROW, TICK, Bench
from paludarium.systems.articulated.stroke.stroke_kernel import SMOOTHED, beat, moved_on, warp, write_wanted

SHARES = [(0.25, 0.13), (0.22, 0.05), (0.8, 0.1), (0.3, 0.6), (0.5, 0.1)]
PHASES = np.linspace(0.0, 1.0, 4001)
LINKS = (
    LinkSpec(name="trunk", length=0.5),
    LinkSpec(name="left", parent="trunk", at=(-0.4, 0.1), limit=2.0),
    LinkSpec(name="right", parent="trunk", at=(-0.4, -0.1), limit=2.0, mirror="left"),
)


def bench(power: float, glide: float, *, glides: bool = False) -> Bench:
    stroke = ManoeuvreSpec(amplitude=(0.7, 0.7), phase=(0.4, 0.4 + pi), offset=(0.3, -0.3), power_share=power,
                           glide_share=glide)  # fmt: skip
    return Bench(LINKS, ServoSpec(length=1.0, ramp=0.0, glides=glides), (stroke,))


def test_half_the_cycle_and_no_glide_is_the_plain_sine_to_the_last_bit():
    for phase in PHASES:
        assert warp(phase, 0.5, 0.0) == (2.0 * pi * phase, 1.0)


@pytest.mark.parametrize(("power", "glide"), SHARES)
def test_the_warp_is_monotone_and_its_slope_smooth(power, glide):
    angle, slope = np.array([warp(phase, power, glide) for phase in PHASES]).T
    assert angle[0] == 0.0
    assert angle[-1] == pytest.approx(2.0 * pi, abs=1e-12)
    assert np.diff(angle).min() > -1e-12
    assert np.gradient(angle, PHASES)[1:-1] == pytest.approx(2.0 * pi * slope[1:-1], abs=1e-3)
    steepest = 1.5 / (2.0 * SMOOTHED) * (0.5 / power + 0.5 / (1.0 - power - glide))  # steps may overlap
    assert np.abs(np.diff(slope)).max() < 1.01 * steepest * PHASES[1]
    assert slope[0] == pytest.approx(slope[-1], abs=1e-12)


@pytest.mark.parametrize(("power", "glide"), SHARES)
def test_each_half_of_the_sine_has_its_share_of_the_cycle(power, glide):
    """Between the smooth steps the slope is that of the share alone, and the mean slope of the whole cycle is 1."""
    slope = np.array([warp(phase, power, glide)[1] for phase in PHASES])
    inside = (PHASES > SMOOTHED) & (PHASES < power - SMOOTHED)
    assert slope[inside] == pytest.approx(0.5 / power)
    back = (PHASES > power + glide + SMOOTHED) & (PHASES < 1.0 - SMOOTHED)
    assert slope[back] == pytest.approx(0.5 / (1.0 - power - glide))
    still = (PHASES > power + SMOOTHED) & (PHASES < power + glide - SMOOTHED)
    assert slope[still] == pytest.approx(0.0)
    assert np.trapezoid(slope, PHASES) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize(("power", "glide"), [(0.5, 0.0), *SHARES])
def test_the_wanted_rate_is_the_derivative_of_the_wanted_angle(power, glide, way):
    one, h = bench(power, glide), 1e-4
    one.begin(effort=way)
    angles, rates = [], []
    for _ in range(round(1.0 / h)):
        beat(ROW, one.swimmers, one.manoeuvres, h)
        write_wanted(ROW, one.swimmers, one.links, one.manoeuvres)
        angles.append(one.links.wanted[1])
        rates.append(one.links.wanted_rate[1])
    assert np.gradient(angles, h)[1:-1] == pytest.approx(np.array(rates)[1:-1], abs=0.02 * np.abs(rates).max())


def test_a_bench_swims_the_warp_that_it_is_taught():
    one = bench(0.5, 0.0)
    sines = one.sines("straight")
    assert warp_of(sines) == (0.5, 0.0)
    sines[:2, 0] = -0.25, 0.1
    one.teach("straight", sines)
    assert warp_of(sines) == (0.25, 0.1)
    assert (one.manoeuvres.power_share[0], one.manoeuvres.glide_share[0]) == (0.25, 0.1)
    assert one.manoeuvres.sine[0, 0] == one.manoeuvres.cosine[0, 0] == 0.0


@pytest.mark.parametrize("longer", [1.0, 1.5, 3.0])
def test_a_longer_glide_is_a_longer_cycle_and_goes_both_ways(longer):
    for start in (0.1, 0.305, 0.318, 0.9):
        phase = start
        for _ in range(240):
            phase = moved_on(phase, longer / 240, 0.315, longer) % 1.0
        assert phase == pytest.approx(start, abs=1e-9)
        for _ in range(240):
            phase = moved_on(phase, -longer / 240, 0.315, longer) % 1.0
        assert phase == pytest.approx(start, abs=1e-9)


def test_effort_as_a_glide_keeps_the_kick_and_makes_cycles_longer():
    one, seconds = bench(0.25, 0.13, glides=True), []
    for effort in (1.0, 0.5):
        one.begin(effort=effort)
        begun, widest, ticks = [], 0.0, 0
        while len(begun) < 3:
            ticks += 1
            if beat(ROW, one.swimmers, one.manoeuvres, TICK):
                begun.append(ticks)
            write_wanted(ROW, one.swimmers, one.links, one.manoeuvres)
            widest = max(widest, one.links.wanted[1])
        seconds.append((begun[2] - begun[0]) * 0.5 * TICK)
        assert widest == pytest.approx(1.0, abs=0.01)
    assert seconds == pytest.approx([1.0, 2.0], abs=0.02)


def test_saves_from_before_have_the_plain_sine():
    pool = World(seed=0).pool(type(bench(0.5, 0.0).manoeuvres))
    older = {name: pool.columns[name].older for name in ("power_share", "glide_share")}
    assert older == {"power_share": 0.5, "glide_share": None}  # None: a new row's number, which is 0
    assert pool.columns["glide_share"].fill == 0


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"power_share": 0.5, "glide_share": 0.5}, "glide_share"),
        ({"name": "turn_left", "power_share": 0.3}, "power_share"),
        ({"amplitude": (1.9, 1.9)}, "amplitude_deg"),
    ],
)
def test_warps_and_angles_that_cannot_be_are_refused(changes, key):
    good = {"amplitude": (0.7, 0.7), "phase": (0.0, pi), "offset": (0.3, -0.3)}
    straight = ManoeuvreSpec(**good)
    one = ManoeuvreSpec(**{**good, **changes})
    with pytest.raises(SpecProblem) as problem:
        one.check({"links": LINKS, "manoeuvres": (straight, one) if one.name != "straight" else (one,)})
    assert problem.value.key == key


def test_a_range_has_two_sides_and_a_mirrored_link_has_it_mirrored():
    from dataclasses import replace

    links = (LINKS[0], replace(LINKS[1], range=(-1.0, 0.2)), LINKS[2])
    from paludarium.components.articulated.link_plan import plan_of

    plan = plan_of(links)
    assert plan.least.tolist()[1:] == [-1.0, -0.2]
    assert plan.most.tolist()[1:] == [0.2, 1.0]
    inside = ManoeuvreSpec(amplitude=(0.5, 0.5), phase=(0.0, pi), offset=(-0.4, 0.4))
    inside.check({"links": links, "manoeuvres": (inside,)})
    beyond = replace(inside, offset=(-0.2, 0.2))
    with pytest.raises(SpecProblem, match="range_deg"):
        beyond.check({"links": links, "manoeuvres": (beyond,)})
