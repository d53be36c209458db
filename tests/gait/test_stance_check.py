"""The quick look whether a standing leg reaches its foot agrees with the angles it spares; feet out of sight do not jump."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.leg_states import LegState, Reach
from paludarium.components.legs import LegPool, Link
from paludarium.components.myriapod.gait import Gait
from paludarium.systems.legs.leg_kinematics_kernel import knee_to_tip
from paludarium.systems.legs.segment_frame_kernel import Frame
from paludarium.systems.myriapod.gait.leg_poses_kernel import stance_range
from paludarium.systems.myriapod.gait.stance_check_kernel import gate_of, reach_of, surely_reaches
from paludarium.systems.myriapod.gait.swing_kernel import solve_stance
from paludarium.systems.myriapod.painter.painter import MyriapodPainter
from paludarium.tests.gait.kinematic_walker import KinematicWalker

LEVEL = Frame(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NEAR = 1e-9  # of a border, where rounding may decide


@pytest.mark.parametrize("ankle", [0.0, 0.5, -0.4])
@pytest.mark.parametrize("backward", [False, True])
def test_quick_look_agrees_with_the_solved_leg_everywhere(ankle, backward):
    walker = KinematicWalker(2, seed=1)
    legs, gait = walker.legs, walker.gaits.parameters[0]
    legs.links[0, Link.GAMMA] = ankle
    rng, bend = np.random.default_rng(7), knee_to_tip(legs.links[0])
    reach, gate = reach_of(legs.links[0]), gate_of(gait, backward)
    assert np.diff(stance_range(gait, backward))[0] < np.pi
    seen = set()
    for point in rng.uniform(-1.2, 1.2, (20000, 3)) * legs.links[0, :3].sum():
        legs.tip[0] = point + legs.hip[0]
        square = point @ point
        if min(abs(square - reach[0]), abs(square - reach[1])) < NEAR:
            continue
        for gated in (False, True):
            gait[Gait.THETA_GATE] = gated
            solved = solve_stance(0, legs, gait, LEVEL, bend, 1.0, backward, tuple(legs.tip[0]))[0]
            assert surely_reaches(0, legs, gated, gate, LEVEL, reach, 1.0) == (solved == Reach.SOLVED), (point, solved)
            seen.add(Reach(int(solved)))
    assert {Reach.SOLVED, Reach.TOO_FAR, Reach.SWUNG_OUT} <= seen
    assert (Reach.CONCAVE in seen) == (ankle != 0.0)


def drawn_moves(tier):
    """The moves per tick of a stone centipede's drawn feet: of those that swing, and of those that stand."""
    world = World(seed=3, map=Map.define(name="flat", area={"width_u": 400, "height_u": 400}))
    world.spawn("stone_centipede", tier=tier)
    world.step(240)
    legs, painter = world.pool(LegPool), MyriapodPainter(world)
    swing, stand = [], []
    feet, state = painter.poses()["leg_joints"][:, 3], legs.state[: legs.end].copy()
    for _ in range(240):
        world.step()
        before, state_before = feet, state
        feet, state = painter.poses()["leg_joints"][:, 3], legs.state[: legs.end].copy()
        moved = np.linalg.norm(feet - before, axis=1)
        standing = (state == LegState.STANCE) & (state_before == LegState.STANCE)
        swing.append(moved[~standing])
        stand.append(moved[standing])
    return np.concatenate(swing), np.concatenate(stand)


def test_feet_out_of_sight_move_and_stand_as_those_in_sight():
    """They were moved every other tick by two ticks' worth, and standing ones were drawn dragged along by the body."""
    swing, stand = drawn_moves("full")
    far_swing, far_stand = drawn_moves("follow")
    assert far_swing.max() < 1.2 * swing.max()
    assert far_swing.mean() == pytest.approx(swing.mean(), rel=0.1)
    assert np.percentile(far_stand, 99) < 1e-6
    assert far_stand.max() < 0.01  # a foot that is out of reach until its leg has its turn
