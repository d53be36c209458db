"""Random sequences of public calls, right and wrong ones, with what must hold after each of them.

A call works or is refused with an error of ours; no error comes out of a tick. A refused call changes nothing (equal
`state_hash`), no pool ever holds NaN or rows without an owner, and a world that is saved and loaded has the hash it had,
also a second later. Failures are counted, and the sequence goes on in a fresh world.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from paludarium import World
from paludarium.engine.errors import PaludariumError, PlaceTakenError, shortened
from paludarium.engine.maps import Map

from .damage import ODD_VALUES
from .file_cases import SMALL
from .outcome import (
    LOADED,
    REFUSED,
    SHIPPED_MAPS,
    Report,
    first_fault,
    goes_on_alike,
    kind_of,
    survived_problems,
    what_became_of,
)

CALLS_PER_SEQUENCE = 40
MOST_ADDED = 10
"""Creatures beyond those that the map has; more only make calls slower."""
GROUNDS = (*("",) * 9, *SHIPPED_MAPS)
"""Maps to begin on: mostly the small one with all kinds of things, half as often one that ships."""
PRECISIONS = ("float64", "float64", "float32")
SPECIES = ("pauropod", "stone_centipede", "swimmer", "robot", "giant_centipede", "silverside", "clownfish", "worker_ant",
           "ground_beetle", "eel", "frog", "sea_turtle")  # fmt: skip
odd = st.sampled_from(ODD_VALUES)
place = st.tuples(st.floats(-28, 28), st.floats(-28, 28))
number, length = st.floats(-20, 20), st.floats(0.1, 20)
vector = st.tuples(number, number, number)
who = st.integers(0, 99)
wet, share = st.tuples(st.floats(-8, 8), st.floats(-8, 8)), st.floats(0, 1)


def mostly(sane: Any) -> Any:
    """A strategy that is odd in one draw of seven."""
    return st.integers(0, 6).flatmap(lambda draw: odd if draw == 0 else sane)


class Calls(RuleBasedStateMachine):
    """One world, the handles a game would keep of it, stale ones among them, and the report of all sequences."""

    report: Report
    folder: Path

    @initialize(number=st.integers(0, 1000), ground=st.sampled_from(GROUNDS), precision=st.sampled_from(PRECISIONS))
    def begin(self, number: int, ground: str, precision: str) -> None:
        self.number, self.ground, self.precision = number, ground, precision
        world_map = ground or Map.define(**{**SMALL, "creatures": []})
        self.enter(World(seed=number, map=world_map, precision=precision))
        self.most = len(self.world.creatures) + MOST_ADDED
        self.held: list[Any] = [*list(self.world.creatures.values())[:3]]
        with suppress(PlaceTakenError):
            self.held.append(self.world.spawn("stone_centipede", at=(-20.0, 10.0)))

    def enter(self, world: World) -> None:
        """Go on in this world."""
        self.world, self.survived = world, survived_problems(world)
        self.things: list[Any] = []  # of the sea; those of a world that was saved are not kept

    def call(self, text: str, function: Any, *arguments: Any, **options: Any) -> Any:
        """Make a call; count what comes of it."""
        said = f"{text}{shortened(arguments)} {shortened(options) if options else ''}"
        before, result = self.world.state_hash(), []
        outcome = what_became_of(lambda: result.append(function(*arguments, **options)))
        if outcome == REFUSED and self.world.state_hash() != before:
            outcome = f"refused {text} changed the world"
        self.judge(outcome if outcome not in (LOADED, REFUSED) else self.fault() or outcome, said)
        return result[0] if result else None

    def fault(self) -> str | None:
        """What is wrong in the world now."""
        return first_fault(self.world) or (self.survived[0].kind if self.survived else None)

    def judge(self, outcome: str, said: str) -> None:
        self.report.add(kind_of(outcome), f"tick {self.world.tick}: {said} -> {outcome}")
        if kind_of(outcome) in self.report.failures:
            self.begin(self.number + 1, self.ground, self.precision)

    def one(self, index: int) -> Any:
        return self.held[index % len(self.held)]

    def verb(self, index: int, name: str) -> Any:
        """The method of one of the creatures held, stale or not; looked up when it is called."""
        creature = self.one(index)
        return lambda *arguments, **options: getattr(creature, name)(*arguments, **options)

    @property
    def crowded(self) -> bool:
        return len(self.world.creatures) >= self.most

    @precondition(lambda self: not self.crowded)
    @rule(species=mostly(st.sampled_from(SPECIES)), at=mostly(place), heading=mostly(number),
          faction=mostly(st.sampled_from(["", "red"])), tier=mostly(st.sampled_from(["full", "bush", "follow"])),
          spread=mostly(st.sampled_from([0.0, 5.0])))  # fmt: skip
    def spawn(self, **options: Any) -> None:
        born = self.call("spawn", self.world.spawn, **options)
        if born is not None:
            self.held.append(born)

    @rule(index=who)
    def despawn(self, index: int) -> None:
        self.call("despawn", self.world.despawn, self.one(index))

    @rule(index=who, verb=st.sampled_from(["goto", "flee_from"]), at=mostly(place), radius=mostly(length))
    def go(self, index: int, verb: str, at: Any, radius: Any) -> None:
        self.call(verb, self.verb(index, verb), at, radius)

    @rule(index=who, other=who, verb=st.sampled_from(["follow", "flee_from"]), distance=mostly(length))
    def follow(self, index: int, other: int, verb: str, distance: Any) -> None:
        self.call(verb, self.verb(index, verb), self.one(other), distance)

    @rule(index=who, points=mostly(st.lists(mostly(place), max_size=3)), loop=st.booleans())
    def follow_path(self, index: int, points: Any, loop: bool) -> None:
        self.call("follow_path", self.verb(index, "follow_path"), points, loop=loop)

    @rule(index=who, speed=mostly(number), turn=mostly(number), climb=mostly(number))
    def control(self, index: int, speed: Any, turn: Any, climb: Any) -> None:
        self.call("control", self.verb(index, "control"), speed, turn, climb)

    @rule(index=who, impulse=mostly(vector), segment=mostly(st.integers(0, 5)))
    def push(self, index: int, impulse: Any, segment: Any) -> None:
        self.call("push", self.verb(index, "push"), impulse, segment=segment)

    @precondition(lambda self: not self.crowded)
    @rule(index=who, joint=mostly(st.integers(0, 8)))
    def sever(self, index: int, joint: Any) -> None:
        rear = self.call("sever", self.verb(index, "sever"), joint)
        if rear is not None:
            self.held.append(rear)

    @rule(index=who, verb=st.sampled_from(["kill", "release", "drop"]))
    def end(self, index: int, verb: str) -> None:
        self.call(verb, self.verb(index, verb))

    @rule(index=who, name=st.sampled_from(["tier", "faction"]),
          value=mostly(st.sampled_from(["full", "bush", "follow", "red"])))  # fmt: skip
    def assign(self, index: int, name: str, value: Any) -> None:
        self.call(f"{name} =", partial(setattr, self.one(index)), name, value)

    @rule(at=mostly(place), amount=mostly(length), kind=mostly(st.sampled_from(["fruit", "plankton"])))
    def add_food(self, **options: Any) -> None:
        self.keep(self.call("add_food", self.world.add_food, **options))

    @rule(index=who, stiffness=mostly(share), damping=mostly(share), mass=mostly(length), water=mostly(share))
    def tune(self, index: int, **options: Any) -> None:
        self.call("tune", self.verb(index, "tune"), **options)

    @rule(index=who, thing=who, weight=mostly(length))
    def carry(self, index: int, thing: int, weight: Any) -> None:
        held = self.things[thing % len(self.things)] if self.things else weight
        self.call("carry", self.verb(index, "carry"), held)
        self.call("load =", partial(setattr, self.one(index)), "load", weight)

    @rule(at=mostly(place), entrances=mostly(st.integers(1, 4)), spread=mostly(length), radius=mostly(share))
    def add_nest(self, **options: Any) -> None:
        self.call("add_nest", self.world.add_nest, **options)

    @rule(kind=mostly(st.sampled_from(["brain", "fan", "table"])), at=mostly(wet), radius=mostly(share),
          height=mostly(length), colour=mostly(st.just("#8FB048")), seed=mostly(st.integers(0, 99)))  # fmt: skip
    def add_coral(self, **options: Any) -> None:
        self.keep(self.call("add_coral", self.world.add_coral, **options))

    @rule(kind=mostly(st.sampled_from(["lily", "reed"])), at=mostly(wet), radius=mostly(share))
    def add_plant(self, **options: Any) -> None:
        self.keep(self.call("add_plant", self.world.add_plant, **options))

    @rule(direction=mostly(number), strength=mostly(length), gusts=mostly(share), period=mostly(length))
    def set_wind(self, **options: Any) -> None:
        self.call("set_wind", self.world.set_wind, **options)

    @rule(drops=mostly(share))
    def set_rain(self, **options: Any) -> None:
        self.call("set_rain", self.world.set_rain, **options)

    @rule(time=mostly(st.sampled_from(["day", "dusk", "night"])))
    def set_time_of_day(self, **options: Any) -> None:
        self.call("set_time_of_day", self.world.set_time_of_day, **options)

    @rule(kind=mostly(st.sampled_from(["sphere", "cylinder", "box"])), at=mostly(place), radius=mostly(st.floats(0.2, 3)),
          height=mostly(length), heading=mostly(number))  # fmt: skip
    def add_obstacle(self, **options: Any) -> None:
        self.call("add_obstacle", self.world.add_obstacle, **options)

    @rule(kind=mostly(st.sampled_from(["food", "threat"])), at=mostly(place), strength=mostly(length), radius=mostly(length),
          seconds=mostly(length))  # fmt: skip
    def add_stimulus(self, **options: Any) -> None:
        self.call("add_stimulus", self.world.add_stimulus, **options)

    @rule(one=mostly(st.sampled_from(["red", "blue"])), other=mostly(st.just("red")),
          relation=mostly(st.sampled_from(["hostile", "allied", "neutral"])))  # fmt: skip
    def set_relation(self, one: Any, other: Any, relation: Any) -> None:
        self.call("set_relation", self.world.set_relation, one, other, relation)

    @rule(direction=mostly(number), strength=mostly(st.floats(0, 5)), period=mostly(length), source=mostly(length))
    def set_flow(self, **options: Any) -> None:
        self.call("set_flow", self.world.set_flow, **options)

    @rule(surface_temperature=mostly(share), bed_temperature=mostly(share), brightness=mostly(share))
    def set_climate(self, **options: Any) -> None:
        self.call("set_climate", self.world.set_climate, **options)

    @rule(count=mostly(st.integers(1, 40)), at=mostly(wet), spread=mostly(length), regrow=mostly(length))
    def add_plankton(self, **options: Any) -> None:
        self.keep(self.call("add_plankton", self.world.add_plankton, **options))

    @rule(at=mostly(wet), clusters=mostly(st.integers(1, 3)), leaves=mostly(st.integers(1, 6)), height=mostly(length),
          spread=mostly(length))  # fmt: skip
    def add_seaweed(self, **options: Any) -> None:
        self.keep(*(self.call("add_seaweed", self.world.add_seaweed, **options) or ()))

    @rule(at=mostly(wet), count=mostly(st.integers(1, 9)), rise=mostly(length), size=mostly(length))
    def add_bubbles(self, **options: Any) -> None:
        self.keep(self.call("add_bubbles", self.world.add_bubbles, **options))

    @rule(at=mostly(wet), depth=mostly(st.floats(0, 3)), bait=mostly(st.booleans()))
    def add_hook(self, **options: Any) -> None:
        self.keep(self.call("add_hook", self.world.add_hook, **options))

    @precondition(lambda self: self.things)
    @rule(index=who, deed=st.sampled_from(["remove", "rebait"]), speed=mostly(number))
    def use_thing(self, index: int, deed: str, speed: Any) -> None:
        thing = self.things[index % len(self.things)]
        if hasattr(thing, deed):
            self.call(deed, getattr(thing, deed))
        if hasattr(thing, "reel"):
            self.call("reel", thing.reel, speed)

    @rule(index=who, thing=who)
    def look(self, index: int, thing: int) -> None:
        """What a game prints, of what is there and of what has gone."""
        self.call("repr", repr, self.one(index))
        if self.things:
            self.call("repr", repr, self.things[thing % len(self.things)])

    def keep(self, *things: Any) -> None:
        self.things += [thing for thing in things if thing is not None]

    @rule(point=mostly(place), radius=mostly(length))
    def ask(self, point: Any, radius: Any) -> None:
        self.call("near", self.world.near, point, radius)
        self.call("hit", self.world.hit, point, radius)
        self.call("raycast", self.world.raycast, point, (0.0, 0.0), radius)

    @rule(ticks=st.integers(1, 5))
    def step(self, ticks: int) -> None:
        self.call("step", self.world.step, ticks)

    @rule()
    def save_and_load(self) -> None:
        file, before, copies = self.folder / "world.palu", self.world.state_hash(), list[World]()

        reason = ""

        def copied() -> str | None:
            nonlocal reason
            try:
                self.world.save(file)
                copies.append(World.load(file))
            except PaludariumError as problem:
                reason = str(problem)[:200]
                raise
            if copies[0].state_hash() != before:
                return "the hash differs after save and load"
            return goes_on_alike(self.world, copies[0])

        outcome = what_became_of(copied)
        if outcome == REFUSED:
            outcome = "a world that was well cannot be saved and loaded"
        if copies:
            self.enter(copies[0])
            self.held = [copies[0].creatures.get(creature.serial, creature) for creature in self.held]
        self.judge(outcome, f"save and load {reason}")


def run(seed_: int, count: int) -> Report:
    """So many sequences of calls."""
    with tempfile.TemporaryDirectory() as folder:
        report = Report("sequences of calls", seed_)
        machine = type("Calls", (Calls,), {"report": report, "folder": Path(folder)})
        chosen = settings(max_examples=count, stateful_step_count=CALLS_PER_SEQUENCE, database=None, deadline=None,
                          phases=[Phase.generate], suppress_health_check=list(HealthCheck))  # fmt: skip
        run_state_machine_as_test(seed(seed_)(machine), settings=chosen)
        report.figures["sequences"] = count
    return report
