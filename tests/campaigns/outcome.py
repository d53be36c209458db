"""What a campaign hands back: how many cases it tried, how they ended, and the first failure of every kind."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from paludarium import World
from paludarium.engine.errors import PaludariumError
from paludarium.engine.events import Event
from paludarium.engine.ticking import run_ticks
from paludarium.tests.pool_rows import live_rows

ROOT = Path(__file__).resolve().parents[2]
SHIPPED_MAPS = tuple(sorted(file.stem for file in Path(ROOT, "assets", "worlds").glob("*.toml")))
LOADED, REFUSED = "loaded", "refused"
"""The two ends that are allowed: it works, or an error of ours says why not."""
TICKS_AFTER = 3
TICKS_AFTER_LOAD = 60
REPAIR = "went_wrong"
"""The event that names a creature whose numbers were no numbers any more."""
MOD_FAILED = "mod_failed"
"""The event that tells of an error which the tick has survived."""
FOREIGN, IN_A_TICK = "foreign", "in a tick"
"""How the words for errors begin that are no refusal: those of another kind, and all that come while ticks run."""
UNLIMITED = {("StimulusPool", "seconds_left")}
"""Columns in which infinity has a meaning: it lasts for ever."""
LONGEST_MESSAGE = 160


@dataclass
class Report:
    """The result of one campaign. A failure is told by a kind that says what happened where, and by its first case."""

    name: str
    seed: int
    tried: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)

    def add(self, outcome: str, case: str = "") -> None:
        """Count a case; whatever is not allowed is a failure."""
        self.tried += 1
        if outcome in (LOADED, REFUSED):
            self.outcomes[outcome] += 1
        else:
            self.failures[outcome] += 1
            self.first.setdefault(outcome, case)

    @property
    def failed(self) -> int:
        return sum(self.failures.values())

    def __str__(self) -> str:
        head = f"{self.name}: {self.tried} tried, {self.failed} failed, {dict(self.outcomes)} {self.figures or ''}"
        kinds = (f"  {count} x {kind}\n      first: {self.first[kind]}" for kind, count in self.failures.most_common())
        return "\n".join([head, *kinds])


def what_became_of(attempt: Any) -> str:
    """Run an attempt; returns how it ended. An attempt returns None, or a text that says what is wrong with the result.

    An error of ours is a refusal, unless it comes out of a tick: what was accepted has to work.
    """
    try:
        return attempt() or LOADED
    except BaseException as problem:  # an exit is as foreign as a KeyError
        if isinstance(problem, KeyboardInterrupt):
            raise
        ticking = came_out_of_a_tick(problem)
        if isinstance(problem, PaludariumError) and not ticking:
            return REFUSED
        kind = IN_A_TICK if ticking else FOREIGN
        return f"{kind} {type(problem).__name__} at {_place_of(problem)}: {str(problem)[:LONGEST_MESSAGE]}"


def is_error(outcome: str) -> bool:
    """Whether an attempt ended with an error that is no refusal."""
    return outcome.startswith((FOREIGN, IN_A_TICK))


def came_out_of_a_tick(problem: BaseException | None) -> bool:
    """Whether an error, or one of those it was made of, came while ticks ran."""
    while problem is not None:
        if any(frame.f_code is run_ticks.__code__ for frame, _ in traceback.walk_tb(problem.__traceback__)):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def kind_of(outcome: str) -> str:
    """An outcome without what differs from case to case: cases of one kind have one cause."""
    return outcome.partition(": ")[0] if is_error(outcome) else outcome


def steps_finite(world: World, ticks: int = TICKS_AFTER, *, unrepaired: bool = False) -> str | None:
    """Run some ticks; returns what is wrong afterwards, None if nothing is.

    unrepaired: that a creature had to be reset or taken out on the way is wrong, too: what a file of ours allows must work.
    """
    survived = survived_problems(world, (MOD_FAILED, REPAIR) if unrepaired else (MOD_FAILED,))
    world.step(ticks)
    return first_fault(world) or (f"{survived[0].kind} within {ticks} ticks" if survived else None)


def survived_problems(world: World, kinds: tuple[str, ...] = (MOD_FAILED,)) -> list[Event]:
    """The events, from now on, that tell of what a tick has survived."""
    survived: list[Event] = []
    for kind in kinds:
        if kind in world.events:
            world.on(kind, survived.append)
    return survived


def goes_on_alike(world: World, copy: World, ticks: int = TICKS_AFTER_LOAD) -> str | None:
    """Run a world and its copy; returns what is wrong in the copy or differs, None if nothing is."""
    steps_finite(world, ticks)
    wrong = steps_finite(copy, ticks)
    return wrong or (None if copy.state_hash() == world.state_hash() else f"the hash differs {ticks} ticks after a load")


def first_fault(world: World) -> str | None:
    """The first thing that no world may hold: NaN, infinity, spans that overlap or rows that nobody owns."""
    for name, pool in world.pools.items():
        spans = np.asarray(pool.spans, dtype=np.int64)
        ends = spans.sum(axis=1)
        if (spans < 0).any() or (ends > pool.capacity).any() or (spans[1:, 0] < ends[:-1]).any():
            return f"spans of {name} overlap or leave it"
        if not pool.aligned and live_rows(pool) != int((pool.owner[: pool.end] != -1).sum()):
            return f"spans and owners of {name} disagree"
        for column in pool.columns:
            values = pool.live(column)
            if values.dtype.kind == "f" and not np.isfinite(values).all():
                if (name, column) not in UNLIMITED or np.isnan(values).any():
                    return f"not finite: {name}.{column}"
    for name, owner in world.states.items():
        for key, values in owner.state().items():
            if values.dtype.kind == "f" and not np.isfinite(values).all():
                return f"not finite: {name}.{key}"
    return None


def _place_of(problem: BaseException) -> str:
    """The innermost line of ours that an error came through."""
    place = "?"
    for frame in traceback.extract_tb(problem.__traceback__):
        file = Path(frame.filename)
        if "campaigns" not in file.parts and file.is_relative_to(ROOT):
            place = f"{file.relative_to(ROOT).as_posix().removeprefix('.dev/paludarium/')}:{frame.name}"
    return place
