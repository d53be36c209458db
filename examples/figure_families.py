"""A reef, a garden pond, an ant trail, a log with beetles, and the fishes side by side: what else lives here.

``python -m paludarium.examples.figure_families [FOLDER]`` writes the five pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

from paludarium import Map, World
from paludarium.examples.figure_chart import photograph, save

SIZE = (1280, 720)
PICTURES = {"reef": ((-8.0, 2.0), 11.0, 12), "koi_pond": ((0.0, 0.0), 12.5, 10), "ant_trail": ((0.0, 0.0), 20.0, 40),
            "beetle_log": ((-4.0, -3.0), 38.0, 4)}  # fmt: skip
"""Middle, pixels per unit, and seconds after which a picture of a map is taken."""
FISHES = ("clownfish", "silverside", "butterflyfish", "blue_tang", "koi", "pike", "reef_shark")


def build_world(name: str = "reef") -> World:
    return World(seed=7, map=name, precision="float32")


def side_by_side() -> World:
    """One fish of every kind, at rest in shallow clear water, the largest last."""
    edges = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}
    tank = Map.define(name="tank", light={"clarity": 6.0}, bed={"kind": "sand"}, area={"width_u": 90, "height_u": 50},
                      terrain={"kind": "noise", "amplitude": 0.6, "scale": 20.0, "elevation": -5.0},
                      water=[{"bounds": [-45, -25, 45, 25], "level_u": 0.0, "cell_u": 1.0, **edges}])  # fmt: skip
    world = World(seed=2, map=tank)
    places = ((-26, 8), (-26, 2), (-24, -4), (-22, -10), (-4, 7), (0, -3), (8, -11))
    for key, (x, y) in zip(FISHES, places, strict=True):
        world.spawn(key, at=(x + 10.0, y, -2.0))
    world.step(4)
    return world


def check(world: World) -> None:
    """Everybody is alive and where it belongs."""
    fishes = [creature for creature in world.creatures.values() if creature.species.family == "fish"]
    assert all(world.water.depth(fish.position[None])[0] > 0.0 for fish in fishes)
    if world.map.name == "ant trail":
        assert any(creature.load > 0.0 for creature in world.creatures.values())


def main(folder: str | None = None) -> None:
    for name, (center, scale, seconds) in PICTURES.items():
        world = build_world(name)
        world.step(60 * seconds)
        check(world)
        file = None if folder is None else str(Path(folder) / f"{name}.png")
        print(save(f"{name}.png", photograph(world, center, SIZE, scale), file=file))
    file = None if folder is None else str(Path(folder) / "fishes.png")
    print(save("fishes.png", photograph(side_by_side(), (0.0, -2.0), SIZE, 22.0), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
