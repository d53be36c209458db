"""Bodies that are bent, pushed and turned about stay whole, or are put back into shape and say so."""

import numpy as np

from paludarium.components.fish.springs import blueprint_of, part_volumes
from paludarium.tests.fish.open_water import Fishes, sea


def test_random_bends_pushes_and_reflexes_leave_a_body_whole():
    rng = np.random.default_rng(11)
    fishes = Fishes(sea(), 40)
    disturbed = []
    fishes.world.on("tissue_disturbed", disturbed.append)
    rest = blueprint_of(fishes.all[0].species.specs["springs"]).volume
    mass = blueprint_of(fishes.all[0].species.specs["springs"]).mass.sum()
    for _ in range(40):
        direction = rng.normal(size=(40, 3))
        fishes.want(direction / np.linalg.norm(direction, axis=1)[:, None], rng.uniform(0.0, 3.0, 40))
        fishes.motors.reflex[fishes.rows] = rng.integers(2, size=40)
        fishes.motors.brake[fishes.rows] = rng.random(40) < 0.2
        for creature in rng.choice(np.array(fishes.all, object), 6, replace=False):
            creature.push(rng.normal(0.0, 2.0 * mass, 3), int(rng.integers(4)))
        fishes.run(0.25)
        assert np.isfinite(fishes.x).all()
        assert np.isfinite(fishes.v).all()
    fishes.motors.brake[fishes.rows] = fishes.motors.reflex[fishes.rows] = 0
    fishes.run(1.0)
    shares = np.array([part_volumes(x) / rest for x in fishes.x])
    assert shares.min() > 0.4
    assert not disturbed


def test_a_body_inside_out_is_put_back_and_says_so():
    fishes = Fishes(sea(), 2)
    told = []
    fishes.world.on("tissue_disturbed", told.append)
    fishes.run(0.2)
    first = fishes.bodies.first_node[fishes.rows[0]]
    centre = fishes.bodies.centre[fishes.rows[0]].copy()
    fishes.nodes.position[first : first + 23] = centre + np.random.default_rng(1).normal(0.0, 0.3, (23, 3))
    fishes.nodes.velocity[first : first + 23] *= 0.0
    fishes.run(0.5)
    assert [event.creature for event in told][:1] == [fishes.all[0]]
    assert np.linalg.norm(fishes.centre[0] - centre) < fishes.length[0]
    fishes.want((1.0, 0.0, 0.0), 0.75)
    fishes.run(3.0)
    rest = blueprint_of(fishes.all[0].species.specs["springs"]).volume
    assert (part_volumes(fishes.x[0]) > 0.5 * rest).all()
    assert fishes.speed[0] > 0.4


def test_two_nodes_in_one_place_are_no_division_by_zero():
    fishes = Fishes(sea())
    first = fishes.bodies.first_node[fishes.rows[0]]
    fishes.nodes.position[first + 17] = fishes.nodes.position[first + 20]
    fishes.run(1.0)
    assert np.isfinite(fishes.x).all()


def test_walls_and_the_bed_stop_it_without_harm():
    fishes = Fishes(sea(depth=8.0), 9, depth=4.0)
    told = []
    fishes.world.on("tissue_disturbed", told.append)
    angle = np.linspace(0.0, 2.0 * np.pi, 9)
    fishes.want(np.column_stack([np.cos(angle), np.sin(angle), np.linspace(-1.0, 1.0, 9)]), 2.0)
    fishes.run(12.0)
    assert len(told) <= 1  # in a corner of two walls at the surface one that is driven on may be untangled once
    assert np.isfinite(fishes.x).all()
    assert (fishes.centre[:, 2] > -8.0).all()
    assert (fishes.centre[:, 2] < 0.5).all()
