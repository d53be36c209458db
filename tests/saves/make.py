"""Make the exhibit of this version: one small world per map with animals of all families, as a save and as a recording.

Run it when a column, a pool or a state changes; `test_museum.py` fails until then::

    python -m paludarium.tests.saves.make

The newest exhibit is replaced until it has landed: ``--land COMMIT`` writes down that it has. From then on it stays for
ever, and every later version has to load it; the next one gets a folder of its own. The calls below are those that all
versions since the first families have, so that this file also makes exhibits of older states: run it as a file, with the
older package first on the path.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SEED = 11
FLAT = "flat"
EXHIBIT = "exhibit.json"
"""What is remembered of an exhibit: its version and state, and for each map hash, families and places of heads."""
ANIMALS = {
    "myriapod": (("pauropod", False), ("pauropod", False)), "fish": (("clownfish", True),),
    "insect": (("worker_ant", False),), "articulated": (("frog", True),),
}  # fmt: skip
"""By family: species, and whether it belongs into the water."""
CELLS = 16
"""Along the shorter side of a pond: grids of water are most of a save, so they are coarser than on the map that ships."""
AT_HOME = ("lagoon",)
"""Names of maps on which swimmers of links have water of their own on a fine grid, which takes 100 kB."""
LONG_SPECIES = "stone_centipede"
"""Is the second walker on the flat map, which has no water to save."""
MOST_THINGS = 4
"""Of each kind of coral, weed and the like."""
TICKS_BEFORE, TICKS_AFTER = 20, 60
"""Ticks until a world is saved, and from there to the places of heads that are noted down."""
PLACES = 24
"""Along each side of a map, among which animals get the deepest and the driest ones."""


def maps() -> list[str]:
    """The maps that this version has."""
    import paludarium

    folder = Path(paludarium.__file__).parent / "assets" / "worlds"
    return [FLAT, *sorted(file.stem for file in folder.glob("*.toml"))]


def small_map(name: str) -> dict[str, Any]:
    """The tables of a map that ships, with coarse water and few things."""
    import paludarium

    if name == FLAT:
        return {"name": FLAT}
    folder = Path(paludarium.__file__).parent / "assets" / "worlds"
    tables: dict[str, Any] = tomllib.loads((folder / f"{name}.toml").read_text())
    for pond in tables.get("water", []):
        west, south, east, north = pond["bounds"]
        pond["cell_u"] = min(east - west, north - south) / CELLS
    for kind in ("corals", "lilies", "reeds", "seaweed", "plankton", "bubbles", "food", "obstacles"):
        tables[kind] = tables.get(kind, [])[:2]
        for one in tables[kind]:
            for count in ("count", "clusters", "leaves"):
                one.update({count: min(one[count], MOST_THINGS)} if count in one else {})
    return {name: table for name, table in tables.items() if table != [] and name != "creatures"}


def populate(world: Any) -> None:
    """Animals of all families that this version has, with orders, wounds and things around them."""
    import numpy as np

    west, south, east, north = world.map.area.bounds
    x, y = np.meshgrid(np.linspace(west, east, PLACES + 2)[1:-1], np.linspace(south, north, PLACES + 2)[1:-1])
    places = np.column_stack([x.ravel(), y.ravel()])
    by_height = places[np.argsort(world.terrain.height(places), kind="stable")].round(3).tolist()
    wet, dry, known = by_height[:: PLACES // 2], by_height[:: -PLACES // 2], set(world.species)
    animals = [animal for family in ANIMALS.values() for animal in family if animal[0] in known]
    born = []
    for number, (species, swims) in enumerate(animals):
        species = LONG_SPECIES if number == 1 and world.map.name == FLAT else species
        at, tier = (wet if swims else dry)[number], "full" if world.map.name in AT_HOME or not swims else "bush"
        born.append(world.spawn(species, at=tuple(at), faction="" if swims else "red", tier=tier))
    walker, long_one = born[:2]
    walker.goto((walker.position[0] + 5.0, walker.position[1]))
    long_one.sever(len(long_one.segments) // 2)
    world.spawn("pauropod", at=tuple(dry[-1])).kill()
    world.add_food(tuple(walker.position[:2] + 3.0), amount=2.0)
    world.add_stimulus("threat", tuple(long_one.position[:2] + 4.0), seconds=30.0)
    world.set_relation("red", "blue", "hostile")


def make_world(name: str, folder: Path) -> dict[str, Any]:
    """Write one world's save and recording; returns what is to be remembered of it."""
    from paludarium import Recording, World
    from paludarium.engine.maps import Map

    world = World(seed=SEED, map=FLAT if name == FLAT else Map.define(**small_map(name)), populate=False)
    recording = Recording(world)
    populate(world)
    world.step(TICKS_BEFORE)
    with tempfile.TemporaryDirectory() as place:
        world.save(Path(place) / "world.save")
        recording.save(Path(place) / "run.jsonl")
        for made, kept in (("world.save", f"{name}.save.gz"), ("run.jsonl", f"{name}.jsonl.gz")):
            (folder / kept).write_bytes(gzip.compress((Path(place) / made).read_bytes(), 9, mtime=0))
    told = {"hash": world.state_hash(), "families": sorted(world.families.loaded)}
    world.step(TICKS_AFTER)
    heads = {creature.name: [round(float(x), 9) for x in creature.position] for creature in world.creatures.values()}
    return {**told, "heads": heads}


def exhibits() -> list[Path]:
    """The folders of all exhibits, the oldest first."""
    return sorted(HERE.glob("exhibit_*"), key=lambda folder: int(folder.name.removeprefix("exhibit_")))


def make(folder: Path, about: str, state: str, same_motion: bool) -> None:
    """Write the exhibit of the package that is imported, all maps of it."""
    import paludarium

    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    worlds = {name: make_world(name, folder) for name in maps()}
    told = {"version": paludarium.__version__, "state": state, "about": about, "same_motion": same_motion,
            "ticks_after": TICKS_AFTER}  # fmt: skip
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(world)}" for name, world in worlds.items())
    head = json.dumps(told, indent=1).removesuffix("\n}")
    (folder / EXHIBIT).write_text(f'{head},\n "worlds": {{\n{lines}\n }}\n}}\n')


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m paludarium.tests.saves.make")
    parser.add_argument("--about", default="the present state", help="what distinguishes this layout")
    parser.add_argument("--state", default="", help="the commit that it is made of, if that has landed")
    parser.add_argument("--folder", type=Path, help="where it goes; otherwise its place in the museum")
    parser.add_argument("--moved", action="store_true", help="animals move otherwise in later versions")
    parser.add_argument("--land", metavar="COMMIT", help="only say that the newest exhibit has landed with this commit")
    wanted = parser.parse_args()
    if wanted.land:
        told = exhibits()[-1] / EXHIBIT
        told.write_text(told.read_text().replace('"state": ""', f'"state": "{wanted.land}"'))
        return
    make(wanted.folder or next_folder(), wanted.about, wanted.state, not wanted.moved)


def next_folder() -> Path:
    """The newest exhibit if it has not landed, otherwise a new one."""
    known = exhibits()
    if known and not json.loads((known[-1] / EXHIBIT).read_text())["state"]:
        return known[-1]
    return HERE / f"exhibit_{len(known) + 1}"


if __name__ == "__main__":
    main()
