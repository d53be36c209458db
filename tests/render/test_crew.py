"""Painting on several threads: every piece is done once, by whoever comes, and nobody is waited for who does not."""

from __future__ import annotations

import threading

import numba
import numpy as np
import pygame
import pytest

from paludarium import Camera, World
from paludarium.engine.kernel import kernel
from paludarium.engine.work_counter import take_next
from paludarium.systems.render.output.pygame_surface import canvas
from paludarium.systems.render.render_threads import Crew, alone, share

THREADS = sorted({1, min(2, numba.config.NUMBA_NUM_THREADS)})
SIZE = (320, 200)


@pytest.fixture(params=THREADS)
def threads(request):
    before = numba.get_num_threads()
    numba.set_num_threads(request.param)
    yield request.param
    numba.set_num_threads(before)


@kernel()
def count_pieces(done, by, seat, taken):
    """Update done (pieces) and by (seats) with one more for every piece that was taken."""
    piece = take_next(taken)
    while piece < done.size:
        done[piece] += 1
        by[seat] += 1
        piece = take_next(taken)


@pytest.mark.parametrize("pieces", [0, 1, 7, 200_000])
def test_every_piece_is_done_once_whoever_takes_it(threads, pieces):
    alone(count_pieces, np.zeros(1, np.int64), np.zeros(1, np.int64))  # compiled before it is shared
    for _ in range(20):
        done, by = np.zeros(pieces, np.int64), np.zeros(threads, np.int64)
        share(count_pieces, done, by)
        assert (done == 1).all()
        assert by.sum() == pieces


def test_others_join_a_job_and_its_owner_waits_for_them():
    together = threading.Barrier(3, timeout=20.0)  # passes only when three seats are taken at the same time
    seats = []

    def work(seat):
        together.wait()
        seats.append(seat)

    Crew().share(work, seats=3)
    assert sorted(seats) == [0, 1, 2]


@pytest.mark.parametrize("guilty", [0, 1])
def test_what_goes_wrong_on_any_thread_is_raised_where_the_job_was_shared(guilty):
    together = threading.Barrier(2, timeout=20.0)

    def work(seat):
        together.wait()
        if seat == guilty:
            raise ZeroDivisionError("on purpose")

    crew = Crew()
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        crew.share(work, seats=2)
    crew.share(lambda _seat: None, seats=2)  # and the crew goes on


def test_a_task_runs_beside_its_owner_who_then_hears_what_went_wrong():
    crew, begun, go = Crew(), threading.Event(), threading.Event()

    def run():
        begun.set()
        assert go.wait(20.0)
        raise ZeroDivisionError("in the task")

    task = crew.begin(run, threads=2)
    assert begun.wait(20.0)  # while this thread does something else
    go.set()
    with pytest.raises(ZeroDivisionError, match="in the task"):
        crew.finish(task)


def test_the_owner_of_a_task_joins_the_jobs_it_shares():
    crew, together = Crew(), threading.Barrier(2, timeout=20.0)
    who = set()

    def work(_seat):
        together.wait()
        who.add(threading.current_thread())

    task = crew.begin(lambda: crew.share(work, seats=2), threads=2)
    crew.finish(task)
    assert threading.current_thread() in who
    assert len(who) == 2


def test_a_task_that_nobody_took_up_is_done_by_its_owner():
    crew, who = Crew(), []
    task = crew.begin(lambda: who.append((threading.current_thread(), numba.get_num_threads())), threads=1)
    assert who == []
    crew.finish(task)
    assert who == [(threading.current_thread(), 1)]


# -- pictures -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pond():
    world = World(seed=5, map="tide_pool")
    world.step(2)
    return world


def view_of(world):
    return Camera(SIZE, center=next(iter(world.creatures.values())).position[:2], pixels_per_unit=12)


def shown(surface):
    return pygame.surfarray.array2d(surface)


@pytest.mark.parametrize("depth", [24, 32])
def test_a_picture_shows_the_moment_it_was_begun_whatever_happens_meanwhile(pond, threads, depth):
    picture, camera = pond.picture, view_of(pond)
    picture.frame(camera, SIZE, still=True)
    at_once, begun = pygame.Surface(SIZE, 0, depth), pygame.Surface(SIZE, 0, depth)
    pond.draw(at_once, camera)
    picture.begin(begun, camera)
    assert picture.painting
    camera.center = camera.center + 3.0
    pond.step(3)
    picture.finish()
    assert not picture.painting
    np.testing.assert_array_equal(shown(begun), shown(at_once))
    pond.draw(at_once, camera)
    assert (shown(begun) != shown(at_once)).any()


def test_a_surface_can_be_drawn_on_as_soon_as_its_picture_is_finished(pond, threads):
    surface, mark = pygame.Surface(SIZE, 0, 32), pygame.Surface((4, 4), 0, 32)
    camera = view_of(pond)
    for _ in range(30):
        pond.picture.begin(surface, camera)
        pond.picture.finish()
        assert not surface.get_locked()
        surface.blit(mark, (0, 0))


def test_another_picture_waits_for_the_one_that_was_begun(pond, threads):
    picture, camera = pond.picture, view_of(pond)
    first, second = pygame.Surface(SIZE, 0, 32), pygame.Surface(SIZE, 0, 32)
    picture.begin(first, camera)
    picture.begin(second, camera)
    np.testing.assert_array_equal(shown(first) != 0, np.ones(SIZE, bool))
    picture.frame(camera, SIZE)
    assert not picture.painting
    np.testing.assert_array_equal(shown(second), shown(first))
    picture.finish()  # nothing is on its way: nothing happens


def test_pictures_go_straight_into_surfaces_they_fit():
    plain = pygame.Surface((64, 48), 0, 32)
    direct = canvas(plain, (0, 8), (64, 40))
    assert direct is not None
    direct[0, 3] = 0x123456
    del direct
    assert plain.get_at((3, 8))[:3] == (0x12, 0x34, 0x56)
    assert canvas(plain, (0, 9), (64, 40)) is None  # beyond the edge
    assert canvas(plain, (1, 0), (63, 48)) is None  # rows with something between them
    assert canvas(pygame.Surface((64, 48), 0, 24), (0, 0), (64, 48)) is None
    assert canvas(pygame.Surface((64, 48), pygame.SRCALPHA, 32), (0, 0), (64, 48)) is None
    assert not plain.get_locked()


def test_whoever_is_interrupted_while_waiting_can_still_wait_for_the_picture(pond, monkeypatch):
    picture, surface = pond.picture, pygame.Surface(SIZE, 0, 32)

    def interrupted(_crew, _task):
        raise KeyboardInterrupt

    picture.begin(surface, view_of(pond))
    with monkeypatch.context() as patched:
        patched.setattr(Crew, "finish", interrupted)
        with pytest.raises(KeyboardInterrupt):
            picture.finish()
    assert picture.painting
    picture.finish()
    assert (shown(surface) != 0).all()
    assert not surface.get_locked()


def test_a_picture_that_fails_is_reported_once(pond, monkeypatch):
    picture, surface = pond.picture, pygame.Surface(SIZE, 0, 32)
    with monkeypatch.context() as patched:
        patched.setattr("paludarium.systems.render.renderer.Renderer.draw", lambda *_: 1 // 0)
        picture.begin(surface, view_of(pond))
        with pytest.raises(ZeroDivisionError):
            picture.finish()
    assert not picture.painting
    pond.draw(surface, view_of(pond))
    assert (shown(surface) != 0).all()


def test_a_world_that_is_painted_goes_on_as_one_that_nobody_looks_at(threads):
    seen, unseen = (World(seed=9, map="tide_pool", precision="float32") for _ in range(2))
    surface, camera = pygame.Surface(SIZE, 0, 32), view_of(seen)
    for _ in range(20):
        seen.picture.begin(surface, camera)
        seen.step()
        seen.picture.finish()
    unseen.step(20)
    assert seen.state_hash() == unseen.state_hash()
