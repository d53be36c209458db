"""A manta in a world: its plates lie beside their hinges, at birth and while it swims."""

import numpy as np

from paludarium import World


def test_plates_of_the_wings_lie_side_by_side():
    world = World(seed=1)
    manta = world.spawn("manta", at=(0.0, 0.0))
    born = manta.segments.position.copy()
    across = np.sort(born[:, 1])
    np.testing.assert_allclose(across, -across[::-1], atol=1e-9)
    assert across[-1] > 0.35 * 12.0  # the tips are well out
    world.step(1)
    moved = manta.segments.position - manta.segments.position[0]
    np.testing.assert_allclose(moved[:, :2], (born - born[0])[:, :2], atol=0.5)
