"""The dead in the picture: what nobody moves any more goes with the body and lies down."""

import numpy as np
import pytest

from paludarium import World


def shoved_ragdoll(species="giant_centipede"):
    world = World(seed=2, map="flat", populate=False)
    creature = world.spawn(species, at=(0.0, 0.0), heading=0.7)
    world.step(60)
    fell = creature.segments.position[0].copy()
    creature.kill()
    creature.push((0.0, 9.0, 4.0))
    world.step(60)
    return world, creature, np.hypot(*(creature.segments.position[0] - fell)[:2])


def drawn_antennae(world, creature):
    """(2, joints, 3) as the painter shows them."""
    points = world.picture.painters["myriapod"].poses()["antenna_points"]
    both = points[2 * creature.row : 2 * creature.row + 2]
    return both[:, ~np.isnan(both[0, :, 0])]


@pytest.mark.parametrize("species", ["giant_centipede", "millipede"])
def test_antennae_of_the_dead_stay_at_the_head_and_lie_on_the_ground(species):
    world, creature, moved = shoved_ragdoll(species)
    hashed = world.state_hash()
    points, head = drawn_antennae(world, creature), creature.segments.position[0]
    spec = creature.species.specs["antennae"]
    root = np.hypot(np.hypot(spec.root_x, spec.root_y), spec.root_z)
    assert moved > 0.3
    np.testing.assert_allclose(np.linalg.norm(points[:, 0] - head, axis=1), root, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(np.diff(points, axis=1), axis=2), spec.link_length, atol=1e-6)
    height = world.terrain.height(points.reshape(-1, 3)).reshape(points.shape[:2])
    assert (height[:, 1:] > -0.02).all()
    assert (np.diff(height[:, height.shape[1] // 2 :], axis=1) < 0.02).all()  # none rises again
    assert (height[:, -1] < 0.3).all()
    assert world.state_hash() == hashed  # a matter of the picture only


def test_nothing_is_drawn_where_the_antennae_were_when_it_died():
    world, creature, _ = shoved_ragdoll()
    left_behind = creature.antennae.tip
    nearest = np.linalg.norm(drawn_antennae(world, creature)[:, None] - left_behind[None, :, None], axis=3).min()
    assert nearest > 0.3


def test_antennae_of_the_living_are_those_they_feel_with():
    world = World(seed=2, map="flat", populate=False)
    creature = world.spawn("giant_centipede", at=(0.0, 0.0))
    world.step(30)
    np.testing.assert_array_equal(drawn_antennae(world, creature)[:, -1], creature.antennae.tip)
