"""Detail steps down when frames are late, up when there is time, and does not swing to and fro."""

import pytest

from paludarium.systems.render.detail import HICCUP, LATE_FRAMES, LEVELS, MOST_PATIENCE, PATIENCE, DetailGovernor

BUDGET = 1 / 60
LATE, JUST, QUICK = 1.2 * BUDGET, 0.9 * BUDGET, 0.4 * BUDGET


def run(governor, seconds, frames):
    return [governor.update(seconds) for _ in range(frames)]


def test_late_frames_step_down_one_level_at_a_time_to_the_last():
    levels = run(DetailGovernor(BUDGET), LATE, LATE_FRAMES * (len(LEVELS) + 2))
    assert levels == sorted(levels)
    assert levels[LATE_FRAMES - 2] == 0
    assert levels[LATE_FRAMES - 1] == 1
    assert levels[-1] == len(LEVELS) - 1


def test_a_single_hiccup_changes_nothing():
    governor = DetailGovernor(BUDGET)
    for _ in range(50):
        governor.update(10 * BUDGET)
        run(governor, JUST, 2)
    assert governor.level == 0


def test_time_to_spare_steps_up_again_after_patience_and_not_before():
    governor = DetailGovernor(BUDGET, level=2)
    assert run(governor, QUICK, PATIENCE - 1)[-1] == 2
    assert governor.update(QUICK) == 1
    assert run(governor, QUICK, PATIENCE)[-1] == 0
    assert run(governor, QUICK, 10 * PATIENCE)[-1] == 0


def test_a_hiccup_does_not_start_the_wait_for_more_detail_anew():
    governor = DetailGovernor(BUDGET, level=1)
    run(governor, QUICK, PATIENCE - 10)
    governor.update(LATE)
    levels = run(governor, QUICK, 10 + HICCUP)
    assert levels[0] == 1
    assert levels[-1] == 0


@pytest.mark.parametrize("holds", range(len(LEVELS)))
def test_the_best_level_that_holds_the_frame_rate_is_found_and_kept(holds):
    """Levels above are late, this one and those below are punctual with little to spare, wherever it starts."""
    costs = [LATE] * holds + [JUST] * (len(LEVELS) - holds)
    assert set(load(DetailGovernor(BUDGET), 2000, costs)[100:]) == {holds}


def test_frames_of_which_half_are_late_cost_a_level():
    governor = DetailGovernor(BUDGET)
    for _ in range(3 * LATE_FRAMES):
        governor.update(LATE)
        governor.update(JUST)
    assert governor.level > 0


def test_punctual_frames_without_time_to_spare_keep_the_level():
    governor = DetailGovernor(BUDGET, level=1)
    assert set(run(governor, JUST, 20 * PATIENCE)) == {1}


def load(governor, frames, costs):
    """A machine on which each level costs what is given; returns the level of every frame."""
    return [governor.update(costs[governor.level]) for _ in range(frames)]


def test_a_level_that_is_too_much_is_tried_ever_more_rarely():
    """Level 0 is late, level 1 quick: without growing patience it would swing every two seconds for ever."""
    levels = load(DetailGovernor(BUDGET), 40_000, [LATE, QUICK, QUICK, QUICK])
    swings = sum(a != b for a, b in zip(levels, levels[1:], strict=False))
    tries = 2 * 40_000 / MOST_PATIENCE
    assert swings < 1.5 * tries + 20
    assert levels.count(0) < 0.01 * len(levels)


def test_patience_recovers_once_a_better_level_has_lasted():
    governor = DetailGovernor(BUDGET)
    load(governor, 3000, [LATE, QUICK, QUICK, QUICK])
    assert governor.patience > PATIENCE
    run(governor, QUICK, 3 * MOST_PATIENCE)
    assert (governor.level, governor.patience) == (0, PATIENCE)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0])
def test_times_that_are_none_are_ignored(seconds):
    governor = DetailGovernor(BUDGET)
    run(governor, seconds, 100)
    assert (governor.level, governor.late) == (0, 0)
