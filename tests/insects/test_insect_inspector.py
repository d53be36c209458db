"""What the inspector of the demo has of an insect: leg chart, phases, load, wind, errand; and the overlays."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.leg_states import LegState
from paludarium.engine.maps import Map
from paludarium.game_demo.overlay_choice import OVERLAYS
from paludarium.game_demo.watch import Watch

PLANE = {"name": "plane", "area": {"width_u": 120, "height_u": 60}, "terrain": {"kind": "flat"}}


def watched(ticks, speed):
    world = World(seed=1, map=Map.define(**PLANE, nests=[{"at_u": [40, 0]}], wind={"strength": 0.5}))
    ant, watch = world.spawn("worker_ant", at=(-40, 0)), Watch()
    ant.load = 1.0
    ant.control(speed)
    for _ in range(ticks):
        world.step(1)
        watch.update(ant)
    return world, ant, watch


def test_everything_is_told():
    world, ant, watch = watched(60, 3.0)
    told = {(report.part, reading.name): reading for report in watch.reports for reading in report.readings}
    assert not any(report.problem for report in watch.reports)
    for key in (("trunk", "load"), ("trunk", "wind"), ("tripods", "phases"), ("tripods", "gait"), ("colony", "errand"),
                ("legs", "left legs"), ("legs", "right legs")):  # fmt: skip
        assert key in told, key
    assert told["trunk", "load"].share == pytest.approx(1.0 / 5.0)
    assert told["trunk", "wind"].share == pytest.approx(0.5 / 2.5)
    assert np.array_equal(told["tripods", "phases"].values, ant.tripods.phase)


def test_the_tripod_can_be_read_from_the_leg_chart():
    """At 40 mm/s legs of one tripod stand and swing together, those of the other do the opposite."""
    *_, watch = watched(200, 6.0)
    report = next(report for report in watch.reports if report.part == "legs")
    sides = {reading.name: watch.past("legs", reading) for reading in report.readings if reading.kind == "strip"}
    left, right = (np.asarray(sides[name])[..., -120:] == LegState.STANCE for name in ("left legs", "right legs"))
    one = [left[0], right[1], left[2]]
    other = [right[0], left[1], right[2]]
    for legs in (one, other):
        assert (legs[0] == legs[1]).mean() > 0.85
        assert (legs[0] == legs[2]).mean() > 0.85
    assert (one[0] == other[0]).mean() < 0.3


def test_overlays_of_insects_are_there():
    assert {"triangles", "trails"} <= set(OVERLAYS)
