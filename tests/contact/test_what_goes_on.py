"""With bodies that press and make way, hunters still catch and pairs still mate."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.components.fish.intentions import Stage
from paludarium.tests.contact.meetings import tank
from paludarium.tests.reproduction.fishes.test_courtship import pair


@pytest.mark.parametrize("seed", [93, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (92, 94, 95))])
def test_sharks_in_a_school_still_eat(seed):
    """Three among eighty silversides catch the first within a minute."""
    world = tank(seed)
    eaten: list[object] = []
    world.on("ate", lambda event: eaten.append(event) if event.creature.species.key == "reef_shark" else None)
    world.spawn("silverside", count=80, spread=20.0)
    for x in (-15, 0, 15):
        world.spawn("reef_shark", at=(x, -20, -10), heading=np.pi / 2)
    while not eaten and world.time < 60.0:
        world.step(30)
    assert eaten


def test_a_pair_that_mates_is_not_pressed_apart():
    world, _, him, _ = pair(21, 8.0)
    mated: list[object] = []
    world.on("mated", mated.append)
    nuzzling = pressed = 0
    while not mated and world.time < 80.0:
        world.step()
        if him.mind.stage is Stage.NUZZLING:
            nuzzling += 1
            pressed += int(him.segments.contacts.max() > 0)
    assert mated
    assert nuzzling > 100
    assert pressed == 0
