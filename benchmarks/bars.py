"""Bars: what the publications report or their digests ask for, as ratios that a benchmark reaches or misses.

Tests never assert times, because a test machine may be busy; `paludarium bench --check` does, on a machine that is quiet.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Bar(NamedTuple):
    """One check whose criterion is a speed.

    Example::

        Bar("C64", "updates_against_published", 1.0, "updates of 200 x 200 cells, of the 500 per second reported")
    """

    check: str
    figure: str
    """Key in the figures of the scene."""
    least: float
    says: str


BARS = {
    "water200": (Bar("C64", "updates_against_published", 1.0, "updates of 200 x 200 cells, of the 500 a second reported"),),
    "fem64": (Bar("C71", "steps_against_published", 1.0, "body steps on one core, of the 17,000 a second on six reported"),
              Bar("C71", "realtime_against_published", 1.0, "times real time on one core, of the 5.7 on six reported")),
    "fish10": (Bar("Tu99 11.1", "against_published", 1.0, "frames, of the 4 a second reported"),),
    "eel_box": (Bar("Tan11 Tab. 1", "against_published", 1.0, "steps in the 0.64 s that a frame of the plane eel takes"),),
    "ant_walks": (Bar("A13", "triangles_against_published", 1.0, "triangles on flat ground, of the 61 in 0.068 s reported"),
                  Bar("A14", "swarm_against_published", 100.0, "swarms of 30 ants in the 0.640 s that one takes"),
                  Bar("A43", "walks_against_real_time", 1000.0, "seconds of walking in a second; 13 are reported")),
}  # fmt: skip
"""By scene."""


def judge(scene: str, figures: dict[str, Any]) -> list[tuple[Bar, float, bool]]:
    """The bars of a scene, what was measured, and whether it is enough.

    Example::

        judge("water200", {"updates_against_published": 1.4})
    """
    return [(bar, figures[bar.figure], figures[bar.figure] >= bar.least) for bar in BARS.get(scene, ())]


def line(bar: Bar, measured: float, holds: bool) -> str:
    """One line that says how a bar came out."""
    return f"  {bar.check}: {bar.says}: {measured:,.1f}, asked {bar.least:g}: {'holds' if holds else 'MISSED'}"
