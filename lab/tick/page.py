"""Writes the parts of docs/tick.md that are made from the list of steps: ``python -m paludarium.lab.tick.page``."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from ...systems.brain.mode_registry import BUILT_IN_PRIORITY
from ...systems.tick import ALL, MODES, SEA, TICK, Step
from .effects import effects_of
from .source import ROOT
from .values import Effect

PAGE = ROOT / "docs" / "tick.md"
BEGIN, END = "<!-- {name}: made from systems/tick.py by `python -m paludarium.lab.tick.page` -->", "<!-- end of {name} -->"


def steps_table() -> str:
    """The whole tick, a row per step."""
    rows = [f"| {step.phase.name} | {step.system} | {owner_of(step)} | {step.does} |" for step in TICK]
    return "\n".join(["| phase | system | whose | does |", "|---|---|---|---|", *rows])


def modes_table() -> str:
    """All brain modes of walking animals, highest priority first."""
    compiled = [(priority, mode.name, ALL, "compiled, in `systems/brain/`") for mode, priority in BUILT_IN_PRIORITY.items()]
    added = [(mode.priority, mode.name, mode.whose, mode.does) for mode in MODES]
    falling = sorted([*compiled, *added], reverse=True)
    rows = [f"| {priority:g} | {name} | {whose} | {does} |" for priority, name, whose, does in falling]
    return "\n".join(["| priority | mode | whose | does |", "|---|---|---|---|", *rows])


def effects_list() -> str:
    """What each step writes, column by column, and which pools it reads."""
    lines = []
    for step in TICK:
        effects = effects_of(step)
        read = sorted({pool_name(pool) for pool, _ in effects.reads})
        written_columns, read_pools = _columns(effects.writes) or "no column", ", ".join(read) or "no pool"
        lines.append(f"- **{step.system}** writes {written_columns}; reads {read_pools}.")
    return "\n".join(lines)


PARTS = {"steps": steps_table, "modes": modes_table, "effects": effects_list}


def owner_of(step: Step) -> str:
    """Whose step it is, as the page says it."""
    return {ALL: "all"}.get(step.whose, "sea" if step.whose.startswith(SEA) else step.whose)


def written(page: str) -> str:
    """The page with its made parts as they should be."""
    for name, make in PARTS.items():
        begin, end = BEGIN.format(name=name), END.format(name=name)
        before, _, rest = page.partition(begin)
        _, mark, after = rest.partition(end)
        if not mark:
            raise ValueError(f"{PAGE.name}: the marks of {name} are missing")
        page = f"{before}{begin}\n{make()}\n{end}{after}"
    return page


def _columns(effects: set[Effect]) -> str:
    pools = groupby(sorted(effects), key=lambda effect: effect[0])
    return ", ".join(f"{pool_name(pool)} (`{'`, `'.join(column for _, column in columns)}`)" for pool, columns in pools)


def pool_name(pool: str) -> str:
    """A pool as pages call it."""
    return pool.removesuffix("Pool") or "any pool"


def main(path: Path = PAGE) -> None:
    path.write_text(written(path.read_text()))


if __name__ == "__main__":
    main()
