"""Checks A21-A23, A29, A31 and A40 of the insect digest: pushes, tuned oscillators, forces of feet, wind."""

import json
from pathlib import Path

import numpy as np
import pytest

from paludarium.lab.insect.ant_model import AntModel
from paludarium.lab.insect.ant_path import AntPath
from paludarium.lab.insect.gait_tuning import GaitProblem, scan_weights, tune
from paludarium.lab.insect.hill_kernel import length_factor, muscle_force, pair_torque, speed_factor
from paludarium.lab.insect.stride_control import StrideProblem
from paludarium.lab.insect.triangle_placement import AntInputs
from paludarium.lab.insect.walker import Push, walk_on_oscillators, walk_path
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.insects.game_ants import GameAnts, fallen
from paludarium.tests.reproduction.insects.pushes import limit
from paludarium.tests.reproduction.insects.test_triangles import hills

UNIT = {"published": "mN", "steady": "weights"}
TUNED = Path(__file__).with_name("tuned_gait.json")


def test_a21_pushes_from_all_sides(profile, record_property):
    """Reported (20 mm/s, from T/4 to 3T/4): from the front (180 degrees) 9.38 mN are borne, the most; from the side (90)
    3.56, the least. Asserted: 180 above 90."""
    found = {degrees: limit(profile, degrees, 0.25, 20.0) for degrees in (0, 90, 180, 270)}
    record_property(f"{UNIT[profile]} at 0, 90, 180, 270 degrees", ", ".join(f"{force:.1f}" for force in found.values()))
    assert found[180] > found[90]
    why = (
        "180 is best and above 90, but 0 is least; all limits are above the reported ones, up to ten times"
        if profile == "published"
        else "180 is above 90, but 270 is best: the left tripod stands when the push begins"
    )
    criterion(record_property, holds=min(found, key=found.get) == 90 and max(found, key=found.get) == 180, why_not=why)


def test_a22_pushes_at_all_times(profile, record_property):
    """Reported (180 degrees, 20 mm/s): 6.18 mN from T/4 or 3T/4 on, 2.05 mN from 0, T/2 or T on. Asserted: the middle of a
    triangle bears more than the change to the next."""
    found = {start: limit(profile, 180.0, start, 20.0) for start in (0.0, 0.25, 0.5, 0.75)}
    record_property(f"{UNIT[profile]} from 0, T/4, T/2, 3T/4 on", ", ".join(f"{force:.1f}" for force in found.values()))
    middle, change = min(found[0.25], found[0.75]), max(found[0.0], found[0.5])
    if profile == "published":
        assert middle > change
    assert middle >= 0.7 * change
    criterion(record_property, holds=middle > change, why_not="when a push begins makes little difference, and not in "
                                                              "this order; why was not looked into")  # fmt: skip


def test_a23_pushes_at_all_speeds(profile, record_property):
    """Reported (90 degrees): 12.46 mN standing, 2.55 mN at 40 mm/s. Asserted: less with more speed."""
    found = [limit(profile, 90.0, 0.25, speed) for speed in (0.0, 20.0, 40.0)]
    record_property(f"{UNIT[profile]} at 0, 20, 40 mm/s", ", ".join(f"{force:.1f}" for force in found))
    assert found[0] > found[1]
    assert found[0] > found[2]
    criterion(record_property, holds=found[0] > found[1] > found[2], why_not="standing bears most, but 20 mm/s least; at 40 "
                                                                            "half a cycle is shorter, 0.09 s")  # fmt: skip


def test_a29_tuned_against_hand_made(record_property):
    """Reported: with the first parameters a short way forward, then backward, and the body touches the ground; tuned
    ones give steady progress. The printed objectives are least for an ant that stands: half of the wanted way is asked
    for here, and the tuned walk does just that."""
    stored = json.loads(TUNED.read_text(encoding="utf-8"))
    problem = GaitProblem(utopia=tuple(stored["utopia"]), nadir=tuple(stored["nadir"]))
    numbers = np.array(stored["numbers"])
    first, _ = problem.walk(problem.hand_made, 40)
    tuned, _ = problem.walk(numbers, 40)
    steps = np.diff(tuned.trace[::125, 0])
    record_property("by hand: fell in stride, speed then in mm/s, height", f"{first.strides + 1}, {first.end[4]:.0f}, "
                                                                           f"{first.end[2]:.2f}")  # fmt: skip
    record_property("tuned: mm per stride, sideways over 40", f"{steps.min():.2f} to {steps.max():.2f}, {tuned.end[1]:.2f}")
    record_property("objective of the committed result", f"{problem.objective(numbers):.4f}")
    assert problem.objective(numbers) == pytest.approx(stored["objective"], abs=1e-6)
    assert first.fell
    assert first.end[4] < 0.0
    assert not tuned.fell
    assert steps.min() > 0.5
    short = tune(problem, problem.hand_made, 600, seed=1, step=0.2)
    assert short.history[-1] < short.history[20]
    assert short.objective < problem.objective(problem.hand_made)


def test_weights_are_scanned_on_a_simplex(record_property):
    """F22: the sample with the smallest optimum is kept. [Guo15 5.3.3]"""
    problem = GaitProblem(strides=4, utopia=(0.0, 0.0, 0.0), nadir=(0.5, 1.0, 10.0))
    found = scan_weights(problem, problem.closed_form, 60, samples=3)
    assert len(found) == 6
    assert all(sum(weights) == pytest.approx(1.0) for weights, _ in found)
    assert found[0][1] == min(value for _, value in found)


def test_a31_forces_of_feet(record_property):
    """Reported (middle left leg, uneven ground): zero at touchdown, one bell in the middle of the stance, zero at
    lift-off, zero in swing."""
    ground, _ = hills(10.0)
    walk = walk_path(AntPath.line(40.0, (-60.0, -20.0)), AntInputs(speed=15.0), ground=ground, traced=True)
    assert not walk.fell
    steps, weight = 125, AntModel().weight
    bells, ends = [], []
    for k in range(5, walk.strides - 1, 2):  # stances of R1 L2 R3: the second foot is L2
        force = walk.trace[k * steps : (k + 1) * steps, 13] / weight
        smooth = np.convolve(force, np.ones(25) / 25, "valid")
        bells.append(int(((smooth[1:-1] > smooth[:-2]) & (smooth[1:-1] >= smooth[2:])).sum()))
        ends.append((abs(force[0]), abs(force[-1]), force.max()))
    start, end, top = np.mean(ends, axis=0)
    stands = walk.feet[:, 1, 3]
    record_property("vertical force at touchdown, lift-off, most, in weights", f"{start:.2f}, {end:.2f}, {top:.2f}")
    record_property("maxima per stance", f"{min(bells)} to {max(bells)}")
    record_property("in swing", "none by construction: swinging legs are kinematic")
    assert set(np.unique(stands)) == {0.0, 1.0}
    assert 0.2 < top < 3.0
    criterion(
        record_property,
        holds=max(bells) == 1 and start < 0.05,
        why_not="three feet carry the whole weight from touchdown "
        "on, for the other three have left: a foot's force does not begin at zero",
    )


def apart(steps, shares):
    """Mean distance of the middle feet while both stand, over the last part of a walk."""
    late = slice(len(steps.stands) * shares // (shares + 1), None)
    both = steps.stands[late, :, 1] & steps.stands[late, :, 4]
    return float(np.abs(steps.tips[late, :, 1, 1] - steps.tips[late, :, 4, 1])[both].mean())


def test_a40_wind(profile, record_property):
    """Reported: 0.01 N (1.02 weights) from the side for 20 strides without a fall, larger triangles; oscillators alone
    fail."""
    if profile == "published":
        calm = walk_path(AntPath.line(100.0), AntInputs(speed=15.0))
        windy = walk_path(AntPath.line(100.0), AntInputs(speed=15.0, force=(0.0, 1.0e4)))
        rigid = walk_path(AntPath.line(100.0), AntInputs(speed=15.0, force=(0.0, 1.0e4)), adapts=False)
        storm = [walk_path(AntPath.line(100.0), AntInputs(speed=15.0, force=(0.0, 2.0e4)), adapts=adapts).fell
                 for adapts in (True, False)]  # fmt: skip
        way = (1.875, 0.0, 0.0)
        alone, _ = walk_on_oscillators(StrideProblem(way).shoot(), 40, way, push=Push((0.0, 1.0e4, 0.0), 0.0, 1e9))
        drift = float(alone.end[1] / max(alone.strides, 1))
        record_property("strides in 0.01 N", f"{windy.strides / 2:.0f}")
        record_property("area ratio", round(float(windy.triangles.areas[4] / calm.triangles.areas[4]), 2))
        record_property(
            "off by mm with and without adapted triangles", f"{windy.misses.mean():.2f}, {rigid.misses.mean():.2f}"
        )
        record_property("falls in 0.02 N with and without", storm)
        record_property("oscillators alone in 0.01 N: stances, drift in mm each", f"{alone.strides}, {drift:.2f}")
        assert not windy.fell
        assert windy.strides >= 40
        assert windy.triangles.areas[4] > 1.5 * calm.triangles.areas[4]
        assert storm == [False, True]
        criterion(
            record_property,
            holds=alone.fell or abs(drift) > 0.5,
            why_not="oscillators alone are carried sideways, but do not fall",
        )
    else:
        ants = GameAnts(9)
        ants.drive(15.0)
        calm = apart(ants.run(3.0), 1)

        def blow(tick):
            ants.trunks.force[ants.rows] = (0.0, min(tick / 120.0, 1.0) * 1.02, 0.0)

        steps = ants.run(20 * 4.5 / 15.0, blow)
        wide = apart(steps, 2)
        way = np.linalg.norm(steps.position[-1] - steps.position[0], axis=1)
        record_property("falls in 20 strides of 1.02 weights", int(fallen(steps).sum()))
        record_property("middle feet apart, windy against calm", round(float(wide / calm), 2))
        record_property("way in strides", round(float(way.mean() / (4.5 * 0.3)), 1))
        assert not fallen(steps).any()
        assert wide > calm
        assert way.min() > 15 * 4.5 * 0.3


def test_slopes_pull_the_trunk_back():
    """F20: gravity in two parts on a gradient. [Guo15 eq. 5.28]"""
    way = (1.875, 0.0, 0.0)
    level = StrideProblem(way).shoot()
    ends = [StrideProblem(way, slope=np.radians(angle)).judge(level).end[0] for angle in (-10.0, 0.0, 10.0)]
    assert ends[0] > ends[1] > ends[2]
    assert StrideProblem(way, slope=np.radians(10.0)).judge(StrideProblem(way, slope=np.radians(10.0)).shoot()).miss < 0.01


def test_muscles_carry_the_trunk_as_springs_do():
    """F45: pairs of muscles that only pull, in place of spring and damper. [Guo15 3.3]"""
    assert length_factor(1.0) == 1.0
    assert length_factor(0.6) < 0.5
    assert [speed_factor(v) for v in (0.0, 1.0)] == [1.0, 0.0]
    assert 1.0 < speed_factor(-0.5) < 1.5
    pulls = [
        muscle_force(a, length, speed)
        for a in (-1.0, 0.0, 0.5, 2.0)
        for length in (0.5, 1.0, 1.5)
        for speed in (-2.0, 0.0, 2.0)
    ]
    assert min(pulls) >= 0.0
    assert pair_torque(1e4, 0.0, 0.0) == pytest.approx(1e4, rel=1e-6)
    problem = StrideProblem((1.875, 0.0, 0.0), actuator="muscles")
    assert problem.judge(problem.shoot(6)).miss < 0.05


def test_torques_as_printed_do_not_carry_it():
    """tau = kp (q_next - q) + kd q' has a gain proportional to the step: with gains that are stable the trunk hardly
    moves."""
    problem = StrideProblem((1.875, 0.0, 0.0), actuator="literal")
    outcome = problem.judge(problem.shoot())
    assert outcome.fell or outcome.miss > 1.0
