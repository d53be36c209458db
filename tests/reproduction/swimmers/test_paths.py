"""Checks A17, A19 and A20: the accordion's jet, a turtle that drifts, and an S by blends and by the published switch."""

import numpy as np
import pytest

from paludarium.components.articulated.servo import SwimPool
from paludarium.engine.world import World
from paludarium.lab.articulated.training.bench import Bench, Water
from paludarium.lab.articulated.training.search import SwimTask
from paludarium.tests.articulated.test_swimmers_in_the_world import DEEP
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.swimmers.path_runs import CYCLE, follow, s_path


@pytest.fixture(scope="module")
def library():
    return World(seed=0).species


JET = np.radians(19.64)
"""Of the first joint, all others follow: found within 4 J/kg in two cycles, seed 1, 20 generations."""
SHARE = 0.75
"""Of the shipped stroke of the accordion, fixed before it was measured: wider strokes have thrust in any water."""


def test_a17_accordion(library, record_property):
    """Reported: it advances in the full fluid and stays put in the simple one. 8 cycles: at least 0.5 m against 0.05 m. With
    the stroke that the published objective found, and with three quarters of it. The one that ships was found by way and
    work; it is recorded beside them."""
    species = library["accordion"]
    task, ways = SwimTask.of_species(species, "straight"), {}
    sines = task.variables().sines(np.array([-JET]))
    shipped = []
    for name in ("64x64", "simple"):
        bench = Bench.of_species(species, Water.named(name))
        shipped.append(float(np.hypot(*bench.swim(8 * CYCLE)[-1, :2])))
    record_property("lengths in 8 cycles, full and simple, the stroke that ships", f"{shipped[0]:.2f} and {shipped[1]:.3f}")
    for share in (1.0, SHARE):
        for name in ("64x64", "simple"):
            bench = Bench.of_species(species, Water.named(name))
            bench.teach("straight", share * sines)
            bench.begin()
            track = bench.swim(8 * CYCLE)
            ways[share, name] = float(np.hypot(*track[-1, :2]))
        full, simple = ways[share, "64x64"], ways[share, "simple"]
        record_property(f"lengths in 8 cycles, full and simple, {share:g} of the stroke", f"{full:.2f} and {simple:.3f}")
        assert full > 0.25
        assert simple < 0.2 * full
    holds = full >= 0.5 and simple < 0.05
    why_not = f"{full:.2f} and {simple:.3f} lengths by {SHARE:g} of the stroke, {ways[1.0, '64x64']:.2f} and " \
              f"{ways[1.0, 'simple']:.3f} by all of it"  # fmt: skip
    criterion(record_property, holds=holds, why_not=why_not)


@pytest.mark.parametrize("lines", [3, pytest.param(24, marks=pytest.mark.slow)])
def test_a19_turtle_drift(library, record_property, lines):
    """Reported: a symmetric turtle veers through numerical error. 20 cycles along a line: with the follower the lateral
    error is at most half, and the heading stays within 0.3 rad. Where it veers to depends on every digit of the water, so
    these are means over lines in 24 directions. The follower decides six times within a cycle; the publication and the game
    decide at its start."""
    runs = {rule: [straight_line(library, 0.03 * k, rule) for k in range(lines)] for rule in ("none", "blend")}
    rms = {rule: float(np.mean([error for error, _ in found])) for rule, found in runs.items()}
    turned = {rule: float(np.mean([heading for _, heading in found])) for rule, found in runs.items()}
    record_property(f"{lines} lines: lateral error without, with follower", f"{rms['none']:.3f}, {rms['blend']:.3f} lengths")
    record_property(f"{lines} lines: largest heading, rad", f"{turned['none']:.2f} and {turned['blend']:.2f}")
    assert rms["none"] > 0.01
    assert rms["blend"] < rms["none"] or lines < LINES
    held = rms["blend"] <= 0.5 * rms["none"] and turned["blend"] < 0.3
    why_not = f"error {rms['none']:.2f} and with follower {rms['blend']:.2f} lengths, heading {turned['blend']:.2f} rad"
    if lines == LINES:
        criterion(record_property, holds=held, why_not=why_not)


LINES = 24
DECISIONS = 6
"""Within a cycle."""


def straight_line(library, direction, rule):
    """Lateral error (root mean square, lengths) and largest heading (rad) of 20 cycles along a line."""
    ahead = np.array([np.cos(direction), np.sin(direction), 0.0])
    bench = Bench.of_species(library["sea_turtle"], Water.named("64x64"))
    run = follow(bench, np.array([0.0 * ahead, 100.0 * ahead]), 20, rule, direction, DECISIONS)
    return float(np.sqrt((run.distance**2).mean())), float(np.abs(run.heading - direction).max())


@pytest.mark.parametrize("rule", ["blend", "switch"])
def test_a20_s_path(library, record_property, rule):
    """Reported: an S by three gaits in one run. Mean distance below 0.5 lengths, each gait used, switches only at cycle
    starts. By blends it is to be below 0.02 lengths. Here in the plane, left and right."""
    bench = Bench.of_species(library["eel"], Water.named("64x64"))
    run = follow(bench, s_path(0.9, 6.0, 16.0), 20, rule)
    away = run.distance[3 * CYCLE :]
    record_property(f"{rule}: mean and largest distance, lengths", f"{away.mean():.4f} and {away.max():.3f}")
    assert away.mean() < 0.5
    if rule == "switch":
        assert set(run.steer) == {-1.0, 0.0, 1.0}
    else:
        assert run.steer.min() < -0.1 < 0.1 < run.steer.max()
        assert away.mean() < 0.02


@pytest.mark.parametrize("switches", [True, False])
def test_a20_switches_come_at_the_beginning_of_cycles(record_property, switches):
    """Reported: strokes change at the beginning of a cycle. An eel of a world that switches as published is to swim an S:
    its wish changes in no other tick than the first of a cycle. So it does with one that blends."""
    world = World(seed=3, map=DEEP)
    eel = world.species["eel"].source
    world.define_species("switching eel", **{**eel, "servo": {**eel["servo"], "switches": switches}})
    swimmer = world.spawn("switching eel", at=(-45.0, 0.0), tier="bush")
    swimmer.follow_path([tuple(point[:2]) for point in 8.0 * s_path(0.9, 6.0, 10.0) - (45.0, 0.0, 0.0)])
    pool, row, changes, first = world.pool(SwimPool), swimmer.row, 0, 0
    world.step(60)
    for _ in range(900):
        wish, phase = float(pool.wish_steer[row]), float(pool.phase[row])
        world.step()
        if float(pool.wish_steer[row]) != wish:
            changes += 1
            first += float(pool.phase[row]) < phase or phase == 0.0
    record_property("switch" if switches else "blend", f"{changes} changes, {first} at the beginning of a cycle")
    assert changes >= 4
    assert first == changes
