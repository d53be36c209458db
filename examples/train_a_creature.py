"""Train a creature of your own: a body of links as tables, a search that lets it learn to swim, and its first swim.

The same with a file and one command, in better water and for longer::

    paludarium train --species my_newt.toml --manoeuvre straight --write
    paludarium train --species my_newt.toml --fit --write

``python -m paludarium.examples.train_a_creature``
"""

from __future__ import annotations

from typing import Any

from paludarium import Map, World
from paludarium.lab.articulated.training.bench import Water
from paludarium.lab.articulated.training.search import Search, SwimTask, measure_serially

GENERATIONS = 30
STILL = [0.0, 0.0, 0.0]
NEWT: dict[str, Any] = {
    "family": "articulated", "name": "newt", "servo": {"length_u": 6.0},
    "links": [{"name": "head", "length": 0.3, "half_width": [0.07, 0.06]},
              {"name": "trunk", "length": 0.3, "half_width": [0.06, 0.04]},
              {"name": "tail", "length": 0.2, "half_width": [0.04, 0.03]},
              {"name": "tip", "length": 0.2, "half_width": [0.03, 0.02]}],
    "manoeuvres": [{"name": "straight", "amplitude_deg": STILL, "phase_deg": STILL}],
    "skin": {"style": "eel", "back": "#5A4030", "belly": "#D88A3A"}, "vision": {}, "brain": {},
}  # fmt: skip


def learn(world: World, seed: int = 1) -> Search:
    """Search for a gait of the newt, from nothing; in water without a grid, so that it takes a second."""
    search = Search(SwimTask.of_species(world.species["newt"], "straight", Water.named("surrogate")), seed)
    for _ in range(GENERATIONS):
        search.run(measure_serially)
    return search


def build_world(seed: int = 7) -> World:
    """A pond with a newt that has learned to swim."""
    pond = Map.define(name="newt pond", area={"width_u": 80, "height_u": 60}, terrain={"kind": "flat", "elevation": -6.0},
                      water=[{"bounds": [-40, -30, 40, 30], "level_u": 0.0}])  # fmt: skip
    world = World(seed=seed, map=pond, precision="float32")
    world.define_species("newt", **NEWT)
    found = learn(world)
    gait = {"name": "straight", **found.table()}
    world.define_species("taught newt", **{**NEWT, "name": "taught newt", "manoeuvres": [gait]})
    for name, y in (("newt", -8.0), ("taught newt", 8.0)):
        world.spawn(name, at=(-20.0, y), heading=0.0).manoeuvre = "straight"
    return world


def check(world: World) -> None:
    """The taught one swims: a fifth of its length in two seconds from rest, in real water; the other one has not moved."""
    taught, other = sorted(world.creatures.values(), key=lambda newt: newt.species.key == "newt")
    assert taught.position[0] - other.position[0] > 0.2 * taught.length, (taught.position, other.position)
    assert abs(other.velocity).max() < 0.01 * other.length, other.velocity


if __name__ == "__main__":
    lake = build_world()
    lake.step(120)
    check(lake)
    for creature in lake.creatures.values():
        print(f"{creature.species.key} is at {creature.position.round(2)}")
