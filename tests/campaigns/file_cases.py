"""The kinds of damaged files: species, maps, saves (raw and sealed), recordings and OBJ meshes.

A kind makes its whole originals once, then one case after the other from a random generator. A case is a text that says
what was done, and an attempt to use the file as a game would.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from paludarium import World
from paludarium.engine.errors import PaludariumError, PlaceTakenError
from paludarium.engine.maps import Map
from paludarium.engine.replay import Recording, replay
from paludarium.systems.sea.hooks import Hooks

from .damage import Chance, damaged_bytes, damaged_lines, damaged_tree, odd_value, toml_text
from .outcome import ROOT, SHIPPED_MAPS, TICKS_AFTER_LOAD, steps_finite
from .sealed_saves import changed_save, seal, take_apart

TRAPS = ("campaign_trap", "this", "antigravity")
"""Modules that files name and that nobody may import for that."""
PLUGINS = ("campaign_trap", "campaign_trap:build", "this", "builtins:exit", "os:abort")
TRAP = "from pathlib import Path\nPath('trapped').write_text('code of a file was run')\ndef build(world): pass\n"
SMALL: dict[str, Any] = {
    "name": "small", "area": {"width_u": 60, "height_u": 60}, "light": {"time": "dusk"},
    "terrain": {"kind": "gaussians", "elevation": 1.5, "hills": [[0, 0, -6.0, 9.0], [18, 12, 1.0, 6.0]]},
    "water": [{"bounds": [-16, -16, 16, 16], "level_u": 0.0, "cell_u": 1.0, "rain_per_s": 2.0}],
    "food": [{"count": 3, "spread_u": 20, "amount": 2.0}],
    "obstacles": [{"kind": "box", "at_u": [22, -20], "size_u": [2.0, 4.0]}, {"kind": "sphere", "at_u": [-24, 20]}],
    "creatures": [{"species": "pauropod", "at_u": [-22, -22]}],
    "physics": {"gravity_u_per_s2": 9.8}, "shade": [{"at_u": [3, 3], "radius_u": 4.0}],
    "current": {"strength_u_per_s": 0.3, "period_s": 2.0}, "climate": {"surface_temperature": 0.8, "bed_temperature": 0.3},
    "plankton": [{"count": 20, "spread_u": 6.0, "regrow_s": 0.5}], "bubbles": [{"count": 4}],
    "seaweed": [{"clusters": 2, "leaves": 3, "height_u": 2.0, "spread_u": 4.0}],
    "corals": [{"kind": "brain", "at_u": [0, -7], "radius_u": 0.8}, {"kind": "fan", "at_u": [0, 6], "spread_u": 1}],
    "lilies": [{"count": 2, "at_u": [-6, 0], "radius_u": 0.6}],
    "reeds": [{"at_u": [0, -13], "spread_u": 2, "radius_u": 0.5}],
    "nests": [{"at_u": [-22, 0], "entrances": 2, "spread_u": 2.0}], "bed": {"kind": "pebbles"},
}  # fmt: skip
IN_WATER: dict[str, Any] = {"plankton": [], "bubbles": [], "seaweed": [], "corals": [], "lilies": [], "reeds": []}
"""What a map without water cannot have."""
GROUNDS: tuple[dict[str, Any], ...] = (
    {"kind": "noise", "amplitude": 1.0, "scale": 12.0, "octaves": 3}, {"kind": "flat"},
    {"kind": "random_gaussians", "count": 5},
    {"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": 20}]},
    {"kind": "mesh", "mesh": {"source": "ball", "radius": 12.0, "rings": 8, "sectors": 8, "field_nodes": 12, "cells": 8}},
)  # fmt: skip
SHIPPED_SHARE = 0.3
"""Of cases that change a map that ships, or a save of one; the others change the small map."""
ONE_OF_EACH = ("pauropod", "swimmer", "silverside", "worker_ant", "ground_beetle", "eel", "frog")
"""Animals of all families, for maps that have not all of them."""
CALLS = ("save", "load", "__init__", "__class__", "__setattr__", "add_species", "define_species", "add_part", "add_system",
         "install", "on", "emit", "step", "spawn", "despawn", "goto", "push", "kill", "attach", "splash", "follow", "tier",
         "faction", "rows", "world", "parts", "add_food", "add_obstacle", "add_stimulus", "set_relation", "release",
         "restore", "add_nest", "add_coral", "add_plant", "set_wind", "set_hook", "tune", "carry", "drop", "set_rain",
         "set_time_of_day")  # fmt: skip


class Case(NamedTuple):
    text: str
    attempt: Callable[[], str | None]


class Original(NamedTuple):
    """A save as it was written."""

    name: str
    file: Path
    header: dict[str, Any]
    arrays: list[Any]


class Files:
    """What all kinds share: a folder, and a name for the file of the next case."""

    quiet = True
    """Nothing may be written or imported while the file is used."""
    suffix = ".toml"
    number = 0
    """Of the case that comes next."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / f"case{self.suffix}"
        (folder / "campaign_trap.py").write_text(TRAP)
        self.prepare()

    def prepare(self) -> None: ...

    def case(self, chance: Chance) -> Case:
        raise NotImplementedError


def lives(world: World, file: Path) -> str | None:
    """Let an animal of a file live for some ticks, on land or else in the pond; returns what is wrong then."""
    species = world.species.add(file)
    try:
        world.spawn(species, at=(0.0, 20.0))
    except PlaceTakenError:
        world.spawn(species, at=(11.0, 0.0))
    return steps_finite(world, TICKS_AFTER_LOAD, unrepaired=True)


class SpeciesFiles(Files):
    def prepare(self) -> None:
        self.texts = {file.stem: file.read_text() for file in sorted((ROOT / "assets" / "species").glob("*.toml"))}
        self.ground = Map.define(**{**SMALL, "creatures": [], "food": [], "obstacles": []})
        World(seed=1, map=self.ground).spawn("swimmer", at=(11.0, 0.0))

    def case(self, chance: Chance) -> Case:
        name = str(chance.choice(sorted(self.texts)))
        text, words = self.texts[name], "bytes"
        deed = chance.random()
        if deed < 0.15:
            self.file.write_bytes(damaged_bytes(chance, text.encode()))
        elif deed < 0.35:
            words = "lines"
            self.file.write_text(damaged_lines(chance, text))
        else:
            tables, words = damaged_tree(chance, tomllib.loads(text))
            self.file.write_text(toml_text(tables))
        return Case(f"{name}: {words}", self.use)

    def use(self) -> str | None:
        return lives(World(seed=1, map=self.ground), self.file)


class MapFiles(Files):
    def prepare(self) -> None:
        bare = {**SMALL, **IN_WATER, "water": [], "obstacles": [], "creatures": []}
        self.maps = [SMALL, *({**bare, "terrain": ground} for ground in GROUNDS)]
        folder = ROOT / "assets" / "worlds"
        self.shipped = [{"name": name, **tomllib.loads((folder / f"{name}.toml").read_text())} for name in SHIPPED_MAPS]
        self.file.write_text(toml_text(SMALL))
        World(seed=1, map=self.file).step(3)

    def case(self, chance: Chance) -> Case:
        maps = self.shipped if chance.random() < SHIPPED_SHARE else self.maps
        tables = maps[int(chance.integers(len(maps)))]
        words = "bytes"
        deed = chance.random()
        if deed < 0.15:
            self.file.write_bytes(damaged_bytes(chance, toml_text(tables).encode()))
        elif deed < 0.3:
            words = "lines"
            self.file.write_text(damaged_lines(chance, toml_text(tables)))
        else:
            other, words = damaged_tree(chance, tables)
            self.file.write_text(toml_text(other) if isinstance(other, dict) else "x")
        return Case(f"{tables['name']} ({tables['terrain']['kind']}): {words}", self.use)

    def use(self) -> str | None:
        return steps_finite(World(seed=1, map=self.file), TICKS_AFTER_LOAD, unrepaired=True)


def lively_world(precision: str = "float64") -> World:
    """A small world with one of everything that a save holds."""
    world = World(seed=3, map=Map.define(**SMALL), precision=precision)
    walker = world.spawn("stone_centipede", at=(-20.0, 0.0), faction="red")
    swimmer = world.spawn("swimmer", at=(11.0, 0.0), faction="blue")
    world.spawn("millipede", at=(10.0, 24.0)).kill()
    world.set_relation("red", "blue", "hostile")
    world.add_stimulus("threat", at=(5.0, 5.0), radius=8.0, seconds=9.0)
    hook = world.add_hook((1.0, 0.0), depth=1.0)
    world.step(20)
    world.resource(Hooks).bite(hook.rows.start, swimmer.serial)
    world.add_hook((0.0, 1.0), depth=2.0)
    walker.sever(8).push((0.0, 0.0, 3.0))
    swimmer.goto((5.0, 5.0))
    world.spawn("pauropod", at=(-24.0, -10.0)).follow_path([(-24.0, -12.0), (-20.0, -20.0)])
    fish, ant = world.spawn("silverside", at=(0.0, 0.0)), world.spawn("worker_ant", at=(-24.0, 4.0))
    fish.tune(stiffness=1.5)
    ant.carry(world.add_food((-23.0, 5.0), amount=0.3))
    world.spawn("eel", at=(3.0, 3.0)).follow_path([(6.0, 0.0), (0.0, 6.0)], loop=True)
    world.spawn("frog", at=(-4.0, -3.0))
    world.set_wind(direction=1.0, strength=0.5, gusts=0.2)
    world.step(10)
    return world


def world_on(name: str) -> World:
    """A map that ships, with what lives there and with animals of all families; some of them are cut, dead or led."""
    world = World(seed=3, map=name)
    for species in ONE_OF_EACH:
        with suppress(PaludariumError):  # there may be no room
            world.spawn(species, spread=8.0)
    for creature in list(world.creatures.values())[:: len(world.creatures) // 5 + 1]:
        with suppress(PaludariumError):
            creature.sever(len(creature.segments) // 2)
        creature.push((1.0, 0.0, 2.0))
    next(iter(world.creatures.values())).kill()
    world.add_stimulus("threat", at=(2.0, 2.0), radius=8.0, seconds=9.0)
    world.step(10)
    return world


class RawSaves(Files):
    """Saves of a small world with one of everything, and of the maps that ship: those when their turn comes."""

    suffix = ".palu"
    small = staticmethod(lively_world)

    def prepare(self) -> None:
        self.known: dict[str, Original] = {}
        World.load(self.original("").file).step(TICKS_AFTER_LOAD)

    def chosen(self, chance: Chance) -> Original:
        return self.original(str(chance.choice(SHIPPED_MAPS)) if chance.random() < SHIPPED_SHARE else "")

    def original(self, name: str) -> Original:
        """The whole save of a map, or of the small world."""
        if name not in self.known:
            whole = self.folder / f"whole_{name}.palu"
            (world_on(name) if name else self.small()).save(whole)
            self.known[name] = Original(name or "small", whole, *take_apart(whole))
        return self.known[name]

    def case(self, chance: Chance) -> Case:
        content = damaged_bytes(chance, self.chosen(chance).file.read_bytes())
        self.file.write_bytes(content)
        return Case(f"bytes; {len(content)} of them", self.use)

    def use(self) -> str | None:
        return steps_finite(World.load(self.file), TICKS_AFTER_LOAD)


class SealedSaves(RawSaves):
    def case(self, chance: Chance) -> Case:
        whole = self.chosen(chance)
        if chance.random() < 0.05:
            header = json.loads(json.dumps(whole.header))
            header["plugins"].append(str(chance.choice(PLUGINS)))
            seal(self.file, header, whole.arrays)
            return Case(f"plugins {header['plugins'][-1]}", self.use)
        header, arrays, words = changed_save(chance, whole.header, whole.arrays)
        seal(self.file, header, arrays)
        return Case(f"{whole.name}: {words}", self.use)


class Recordings(Files):
    suffix = ".jsonl"

    def prepare(self) -> None:
        world = World(seed=5, map=Map.define(**{**SMALL, "creatures": []}))
        recording, whole = Recording(world), self.folder / "whole.jsonl"
        walker, other = world.spawn("pauropod", at=(-20.0, 0.0)), world.spawn("pauropod", at=(-20.0, 12.0))
        walker.goto((-10.0, 0.0))
        world.step(3)
        other.follow(walker)
        food = world.add_food((-22.0, 3.0))
        world.add_stimulus("threat", at=(5.0, 5.0), radius=8.0, seconds=9.0)
        walker.push((0.0, 0.0, 2.0), segment=1)
        walker.faction = "red"
        world.set_flow(strength=0.5, period=1.0)
        weed, hook = world.add_seaweed((0, 0), leaves=2, height=2.0)[0], world.add_hook((1.0, 0.0), depth=1.0)
        hook.reel(0.5)
        fish, ant = world.spawn("silverside", at=(0.0, 0.0)), world.spawn("worker_ant", at=(-24.0, 4.0))
        fish.tune(stiffness=1.5)
        ant.load = 2.0
        world.spawn("eel", at=(3.0, 3.0)).goto((6.0, 0.0))
        world.add_nest((-22.0, -8.0), entrances=2)
        world.add_coral("brain", (2.0, -6.0), radius=0.5)
        world.set_wind(direction=1.0, strength=0.5)
        world.set_relation("red", "blue", "hostile")
        world.water.splash((0.0, 0.0), 1.0, 0.5)
        world.step(3)
        food.remove()
        weed.remove()
        other.kill()
        world.add_obstacle("sphere", (20.0, -5.0), 1.0)
        world.step(2)
        recording.save(whole)
        replay(whole)
        self.text = whole.read_text()
        self.lines = [json.loads(line) for line in self.text.splitlines()]

    def case(self, chance: Chance) -> Case:
        deed = chance.random()
        if deed < 0.1:
            self.file.write_bytes(damaged_bytes(chance, self.text.encode()))
            return Case("bytes", self.use)
        if deed < 0.2:
            self.file.write_text(damaged_lines(chance, self.text))
            return Case("lines", self.use)
        if deed < 0.5:
            lines, words = damaged_tree(chance, self.lines)
        else:
            lines, words = self.attacked(chance)
        self.file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return Case(words, self.use)

    def attacked(self, chance: Chance) -> tuple[list[Any], str]:
        """A log with a call in it that nobody would make, or with plugins that are not ours."""
        lines = json.loads(json.dumps(self.lines))
        if chance.random() < 0.15:
            lines[0]["plugins"].append(str(chance.choice(PLUGINS)))
            return lines, f"plugins {lines[0]['plugins'][-1]}"
        place = int(chance.integers(1, len(lines)))
        kind = str(chance.choice(["world", "water", "verb", "set", "release", "mod", ""]))
        arguments: list[Any] = [odd_value(chance) for _ in range(int(chance.integers(0, 4)))]
        if chance.random() < 0.5:
            arguments.insert(0, {"creature": int(chance.integers(0, 4))})
        if chance.random() < 0.3:
            arguments = [str(self.folder / "overwritten"), *arguments]
        options = {"mods": str(self.folder)} if chance.random() < 0.2 else {}
        if chance.random() < 0.3:  # the worst ones, as they would be meant
            worst = [("save", [str(self.folder / "overwritten")], {}), ("__init__", [1, "flat"], {"mods": str(self.folder)})]
            name, arguments, options = worst[int(chance.integers(2))]
            lines.insert(place, [int(chance.integers(0, 9)), "world", name, arguments, options])
            return lines, f"line {place}: {name}"
        call = [int(chance.integers(0, 9)), kind, str(chance.choice(CALLS)), arguments, options]
        lines.insert(place, call)
        return lines, f"line {place}: {call}"[:200]

    def use(self) -> str | None:
        return steps_finite(replay(self.file), TICKS_AFTER_LOAD)


class ObjMeshes(Files):
    suffix = ".obj"

    def prepare(self) -> None:
        from paludarium.engine.terrain.mesh_shapes import uv_sphere

        vertices, faces = uv_sphere(12.0, 6, 6)
        lines = ["v " + " ".join(f"{value:.4f}" for value in vertex) for vertex in np.asarray(vertices).tolist()]
        lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in np.asarray(faces).tolist()]
        self.text = "\n".join(lines) + "\n"
        self.file.write_text(self.text)
        self.use()

    def case(self, chance: Chance) -> Case:
        deed = chance.random()
        if deed < 0.3:
            self.file.write_bytes(damaged_bytes(chance, self.text.encode()))
        elif deed < 0.7:
            self.file.write_text(damaged_lines(chance, self.text))
        else:
            words = self.text.split(" ")
            for _ in range(int(chance.integers(1, 4))):
                words[int(chance.integers(len(words)))] = str(odd_value(chance))
            self.file.write_text(" ".join(words))
        return Case("bytes, lines or words", self.use)

    def use(self) -> str | None:
        mesh = {"source": "file", "path": str(self.file), "field_nodes": 8, "cells": 8}
        area = {"width_u": 60, "height_u": 60}
        return steps_finite(World(seed=1, map=Map.define(area=area, terrain={"kind": "mesh", "mesh": mesh})), 1)


KINDS: dict[str, type[Files]] = {
    "species files": SpeciesFiles, "map files": MapFiles, "saves, damaged": RawSaves, "saves, sealed": SealedSaves,
    "recordings": Recordings, "OBJ meshes": ObjMeshes,
}  # fmt: skip
