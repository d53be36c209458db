"""Out of the water a fish flops, and dies of it after a while; put back in time it swims on."""

import numpy as np

from paludarium import World
from paludarium.components.fish.family import carry
from paludarium.engine.maps import Map
from paludarium.tests.fish.open_water import Fishes

SHORE = Map.define(
    name="shore", area={"width_u": 120, "height_u": 120},
    terrain={"kind": "gaussians", "elevation": 1.0, "hills": [[30, 0, -14.0, 12.0]]},
    water=[{"bounds": [0, -30, 60, 30], "level_u": 0.0, "cell_u": 1.0}],
)  # fmt: skip


def stranded(air: float) -> Fishes:
    world = World(seed=1, map=SHORE)
    world.define_species("testfish", family="fish", springs={"length_u": 2.0, "air_s": air})
    fishes = Fishes.__new__(Fishes)
    fishes.take(world, [world.spawn("testfish", at=(-30.0, 0.0))])
    return fishes


def test_on_land_it_flops_and_dies_of_air():
    fishes = stranded(3.0)
    died = []
    fishes.world.on("died", died.append)
    bends, start = [], fishes.x
    for _ in range(150):
        fishes.world.step(1)
        bends.append(float(fishes.motors.bend[fishes.rows[0]]))
    assert max(bends) > 0.8
    assert min(bends) < -0.8
    assert np.abs(fishes.x - start).max() > 0.1
    assert not died
    fishes.run(1.0)
    assert [event.cause for event in died] == ["air"]
    assert fishes.all[0].dead
    fishes.run(2.0)
    assert np.isfinite(fishes.x).all()
    assert abs(fishes.motors.bend[fishes.rows[0]]) < 0.01
    assert fishes.centre[0, 2] > 0.9  # it lies on the ground


def test_back_in_the_water_it_recovers():
    fishes = stranded(5.0)
    fishes.run(3.0)
    assert fishes.bodies.air_seconds[fishes.rows[0]] > 2.0
    assert carry(fishes.all[0], np.array([30.0, 0.0]) - fishes.centre[0, :2])
    fishes.want((0.0, 1.0, 0.0), 0.75)
    fishes.run(4.0)
    assert not fishes.all[0].dead
    assert fishes.bodies.air_seconds[fishes.rows[0]] == 0.0
    assert fishes.speed[0] > 0.4
    assert fishes.axes[0, 2, 2] > 0.9


def test_a_leap_comes_down_again():
    fishes = stranded(5.0)
    carry(fishes.all[0], np.array([30.0, 0.0]) - fishes.centre[0, :2])
    fishes.run(0.2)
    first = fishes.bodies.first_node[fishes.rows[0]]
    fishes.nodes.position[first : first + 23, 2] += -0.5 - fishes.centre[0, 2]
    fishes.nodes.velocity[first : first + 23] = (0.0, 0.0, 9.0)
    highest = -9.0
    for _ in range(240):
        fishes.world.step(1)
        highest = max(highest, float(fishes.centre[0, 2]))
    assert 1.0 < highest < 5.0
    assert fishes.centre[0, 2] < 0.2
    assert not fishes.all[0].dead


def test_no_limit_lives_on_land_for_ever():
    fishes = stranded(0.0)
    fishes.run(4.0)
    assert fishes.bodies.air_seconds[fishes.rows[0]] > 3.5
    assert not fishes.all[0].dead
