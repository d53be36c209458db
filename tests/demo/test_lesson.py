"""The swimming lesson: it learns, is the same for a seed, and goes on after a save."""

import pytest

pytest.importorskip("cma")

from paludarium.engine.world import World
from paludarium.game_demo.lesson import BEST_NAME, PLUGIN, PUPILS, lesson_of, start_lesson, start_of


def after(world, tries):
    lesson = lesson_of(world)
    world.step(tries * (lesson.try_ticks + 1))
    return lesson


def test_pupils_learn_and_begin_again():
    world = start_lesson(1)
    heard = []
    world.on("generation", lambda event: heard.append((event.number, event.best)))
    lesson = after(world, 4)
    assert [number for number, _ in heard] == [1, 2, 3, 4]
    assert lesson.best[-1] < lesson.best[0] < 0.5  # nobody has learned to swim from nothing in one try
    assert lesson.best[-1] < -0.1
    for place, pupil in enumerate(lesson._pupils()):
        assert abs(lesson.swimmers.root[pupil.row, 0] - start_of(place)[0]) < 0.2 * pupil.length
    assert lesson._pupils()[PUPILS].name == BEST_NAME


def test_a_saved_lesson_goes_on_as_it_would_have(tmp_path):
    world = start_lesson(2)
    after(world, 2)
    world.save(tmp_path / "lesson.npz")
    again = World.load(tmp_path / "lesson.npz", plugins=[PLUGIN])
    one, other = after(world, 1), after(again, 1)
    assert one.best == other.best
    assert len(one.best) == 3
    assert world.state_hash() == again.state_hash()
