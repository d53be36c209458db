"""The walk of one tick: phases from top to bottom, the steps in each, whose they are, and what they write.

Made from the list of steps and from what their source says they write. Needs the extra `sweep`.
"""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from paludarium import Phase
from paludarium.lab.tick.effects import effects_of
from paludarium.lab.tick.page import owner_of, pool_name
from paludarium.systems.tick import TICK, Step

COLOURS = {"all": "#DCE9F2", "myriapod": "#F6E3CF", "fish": "#D5EBDD", "insect": "#F3D9D6", "articulated": "#E4DCF0",
           "sea": "#CFE6EA"}  # fmt: skip
INK, PAPER, ARROW = "#1F2A33", "#FBFAF7", "#7A8894"
WIDTH, ROW, GAP, LEFT = 13.2, 0.92, 0.24, 1.15
"""Inches: of the picture, of a line of steps, between two phases, and of the names of phases."""
PER_LINE = 5
FLOW = {
    Phase.SENSE: "contacts, smells, free paths, wet segments",
    Phase.THINK: "speed, yaw rate and way of heads; wishes of fishes",
    Phase.ACT: "velocities of led segments, leg states and feet, what servos do",
    Phase.MOVE: "poses and velocities of all segments; where each creature is",
    Phase.WATER: "surface of the ponds, currents at segments",
    Phase.LIVE: "events, births, deaths",
}
"""What each phase leaves for the next one."""


class Line(NamedTuple):
    """Steps that stand beside each other."""

    phase: Phase
    steps: list[Step]
    first: bool
    last: bool


def lines_of_tick() -> list[Line]:
    """The tick as lines of a few steps."""
    lines = []
    for phase in Phase:
        steps = [step for step in TICK if step.phase is phase]
        pieces = [steps[k : k + PER_LINE] for k in range(0, len(steps), PER_LINE)]
        lines += [Line(phase, piece, k == 0, k == len(pieces) - 1) for k, piece in enumerate(pieces)]
    return lines


def draw_step(axes: Axes, step: Step, x: float, y: float, width: float) -> None:
    """One box: the name of a system, where it lives, what it does and which pools it writes."""
    axes.add_patch(FancyBboxPatch((x, y), width, ROW - 0.08, boxstyle="round,pad=0,rounding_size=0.06",
                                  fc=COLOURS[owner_of(step)], ec=INK, lw=0.6))  # fmt: skip
    file = "systems/" + step.place.partition(":")[0].replace(".", "/") + ".py"
    pools = ", ".join(sorted({pool_name(pool) for pool, _ in effects_of(step).writes}))
    top = y + ROW - 0.2
    axes.text(x + 0.08, top, step.system, fontsize=8.5, weight="bold", color=INK, va="center")
    axes.text(x + 0.08, top - 0.15, file, fontsize=5.6, family="monospace", color=ARROW, va="center")
    axes.text(x + 0.08, top - 0.24, "\n".join(wrap(step.does, 48)), fontsize=5.8, color=INK, va="top", linespacing=1.05)
    said = "\n".join(wrap("writes " + (pools or "no pool"), 58)[:2])
    axes.text(x + 0.08, y + 0.05, said, fontsize=5.0, color=ARROW, va="bottom",
              linespacing=1.05)  # fmt: skip


def draw() -> Figure:
    """The picture of the tick."""
    lines = lines_of_tick()
    height = sum(ROW + (GAP if line.last else 0.0) for line in lines) + 0.55
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, WIDTH)
    axes.set_ylim(0.0, height)
    axes.axis("off")
    axes.text(0.15, height - 0.22, "One tick", fontsize=13, weight="bold", color=INK, va="center")
    for k, (whose, colour) in enumerate(COLOURS.items()):
        x = LEFT + 1.6 * k
        axes.add_patch(FancyBboxPatch((x, height - 0.3), 0.22, 0.14, boxstyle="round,pad=0", fc=colour, ec=INK, lw=0.5))
        axes.text(x + 0.32, height - 0.23, {"all": "all families"}.get(whose, whose), fontsize=7.5, color=INK, va="center")
    box = (WIDTH - LEFT - 0.15) / PER_LINE
    y = height - 0.45
    for line in lines:
        y -= ROW
        if line.first:
            axes.text(0.15, y + ROW - 0.2, line.phase.name, fontsize=10, weight="bold", color=INK, va="center")
        for k, step in enumerate(line.steps):
            draw_step(axes, step, LEFT + k * box, y, box - 0.12)
        if line.last:
            axes.text(LEFT + 0.2, y - GAP / 2 - 0.02, FLOW[line.phase], fontsize=6.5, style="italic", color=ARROW,
                      va="center")  # fmt: skip
            if line is not lines[-1]:
                axes.add_patch(FancyArrowPatch((LEFT + 0.08, y), (LEFT + 0.08, y - GAP), arrowstyle="-|>", mutation_scale=7,
                                               color=ARROW, lw=0.8))  # fmt: skip
            y -= GAP
    return figure


def words_of(figure: Figure) -> str:
    """All that is written in the picture; it is kept in the file, too, so that a test can compare."""
    return "\n".join(text.get_text() for axes in figure.axes for text in axes.texts)


def main(path: str = "tick.png") -> None:
    figure = draw()
    figure.savefig(path, dpi=150, metadata={"Description": words_of(figure)})
    print(f"wrote {path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
