"""Checks A32-A39 of the insect digest: Froude number, triangle test, four factors, crossing, stretching, sideways
walking."""

import numpy as np
import pytest

from paludarium.lab.insect.ant_model import FROUDE_GRAVITY, TRIPODS, AntModel
from paludarium.lab.insect.gait_switching import rule_for, walk_by_rules
from paludarium.lab.insect.switching_kernel import (
    ALL_FACTORS,
    LITERAL,
    USE_EXTREME,
    USE_NEAR,
    all_inside,
    four_factors,
    froude,
)
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.insects.game_ants import SCALE, GameAnts

LEFT, RIGHT = (list(tripod) for tripod in TRIPODS)


def test_a32_froude_numbers(record_property):
    """Reported: 15 mm/s gives 0.01125, slow; 20 mm/s 0.0200, fast; height 2 mm, g 10 m/s^2."""
    found = [float(froude(speed, 2.0, FROUDE_GRAVITY)) for speed in (15.0, 20.0)]
    record_property("numbers", f"{found[0]:.5f} {rule_for(15.0)}, {found[1]:.4f} {rule_for(20.0)}")
    assert found == pytest.approx([0.01125, 0.02])
    assert (rule_for(15.0), rule_for(20.0)) == ("factors", "triangle")


def test_a33_points_in_triangles(record_property):
    """Digest: agrees with barycentric coordinates on 10,000 random points, of both windings."""
    rng = np.random.default_rng(33)
    triangles, points = rng.normal(size=(10_000, 3, 2)), rng.normal(size=(10_000, 2)) * 0.7
    out = np.zeros(10_000, np.bool_)
    all_inside(points, triangles, out)
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    det = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    u = ((points - a)[:, 0] * (c - a)[:, 1] - (points - a)[:, 1] * (c - a)[:, 0]) / det
    v = ((b - a)[:, 0] * (points - a)[:, 1] - (b - a)[:, 1] * (points - a)[:, 0]) / det
    truth = (u >= 0) & (v >= 0) & (u + v <= 1)
    record_property("points inside, disagreements", f"{int(truth.sum())}, {int((truth != out).sum())}")
    record_property("clockwise triangles", int((det < 0).sum()))
    assert (truth == out).all()


def test_a34_fast_gait(record_property):
    """Digest: from Froude 0.02 on the legs of a tripod lift in the same step, period S/v."""
    found = []
    for speed in (20.0, 30.0, 40.0):
        walk = walk_by_rules(speed, used=0)
        for tripod in (LEFT, RIGHT):
            lifts = [walk.lift_steps(leg) for leg in tripod]
            assert np.array_equal(lifts[0], lifts[1])
            assert np.array_equal(lifts[0], lifts[2])
        found.append(float(np.diff(walk.lift_steps(0))[1:].mean() * walk.dt / ((3.0 + 0.1 * speed) / speed)))
    record_property("periods as shares of S/v at 20, 30, 40 mm/s", ", ".join(f"{share:.4f}" for share in found))
    assert found == pytest.approx([1.0, 1.0, 1.0], abs=5e-3)


def test_a35_slow_gait(profile, record_property):
    """Reported: at 15 mm/s legs of a tripod lift at different times, triangles overlap. Digest: three feet or more are
    down."""
    if profile == "published":
        walk, printed = walk_by_rules(15.0, seconds=8.0), walk_by_rules(15.0, seconds=8.0, mode="literal")
        stands, lifts = walk.stands[2000:], walk.lifts
        record_property("lift at fore, middle, hind, share of the cycle", ", ".join(f"{lifts[leg]:.2f}" for leg in LEFT))
        record_property("factors as printed: mean feet down, below three",
                        f"{printed.down.mean():.2f}, {100 * (printed.down < 3).mean():.0f} % of the time")  # fmt: skip
        times = [{int(step) for step in walk.lift_steps(leg)} for leg in LEFT]
    else:
        ants = GameAnts(4)
        ants.drive(15.0)
        steps = ants.run(8.0)
        stands = steps.stands[len(steps.stands) // 3 :, 0]
        times = [set((np.flatnonzero(stands[:-1, leg] & ~stands[1:, leg]) + 1).tolist()) for leg in LEFT]
        assert steps.stands.sum(axis=2).min() >= 3
    down = stands.sum(axis=1)
    overlap = float((stands[:, LEFT].all(axis=1) & stands[:, RIGHT].any(axis=1)).mean())
    record_property("feet down, least and mean", f"{down.min()}, {down.mean():.2f}")
    record_property("share of the time that triangles overlap", round(overlap, 2))
    assert down.min() >= 3
    assert overlap > 0.0
    assert times[0] != times[1]
    assert times[1] != times[2]


def test_a36_crossing_feet(profile, record_property):
    """Reported at 30 mm/s: feet of one side overlap without the neighbour's factor, and do not with it. The distance is
    taken along the walk: feet are 1.7 mm apart sideways, so that the printed distance would never count."""
    if profile == "published":
        off, on = (walk_by_rules(30.0, used=used) for used in (0, USE_NEAR))
        record_property("steps with feet past each other, without and with", f"{off.crossings}, {on.crossings}")
        record_property("fewest feet down without and with", f"{off.down.min()}, {on.down.min()}")
        assert off.crossings > 0
        assert on.crossings == 0
    else:
        ants = GameAnts(4)
        ants.drive(30.0)
        steps = ants.run(4.0)
        stands, tips = steps.stands[60:], steps.tips[60:]
        past, nearest = 0, 1e9
        for side in (0, 3):
            for front in (side, side + 1):
                both = stands[:, :, front] & stands[:, :, front + 1]
                past += int((both & (tips[:, :, front, 0] < tips[:, :, front + 1, 0])).sum())
                gap = np.linalg.norm(tips[:, :, front] - tips[:, :, front + 1], axis=2)
                nearest = min(nearest, float(gap.min()))
        record_property("ticks with feet past each other", f"{past} of {stands.shape[0] * stands.shape[1]}")
        record_property("nearest feet of one side in mm", round(nearest / SCALE, 2))
        assert nearest / SCALE > 0.5
        criterion(
            record_property,
            holds=past == 0,
            why_not="feet pass in the walking direction, side by side; there is no factor "
            "for it because they never come near",
        )


def test_a37_stretched_legs(profile, record_property):
    """Reported: with a load legs are over-stretched without the factor of the extreme position, and not with it. The
    load is not printed: 4.75 g, near the largest, for with 3 g no leg is stretched either way."""
    if profile == "published":
        off, on = (walk_by_rules(15.0, used=used, lowered=1.9) for used in (ALL_FACTORS & ~USE_EXTREME, ALL_FACTORS))
        light = walk_by_rules(15.0, used=ALL_FACTORS & ~USE_EXTREME, lowered=1.2)
        record_property("legs out of reach without and with, 4.75 g at 15 mm/s", f"{off.stretched}, {on.stretched}")
        record_property("without, 3 g", light.stretched)
        assert off.stretched > 0
        assert on.stretched == 0
    else:
        ants = GameAnts(4)
        ants.trunks.load[ants.rows] = 4.75
        ants.drive(15.0)
        steps = ants.run(4.0)
        found = int((steps.stretched[60:].astype(bool) & steps.stands[60:]).sum())
        record_property("standing legs out of reach, load of 4.75 bodies", f"{found} of {steps.stands[60:].sum()}")
        assert found == 0


def test_a38_four_curves(record_property):
    """Reported formulas. Digest: P_e(S/2) 0.918, P_t(pi) 0.982, P_d(0.5 mm) 0.368, P_l(mg/3) 0.520, P_l(0) 1."""
    weight = AntModel().weight
    found = four_factors(0.5, np.pi, 0.5, weight / 3.0, LITERAL)
    free = four_factors(0.0, 0.0, 1e9, 0.0, LITERAL)
    record_property("P_e, P_t, P_d, P_l", ", ".join(f"{value:.3f}" for value in found))
    assert found == pytest.approx([0.918, 0.982, 0.368, 0.520], abs=5e-4)
    assert free == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-12)


@pytest.mark.parametrize("rule", ["timer", "strike", "distance"])
def test_baseline_rules_walk(rule):
    """What the source compares with: a timer, the strike of the next feet, distance of the ankle. [Guo15 7.1]"""
    walk = walk_by_rules(30.0, rule, used=0)
    assert all(len(walk.lift_steps(leg)) > 10 for leg in range(6))
    if rule != "distance":
        assert walk.down.min() >= 3
