"""Speed on finer water: 96 cells against the 64 of the game. [fluid 1.9]"""

import numpy as np
import pytest

from paludarium import World
from paludarium.lab.articulated.training.bench import Bench, Water

SHIPPED = ("eel", "jointed_clownfish", "sea_turtle", "frog", "alien", "accordion")
HEADINGS = (0.0, 0.4)
"""rad: bodies lie on the grid in two ways."""


def speed(species, cells):
    """Mean over 4 to 10 s of the way per second, of both headings."""
    found = []
    for heading in HEADINGS:
        bench = Bench.of_species(species, Water(cells=(cells, cells), tolerance=0.03))
        bench.begin(heading=heading)
        places = bench.swim(600)[239::60, :2]
        found.append(np.linalg.norm(np.diff(places, axis=0), axis=1).mean())
    return np.array(found)


@pytest.mark.parametrize("key", SHIPPED)
def test_speed_hardly_depends_on_the_grid(key, record_property):
    """Within 15 % in the mean of two positions. One position alone says little."""
    species = World(seed=0).species[key]
    coarse, fine = speed(species, 64), speed(species, 96)
    off = float(fine.mean() / coarse.mean() - 1.0)
    record_property(f"{key}: 96 cells against 64", f"{100.0 * off:+.0f} %")
    assert abs(off) < 0.15, off
