"""``paludarium maps``: the worlds there are, and every key their files may have."""

from __future__ import annotations

import argparse
from typing import Any

from .reference import key_table, record_lines

INTRODUCTION = """\
# Map files

A map is what a world looks like before anything moves: `World(seed=7, map="tide_pool")`, a path to a file of yours, or
`Map.define(area={"width_u": 60, "height_u": 60}, food=[{"count": 5, "spread_u": 20}])` in code. Every table may be missing;
a mistake gives one error that names file, table, key, value and what is allowed. `paludarium maps` lists the maps of the
package, `assets/worlds` has them to copy from. Lengths are in units (`_u`), angles in degrees (`_deg`). This page is made by
`paludarium maps --keys`.

```toml
name = "my pond"

[area]
width_u = 80
height_u = 80

[terrain]
kind = "gaussians"
elevation = 2.0
hills = [[0, 0, -6, 14], [0, 0, 6.5, 4]]    # a hollow with an island in it: x, y, height, width

[[water]]
bounds = [-30, -30, 30, 30]
level_u = 0.0

[[creatures]]
species = "giant_centipede"
at_u = [-30, 0]
```
"""

WATER = """\
Water fills every cell of the bounds whose ground is lower than the level, and stands there until something moves it. The
land around has to hold it: where it stands higher than the ground outside its bounds, and within the map, the edge must be
named, `"reflecting"` for the wall of a tank or `"absorbing"` for open water that waves leave and never come back from.
Several ponds may lie in one world; where they overlap the first wet one counts. `moving` grids follow a place that the game
gives: `world.water.follow(creature.position)`. `world.water.splash(at, radius, height)` throws a wave,
`world.water.grids[0].rain_rate = 40.0` lets it rain; `surface`, `depth` and `velocity` of `world.water` answer for any
points.

A pond whose opposite sides are both absorbing may flow: `current_u_per_s` from the beginning, or later
`world.water.set_current((0.5, 0.0), at=(0, 0))`. All of its water is pushed alike, so waves and wakes are only carried
along; bodies and what floats go with it. `(0, 0)` brings it to rest. Obstacles that pierce the surface
(`world.add_obstacle`) are solid to the water until they are removed; it stands as much higher as they take up room. Food
put into a pond without a height drifts.
"""

SEA = """\
All water of the map may flow as well, at any depth: `[current]` from the beginning, `world.set_flow(direction, strength,
period, source)` later. It is added to the current of each pond (`[[water]] current_u_per_s`, `world.water.set_current`),
which is a flow of the shallow water itself and moves its waves; this one carries bodies, plankton, bubbles, seaweed and
floating food, and leaves the surface alone. `world.sea.flow(points)` is the sum of both, 0 outside the water.
"""

CLIMATE = """\
`world.sea.temperature(points)` and `world.sea.brightness(points)` are numbers from 0 to 1. Light comes from the time of day
(1, 0.45 and 0.12) and halves in every 4 units of depth, times `[light] clarity`; `[[shade]]` takes some of it.
`world.set_climate(...)` changes all of it later.
"""

CORALS = """\
Brain, polyp, table and tube corals are obstacles that bodies go around; they pass through the others. Corals keep apart
where there is room, and differ in size by a quarter.
`world.add_coral("brain", (4, 2), 2.5, colour="#3FB35A")` adds one later.
"""

LILIES = """\
Leaves float where there is water. `world.add_plant("lily", (4, 2), 2.5)`, `"lotus"` (a lily in flower) or `"reed"` adds one
later.
"""

WIND = """\
Insects lean into it and lower their bodies. What their feet hold (`[trunk] adhesion` of a species) decides what blows them
away: with the usual 5 weights a sudden wind of 10 to 20, with half a weight one of 2.
`world.set_wind(direction, strength, gusts, period)` changes it later (direction in radians); strength 0 ends it.
"""

NESTS = """\
Ants that the map starts with, and those born later, belong to the nearest nest. `world.add_nest((10, 4), entrances=3)` digs
one later. What they do with it: [insects.md](insects.md).
"""

NOTES = {"current": SEA, "climate": CLIMATE, "wind": WIND, "corals": CORALS, "lilies": LILIES, "nests": NESTS}

TERRAIN = """\
`kind` names a floor and takes its keys, or says that there is none: `shapes` or `mesh`. Any of them may also have
`bounds = [west, south, east, north]`, a list `[[terrain.shapes]]` and one `[terrain.mesh]`. What names no `seed` takes the
world's. Slopes, overhangs and undersides are walked on wherever a body clings.

Ground rises and falls by 10,000 units at most, nothing lies farther out than 1,000,000. A floor has up to 16,000,000 nodes,
hills times nodes 500,000,000; there are up to 10,000 hills and 5,000 shapes, 16 octaves, 500 rings or sectors of a ball, and
500,000 vertices or triangles of a mesh. A mesh file is an OBJ file of at most 64 MB, of which vertices and faces are read;
its `path` begins where the map file lies, or else where the program runs, and never leads to another machine. A map file has
at most 250,000 bytes, enough for a mesh of 4,000 vertices that is written out as `arrays`. Saves and recordings hold meshes
`packed`, so that they need no other file.
"""


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "maps", help="list the worlds, or with --keys every key of a map file",
        description="List the worlds that come with the package, or with --keys every key a map file may have.",
    )
    command.add_argument("--keys", action="store_true", help="the reference of all keys, as Markdown")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..engine.maps import load_map, map_names

    if options.keys:
        print(reference(), end="")
        return 0
    for name in map_names():
        print(f"{name:<14} {load_map(name).source.get('description', 'a flat floor and nothing on it')}")
    return 0


def reference() -> str:
    """The Markdown page with one table per table of a map file."""
    from ..engine.maps import LISTS, TABLES
    from ..engine.terrain.tables import FLOORS, MESHES, SHAPES
    from ..engine.water.pond import Pond

    lines = [INTRODUCTION]
    for name, spec in TABLES.items():
        lines += [f"## [{name}]", "", *([NOTES[name]] if name in NOTES else []), *key_table(spec), ""]
    lines += ["## [terrain]", "", TERRAIN, *record_lines(FLOORS, "kind"), ""]
    lines += ["### [[terrain.shapes]]", "", *record_lines(SHAPES, "kind"), ""]
    lines += ["### [terrain.mesh]", "", *record_lines(MESHES, "source"), ""]
    lines += ["## [[water]]", "", WATER, *key_table(Pond), ""]
    for name, spec in LISTS.items():
        lines += [f"## [[{name}]]", "", *([NOTES[name]] if name in NOTES else []), *key_table(spec), ""]
    return "\n".join(lines)
