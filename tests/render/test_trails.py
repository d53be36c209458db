"""Footprints appear where feet come down and fade; fireflies depend on time and place alone."""

import numpy as np

from paludarium.systems.render.scene.trails import MOST_PRINTS, PRINT_SECONDS, WANDER, Footprints, fireflies

TIPS = np.array([[1.0, 2.0, 0.0], [3.0, 4.0, 0.0], [5.0, 6.0, 0.0]])
HEADINGS = np.array([0.1, 0.2, 0.3])


def stand(*legs):
    return np.isin(np.arange(3), legs)


def test_only_feet_that_have_just_come_down_leave_a_print():
    prints = Footprints()
    prints.see(0.0, 1, stand(0), TIPS, HEADINGS)
    prints.see(0.1, 1, stand(0, 2), TIPS, HEADINGS)
    prints.see(0.2, 1, stand(0, 2), TIPS, HEADINGS)
    np.testing.assert_allclose(prints.rows(0.1), [[5.0, 6.0, 0.3, 1.0]])


def test_a_foot_in_an_old_print_treads_it_anew_and_does_not_add_a_second_one():
    prints, tips = Footprints(), np.array([[1.0, 2.0, 0.0], [1.05, 2.05, 0.0], [4.0, 2.0, 0.0]])
    down = np.ones(3, dtype=bool)
    prints.see(0.0, 1, ~down, tips, np.zeros(3))
    prints.see(1.0, 1, down & [True, False, True], tips, np.zeros(3))
    prints.see(5.0, 1, down, tips, np.zeros(3))
    rows = prints.rows(5.0)
    assert len(rows) == 2
    assert rows[np.argmin(rows[:, 0]), 3] == 1.0


def test_prints_fade_and_vanish():
    prints = Footprints()
    prints.see(0.0, 1, stand(), TIPS, HEADINGS)
    prints.see(0.0, 1, stand(1), TIPS, HEADINGS)
    strengths = [prints.rows(t)[:, 3] for t in (0.0, 0.5 * PRINT_SECONDS, 1.01 * PRINT_SECONDS)]
    np.testing.assert_allclose(strengths[0], [1.0])
    np.testing.assert_allclose(strengths[1], [0.5])
    assert strengths[2].size == 0


def test_rows_that_mean_other_legs_leave_no_prints():
    prints = Footprints()
    prints.see(0.0, 1, stand(), TIPS, HEADINGS)
    prints.see(0.1, 2, stand(0, 1, 2), TIPS, HEADINGS)
    assert prints.rows(0.1).size == 0


def test_the_oldest_prints_make_room():
    prints, standing = Footprints(), np.ones(MOST_PRINTS, dtype=bool)
    tips, headings = np.zeros((MOST_PRINTS, 3)), np.zeros(MOST_PRINTS)
    for step in range(3):
        tips[:, 0], tips[:, 1] = np.arange(MOST_PRINTS), step
        prints.see(step, 1, ~standing, tips, headings)
        prints.see(step, 1, standing, tips, headings)
    rows = prints.rows(2.0)
    assert len(rows) == MOST_PRINTS
    assert (rows[:, 1] == 2.0).all()


def test_fireflies_fly_the_same_way_for_every_view():
    large, small = fireflies((-60.0, -60.0, 60.0, 60.0), 3.0), fireflies((-10.0, -10.0, 10.0, 10.0), 3.0)
    assert 0 < len(small) < len(large)
    known = {tuple(row) for row in large.round(9)}
    assert all(tuple(row) in known for row in small.round(9))
    later = fireflies((-60.0, -60.0, 60.0, 60.0), 3.1)
    assert len(later) == len(large)
    assert 0.0 < np.hypot(*(later - large)[:, :2].T).max() < WANDER
    assert (large[:, 3] >= 0.0).all()
    assert (large[:, 3] <= 1.0).all()


def test_there_are_no_fireflies_in_a_view_from_far_above():
    assert fireflies((-500.0, -500.0, 500.0, 500.0), 0.0).shape == (0, 4)
