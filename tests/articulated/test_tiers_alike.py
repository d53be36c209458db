"""Window, model without a grid and recorded cycle: starts, glides and half an effort, for all that swim in the plane."""

import numpy as np
import pytest

from paludarium import World
from paludarium.lab.articulated.training.bench import IN_PLAY, RECORDED, WITHOUT_GRID, Bench
from paludarium.lab.articulated.training.steady import COASTS, STARTS, changes_of, settle
from paludarium.tests.articulated.test_swimmers_in_the_world import PLANE

WATERS = {"full": IN_PLAY, "bush": WITHOUT_GRID, "follow": RECORDED}
ALIKE = 0.1
GLIDES = (2, 4, 6)
"""s of a glide, over which its way is taken."""
WHAT = (*(f"way of {at:g} s from rest" for at in STARTS), "cruise", *(f"glide of {at} s" for at in GLIDES), "half effort")
NOT_ALIKE: set[tuple[str, str, str]] = set()
"""What is not alike, and by how much is in the properties of the test."""


def seen(species, tier):
    """Ways and speeds of one tier, in lengths and seconds of the animal."""
    bench = Bench.of_species(species, WATERS[tier], species.specs["servo"].pace)
    changes, cruise = changes_of(bench), settle(bench)
    assert changes is not None
    assert cruise is not None
    glide = np.cumsum([0.5 * (cruise.speed + changes.coast[0]), *changes.coast])
    ways = [glide[list(COASTS).index(at)] for at in GLIDES]
    return np.array([*changes.ways, cruise.speed, *ways, changes.half])


@pytest.fixture(scope="module")
def library():
    return World(seed=0).species


@pytest.mark.parametrize("key", PLANE)
def test_starts_glides_and_half_efforts_are_alike_at_all_tiers(library, key, record_property):
    """Within 10 % of the window; glides in the mean of four phases at which the stroke ends."""
    full = seen(library[key], "full")
    for tier in ("bush", "follow"):
        off = seen(library[key], tier) / full - 1.0
        record_property(f"{key} {tier}: {', '.join(WHAT)}", ", ".join(f"{100 * value:+.0f} %" for value in off))
        for what, value in zip(WHAT, off, strict=True):
            assert (abs(value) < ALIKE) == ((key, tier, what) not in NOT_ALIKE), (key, tier, what, round(float(value), 3))
