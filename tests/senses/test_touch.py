"""Antenna contacts: obstacles, bodies, the edge of the map, and the retraction they cause."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.systems.senses import Sense, box, pillar, sphere, stack_solids, touch_kernel
from paludarium.systems.spatial_index.solid_kernel import solid_distance
from paludarium.tests.capsule_rows import capsules
from paludarium.tests.senses.crawlers import DT, LINKS, Crawlers, one_thread  # noqa: F401 - a fixture

STRAIGHT = [Sense.WAVE_THETA, Sense.WAVE_PHI, Sense.CURL_THETA, Sense.CURL_PHI]


def straight_antennae(theta=0.5, phi=0.0, start=((0, 0),), headings=(0.0,), **world):
    """Resting crawlers whose antennae stick out straight and do not move."""
    crawler = Crawlers(start, headings, **world)
    crawler.antennae.parameters[:, STRAIGHT] = 0.0
    crawler.antennae.parameters[:, [Sense.ROOT_SPEED, Sense.RETRACT_SPEED]] = 0.0
    crawler.antennae.angles[:] = theta, phi
    return crawler


def test_links_lie_where_the_angles_say():
    crawler = straight_antennae(theta=0.5, phi=0.3)
    crawler.sense()
    p = crawler.antennae.parameters[0]
    for side, outward in ((0, 1.0), (1, -1.0)):
        root = np.array([p[Sense.ROOT_X], outward * p[Sense.ROOT_Y], 1.0 + p[Sense.ROOT_Z]])
        along = np.array([np.cos(0.3) * np.cos(0.5), outward * np.cos(0.3) * np.sin(0.5), np.sin(0.3)])
        np.testing.assert_allclose(
            crawler.points[0, side], root + 0.25 * np.arange(LINKS + 1)[:, None] * along, atol=1e-12
        )


def test_contact_equals_brute_force_over_random_obstacles():
    generator = np.random.default_rng(5)
    found = 0
    for trial in range(60):
        centres = generator.uniform((0, -3, 0), (5, 3, 2), (3, 3))
        solids = stack_solids(
            *(sphere(centre, radius) for centre, radius in zip(centres, (0.1, 0.3, 0.5), strict=True)),
            pillar(generator.uniform((1, -3), (5, 3)), 0.2),
            box(generator.uniform((1, -3), (5, 3)), 1.0, 0.1, heading=trial),
        )
        crawler = straight_antennae(theta=generator.uniform(0.2, 0.9), solids=solids)
        crawler.sense()
        for side in range(2):
            chain = crawler.points[0, side]
            samples = chain[0] + np.linspace(0, 1, 1201)[:, None] * (chain[-1] - chain[0])
            nearest = min(solid_distance(solids, k, *point)[0] for k in range(len(solids)) for point in samples[::8])
            if abs(nearest - crawler.antennae.parameters[0, Sense.LINK_RADIUS]) < 0.01:
                continue  # closer to the limit than the spacing of the samples
            assert crawler.brain.senses.contact[0, side] == (nearest < crawler.antennae.parameters[0, Sense.LINK_RADIUS])
            found += int(crawler.brain.senses.contact[0, side])
    assert found > 20


def test_a_thin_needle_between_two_link_points_is_felt():
    # straight ahead along x: the root lies at 0.4, so link points at 0.4 + 0.25 k and the needle half way between two
    crawler = straight_antennae(theta=0.0, solids=pillar((0.4 + 0.25 * 4.5, 0.25), 0.001))
    crawler.sense()
    assert crawler.brain.senses.contact[0].tolist() == [1, 0]


def test_other_bodies_are_felt_and_the_own_body_is_not():
    crawlers = straight_antennae(start=[[0, 0], [3.0, 2.5]], headings=[0.0, np.pi / 2], see_bodies=True)
    crawlers.sense()
    assert crawlers.brain.senses.contact.tolist() == [[1, 0], [0, 0]]
    assert crawlers.antennae.contact_owner.tolist() == [[1, -1], [-1, -1]]
    alone = Crawlers([[0, 0]], [0.0], see_bodies=True)
    folded = capsules(np.array([[0.5, 0, 1.0]]), np.array([[3.0, 0, 1.0]]), 2.0, np.array([0], np.int32))
    alone.bodies = lambda: folded  # its own body lies right across its antennae
    alone.run(3 * DT)
    assert not alone.brain.senses.contact.any()


@pytest.mark.parametrize(
    ("bounds", "normal"),
    [
        ((-9, -9, 2, 9), (-1, 0, 0)),
        ((0.6, -9, 9, 9), (1, 0, 0)),
        ((-9, -9, 9, 1), (0, -1, 0)),
        ((-9, 0.4, 9, 9), (0, 1, 0)),
    ],
)
def test_the_edge_of_the_map_is_felt_from_all_four_sides(bounds, normal):
    crawler = straight_antennae(bounds=np.array(bounds, dtype=float))
    crawler.sense()
    assert crawler.brain.senses.contact[0, 0] == 1
    np.testing.assert_array_equal(crawler.brain.senses.contact_normal[0, 0], normal)


def test_contact_draws_the_antenna_back_along_the_normal_faster_than_it_wanders():
    crawler = straight_antennae(theta=0.5, solids=pillar((2.5, 1.7), 0.3))  # on the outer side of the left antenna
    crawler.antennae.parameters[:, Sense.RETRACT_SPEED] = 4.0
    crawler.sense()
    assert crawler.brain.senses.contact[0].tolist() == [1, 0]
    assert crawler.antennae.retracting[0].tolist() == [1, 0]
    before = crawler.antennae.angles[0, 0, 0]
    crawler.sense()
    assert crawler.antennae.angles[0, 0, 0] == pytest.approx(before - 4.0 * DT)
    while crawler.antennae.retracting[0, 0]:
        crawler.sense()
    assert crawler.brain.senses.contact[0, 0] == 0


def test_contact_time_counts_and_is_cleared():
    crawler = straight_antennae(solids=box((2.0, 0), 0.5, 20.0))
    for _ in range(10):
        crawler.sense()
    np.testing.assert_allclose(crawler.antennae.contact_time[0], 10 * DT)
    crawler.segments.position[:, 0] -= 10.0
    crawler.sense()
    np.testing.assert_array_equal(crawler.antennae.contact_time[0], 0.0)
    np.testing.assert_array_equal(crawler.brain.senses.contact_normal[0], 0.0)


def test_free_path_of_head_and_tail_equals_the_closed_form():
    tail = -2.0  # leads when the animal goes backward
    crawler = Crawlers([[0, 0]], [0.0], solids=stack_solids(box((3.5, 0), 1.0, 9.0), sphere((tail - 2.0, 0.5, 1.0), 0.4)))
    crawler.sense()
    ahead, behind = crawler.brain.senses.free_path[0]
    assert ahead == pytest.approx(3.0 - 0.6, abs=2e-4)
    assert behind == pytest.approx(2.0 - np.sqrt(1.0 - 0.25), abs=2e-4)


def test_a_head_that_is_too_near_may_leave_but_not_come_nearer():
    crawler = Crawlers([[0, 0]], [0.0], solids=box((0.7, 0), 0.4, 9.0))  # face at 0.5, nearer than the clearance
    crawler.sense()
    np.testing.assert_array_equal(crawler.brain.senses.free_path[0], (0.0, 4.0))


def test_no_antennae_feel_nothing():
    crawler = Crawlers([[0, 0]], [0.0], solids=box((2.0, 0), 0.5, 20.0), food=[[1, 0, 1]]).no_antennae()
    crawler.run(5 * DT)
    assert not crawler.brain.senses.contact.any()
    assert not crawler.brain.senses.smell.any()


def test_in_a_heap_an_antenna_feels_the_first_few_and_no_more():
    """Who sits in a heap of hundreds must not look at all of them in every tick; which ones it feels is fixed."""
    first, deeper = sphere((2.0, 0.7, 1.2), 0.3), sphere((2.0, 0.7, 0.9), 0.6)

    def felt(*solids: np.ndarray) -> list[float]:
        crawler = straight_antennae(theta=0.3, solids=stack_solids(*solids))
        crawler.sense()
        return crawler.antennae.contact_normal[0, 0].tolist()

    shallow, deep = felt(first), felt(deeper)
    assert shallow != deep
    assert felt(*[first] * (touch_kernel.MOST_FELT - 1), deeper) == deep
    assert felt(*[first] * touch_kernel.MOST_FELT, *[deeper] * 100) == shallow
