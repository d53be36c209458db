"""A mod from a folder: pheromone trails that others follow, added without touching the package."""

from __future__ import annotations

from pathlib import Path

from paludarium import World

MODS = Path(__file__).resolve().parent / "mods"


def build_world() -> World:
    world = World(seed=4, mods=MODS)
    world.spawn("pauropod", count=6, at=(0.0, 0.0), spread=20.0)
    return world


def check(world: World) -> None:
    """The mod's system runs, and somebody follows a trail."""
    world.step(600)
    names = [entry.name for entry in world.schedule]
    assert names.index("PheromoneSystem") == names.index("BrainSystem") + 1
    modes = {world.resources["brain_modes"].name_of(int(c.brain.mode)) for c in world.creatures.values()}
    assert "FOLLOW_TRAIL" in modes, modes


def main() -> None:
    world = build_world()
    check(world)
    print("trails are followed")


if __name__ == "__main__":
    main()
