"""Checks A39, A42 and A44 of the insect digest: kinematics of legs, swinging, and sideways swings."""

import numpy as np
import pytest

from paludarium.lab.insect.ant_leg_kernel import FINE, STRETCHED, angles_of, foot_of, jacobian_of
from paludarium.lab.insect.ant_model import AntModel, tables_of
from paludarium.lab.insect.sideways_walk import sideways_swing
from paludarium.lab.insect.swing_net_kernel import (
    EXACT,
    LIFT,
    ONE_PEAK,
    PRINTED,
    REPAIRED,
    TWO_PEAKS,
    swing_trace,
)
from paludarium.tests.reproduction.criteria import criterion

ANT = AntModel()
STEP, SWING = 0.001, 0.125


def swing(leg, form, shape=ONE_PEAK, *, lands=True, lift=LIFT, aside=0.0):
    """A swing of a leg over its quarter strides: trace, goal and goal's angles, in the frame of the hip."""
    side = 1.0 if leg < 3 else -1.0
    around = np.array([*(ANT.template[leg] - ANT.anchors[leg]), -ANT.height])
    start, goal = around + [-1.25, 0.0, 0.0], around + [1.25, aside, 0.0]
    out = np.zeros((round(SWING / STEP) + 1, 6))
    swing_trace(start, goal, side, SWING, STEP, form, shape, lift, lands, tables_of(ANT), leg, out)
    aim = angles_of(*goal, side, ANT.coxa, ANT.femur[leg % 3], ANT.lower[leg % 3])
    return out, goal, np.array(aim[:3])


def test_a39_walking_sideways(record_property):
    """Reported: a known failure, hind legs collide with the abdomen. Digest: found when swings do not end early (F43
    off). The width of the abdomen is not printed: with the trunk's 0.6 mm they touch, with 0.5 mm they would not."""
    plain, early = (sideways_swing(5, 15.0, ends_early=ends) for ends in (False, True))
    middle = sideways_swing(4, 15.0, ends_early=False)
    record_property("right hind leg to abdomen in mm, walking left", f"{plain.nearest:.2f}")
    record_property("with early end: gap in mm, share of the swing", f"{early.nearest:.2f}, {early.share:.2f}")
    record_property("middle leg, without", f"{middle.nearest:.2f}")
    assert plain.nearest < 0.0
    assert early.nearest > 0.0
    assert early.share < 1.0
    assert middle.nearest > 0.0


def test_a42_jacobian_and_inverse(record_property):
    """Digest: the printed Jacobian is the derivative of the foot, angles of a foot give the foot back, both to 1e-6."""
    rng, worst_j, worst_p, worst_q = np.random.default_rng(42), 0.0, 0.0, 0.0
    for coxa in (0.0, ANT.coxa):
        for leg in range(6):
            side, femur, lower = (1.0 if leg < 3 else -1.0), ANT.femur[leg % 3], ANT.lower[leg % 3]
            around = ANT.template[leg] - ANT.anchors[leg]
            rest = np.array(angles_of(*around, -ANT.height, side, coxa, femur, lower)[:3])
            for _ in range(100):
                q = rest + rng.uniform(-0.25, 0.25, 3)
                found, small = np.zeros((3, 3)), 1e-6
                jacobian_of(*q, side, coxa, femur, lower, found)
                true = np.array([(np.array(foot_of(*(q + d), side, coxa, femur, lower))
                                  - foot_of(*(q - d), side, coxa, femur, lower)) / (2 * small)
                                 for d in small * np.eye(3)]).T  # fmt: skip
                worst_j = max(worst_j, float(np.abs(found - true).max() / np.abs(true).max()))
                foot = np.array(foot_of(*q, side, coxa, femur, lower))
                back = angles_of(*foot, side, coxa, femur, lower)
                assert back[3] == FINE
                worst_q = max(worst_q, float(np.abs(np.array(back[:3]) - q).max()))
                again = np.array(foot_of(*back[:3], side, coxa, femur, lower))
                worst_p = max(worst_p, float(np.abs(again - foot).max()))
    record_property("Jacobian off by", f"{worst_j:.1g}")
    record_property("foot to angles to foot off by mm, angles by rad", f"{worst_p:.1g}, {worst_q:.1g}")
    assert max(worst_j, worst_p, worst_q) < 1e-6
    assert angles_of(0.0, -9.0, -2.0, -1.0, 0.3, 1.4, 2.5)[3] == STRETCHED


def test_a44_swings(record_property):
    """Reported: the trace has one peak, landing on the vertex. Digest: within 0.05 mm; as printed the field runs away."""
    peaks, off, plain_off = [], 0.0, []
    for leg in range(6):
        trace, goal, _ = swing(leg, EXACT)
        z = trace[:, 5] + ANT.height
        turns = np.flatnonzero((z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:]))
        peaks.append(len(turns))
        off = max(off, float(np.linalg.norm(trace[-1, 3:] - goal)))
        plain, goal, _ = swing(leg, REPAIRED, lands=False, lift=0.0)
        plain_off.append(float(np.linalg.norm(plain[-1, 3:] - goal)))
    printed, _, aim = swing(1, PRINTED, lands=False, lift=0.0)
    repaired, _, _ = swing(1, REPAIRED, lands=False, lift=0.0)
    record_property("peaks", f"{min(peaks)} to {max(peaks)}")
    record_property("lands off by mm, with blend, and without", f"{off:.1g}, {max(plain_off):.2f}")
    record_property("angles off as printed, negated in rad",
                    f"{np.abs(printed[-1, :3] - aim).max():.1f}, {np.abs(repaired[-1, :3] - aim).max():.2f}")  # fmt: skip
    assert off < 0.05
    assert np.abs(printed[-1, :3] - aim).max() > 2.0
    assert max(peaks) <= 2
    criterion(
        record_property, holds=max(peaks) == 1, why_not="the joint field bends the way of some legs: a second, low top"
    )


def test_two_peaks_of_a_swing():
    """F44: a second lift in late swing, 0.7 as high as the first, with a dip of about half between them."""
    trace, goal, _ = swing(0, EXACT, TWO_PEAKS)
    plain, _, _ = swing(0, EXACT, lift=0.0)
    rise = (trace - plain)[:, 5]
    tops = np.flatnonzero((rise[1:-1] > rise[:-2]) & (rise[1:-1] >= rise[2:])) + 1
    assert len(tops) == 2
    assert tops / len(rise) == pytest.approx([0.3, 0.75], abs=0.03)
    assert rise[tops[1]] / rise[tops[0]] == pytest.approx(0.7, abs=0.05)
    assert rise[tops[0] : tops[1]].min() < 0.5 * rise[tops[0]]
    assert np.linalg.norm(trace[-1, 3:] - goal) < 0.05
