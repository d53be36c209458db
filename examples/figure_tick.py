"""The walk of one tick: phases from top to bottom, the systems in each, and what passes from one to the next.

The systems are read from a running world, so the picture shows what really runs. Needs the extra `sweep`.
"""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from paludarium import Phase, World
from paludarium.engine.schedule import Entry

SHARED, FAMILY, INK, PAPER, ARROW = "#DCE9F2", "#F6E3CF", "#1F2A33", "#FBFAF7", "#7A8894"
WIDTH, ROW, GAP, LEFT = 11.0, 0.86, 0.24, 1.15
"""Inches: of the picture, of a line of systems, between two phases, and of the names of phases."""
PER_LINE = 4
FLOW = {
    Phase.SENSE: "contacts, smells, free paths, wet segments",
    Phase.THINK: "HeadCommandPool: speed, yaw rate, way",
    Phase.TARGET: "velocities of led segments, ground planes",
    Phase.SWITCH: "leg states and feet",
    Phase.BODY: "SegmentPool: poses and velocities; CreaturePool: where it is",
    Phase.WATER: "surface of the ponds",
    Phase.LIVE: "events, births, deaths",
}
"""What each phase leaves for the next one."""


class Line(NamedTuple):
    """Systems that stand beside each other."""

    phase: Phase
    entries: list[Entry]
    first: bool
    last: bool


def lines_of(world: World) -> list[Line]:
    """The tick as lines of a few systems."""
    lines = []
    for phase in Phase:
        entries = [entry for entry in world.schedule if entry.phase is phase]
        pieces = [entries[k : k + PER_LINE] for k in range(0, len(entries), PER_LINE)]
        lines += [Line(phase, piece, k == 0, k == len(pieces) - 1) for k, piece in enumerate(pieces)]
    return lines


def draw_system(axes: Axes, entry: Entry, x: float, y: float, width: float) -> None:
    """One box: the name of a system and the first line of what it says about itself."""
    colour = FAMILY if ".systems.myriapod." in type(entry.system).__module__ else SHARED
    axes.add_patch(FancyBboxPatch((x, y), width, ROW - 0.08, boxstyle="round,pad=0,rounding_size=0.06", fc=colour, ec=INK,
                                  lw=0.6))  # fmt: skip
    said = (type(entry.system).__doc__ or "").strip().split("\n")[0].split(". ")[0].rstrip(".").replace("`", "")
    file = type(entry.system).__module__.removeprefix("paludarium.").replace(".", "/") + ".py"
    top = y + ROW - 0.2
    axes.text(x + 0.08, top, entry.name, fontsize=8.5, weight="bold", color=INK, va="center")
    axes.text(x + 0.08, top - 0.16, file, fontsize=5.6, family="monospace", color=ARROW, va="center")
    axes.text(x + 0.08, top - 0.26, "\n".join(wrap(said, 46)), fontsize=5.8, color=INK, va="top", linespacing=1.05)


def draw(world: World) -> Figure:
    """The picture of the tick of a world."""
    lines = lines_of(world)
    height = sum(ROW + (GAP if line.last else 0.0) for line in lines) + 0.55
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, WIDTH)
    axes.set_ylim(0.0, height)
    axes.axis("off")
    axes.text(0.15, height - 0.22, "One tick", fontsize=13, weight="bold", color=INK, va="center")
    for x, colour, text in ((LEFT, SHARED, "shared by all families"), (LEFT + 2.4, FAMILY, "of the myriapods")):
        axes.add_patch(FancyBboxPatch((x, height - 0.3), 0.22, 0.14, boxstyle="round,pad=0", fc=colour, ec=INK, lw=0.5))
        axes.text(x + 0.32, height - 0.23, text, fontsize=7.5, color=INK, va="center")
    box = (WIDTH - LEFT - 0.15) / PER_LINE
    y = height - 0.45
    for line in lines:
        y -= ROW
        if line.first:
            axes.text(0.15, y + ROW - 0.2, line.phase.name, fontsize=10, weight="bold", color=INK, va="center")
        for k, entry in enumerate(line.entries):
            draw_system(axes, entry, LEFT + k * box, y, box - 0.12)
        if line.last:
            axes.text(LEFT + 0.2, y - GAP / 2 - 0.02, FLOW[line.phase], fontsize=6.5, style="italic", color=ARROW,
                      va="center")  # fmt: skip
            if line is not lines[-1]:
                axes.add_patch(FancyArrowPatch((LEFT + 0.08, y), (LEFT + 0.08, y - GAP), arrowstyle="-|>", mutation_scale=7,
                                               color=ARROW, lw=0.8))  # fmt: skip
            y -= GAP
    return figure


def main(path: str = "tick.png") -> None:
    world = World(seed=1)
    world.require_family("myriapod")
    draw(world).savefig(path, dpi=150)
    print(f"wrote {path}")


if __name__ == "__main__":
    main(*sys.argv[1:])
