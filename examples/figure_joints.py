"""A lagoon, a frog pond, and all swimmers of joints side by side, with the whirls that they leave.

``python -m paludarium.examples.figure_joints [FOLDER]`` writes the three pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

from paludarium import Map, World
from paludarium.examples.figure_chart import photograph, save

SIZE = (1280, 720)
PICTURES = {"lagoon": ((6.0, 1.0), 16.0, 4, False), "frog_pond": ((0.0, 0.0), 15.0, 3, True)}
"""Middle, pixels per unit, seconds after which a picture of a map is taken, and whether whirls are tinted."""
SWIMMERS = {"sea_turtle": (-24, 9), "manta": (7, 8), "eel": (-28, -10), "frog": (-12, -10), "alien": (6, -11),
            "accordion": (18, -11), "jointed_clownfish": (26, 12)}  # fmt: skip


def build_world(name: str = "frog_pond") -> World:
    return World(seed=7, map=name, precision="float32")


def watch(world: World, seconds: float) -> None:
    """Let time pass in front of a camera: whirls are dyed only while somebody looks."""
    for _ in range(round(60 * seconds)):
        world.step()
        world.picture.scene()


def side_by_side() -> World:
    """One swimmer of every kind in shallow clear water."""
    edges = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}
    tank = Map.define(name="tank", light={"clarity": 6.0}, bed={"kind": "sand"}, area={"width_u": 100, "height_u": 60},
                      terrain={"kind": "noise", "amplitude": 0.6, "scale": 20.0, "elevation": -6.0},
                      water=[{"bounds": [-50, -30, 50, 30], "level_u": 0.0, "cell_u": 1.0, **edges}])  # fmt: skip
    world = World(seed=2, map=tank)
    for key, (x, y) in SWIMMERS.items():
        world.spawn(key, at=(float(x), float(y), -2.5))
    return world


def check(world: World) -> None:
    """Every swimmer of joints is in the water and moves."""
    swimmers = [creature for creature in world.creatures.values() if creature.species.family == "articulated"]
    assert swimmers
    assert all(world.water.depth(swimmer.position[None])[0] > 0.0 for swimmer in swimmers)


def main(folder: str | None = None) -> None:
    for name, (center, scale, seconds, whirls) in PICTURES.items():
        world = build_world(name)
        world.picture.show_wakes = whirls  # type: ignore[attr-defined]
        watch(world, seconds)
        check(world)
        file = None if folder is None else str(Path(folder) / f"{name}.png")
        print(save(f"{name}.png", photograph(world, center, SIZE, scale), file=file))
    world = side_by_side()
    watch(world, 0.5)
    file = None if folder is None else str(Path(folder) / "joints.png")
    print(save("joints.png", photograph(world, (0.0, 0.0), SIZE, 18.0), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
