"""Walks of the published ant with its dynamics: along a path with a table, or on its oscillators alone. [Guo15 5.4, 6.4]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...components.insect.oscillators import CONTROLS, OscillatorSpec
from ...engine.bundle import packed
from ...engine.pool import Array
from ...engine.terrain.terrain import Terrain
from .ant_model import AntModel, tables_of
from .ant_path import AntPath
from .controller_table import METHODS, ControllerTable
from .stride_control import StrideProblem, drive_of
from .stride_kernel import BODY, SUM_STRETCHED, SUMS
from .triangle_placement import AntInputs, Placement, Triangles, place_triangles
from .tripod_placement_kernel import ROW_LOWERED, ROW_YAW
from .walker_kernel import CLOSED_FORM, FROM_TABLE, walk_alone, walk_triangles


class _Record(NamedTuple):
    trace: Array
    feet: Array
    misses: Array


class _Grid(NamedTuple):
    controls: Array
    low: Array
    step: Array


@dataclass(frozen=True)
class Push:
    """A force (micronewtons, along x, y and z) that acts for a time."""

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: float = 0.0  # s
    seconds: float = 0.0

    @property
    def row(self) -> Array:
        return np.array([*self.force, self.start, self.start + self.seconds], np.float64)


@dataclass(frozen=True)
class Walk:
    """What a walk did."""

    strides: int  # done
    wanted: int
    misses: Array  # (strides,) mm from where the trunk should have been after each
    lookups: int
    outside: int  # of the table
    stretched: int  # leg-steps out of reach
    end: Array  # (8,)
    trace: Array  # (steps, 17) trunk and forces of the three standing feet
    feet: Array  # (steps, 6, 4) feet: of the world and 1 when they stand, in the trunk's frame and 0 when they swing
    triangles: Triangles | None = None

    @property
    def fell(self) -> bool:
        return self.strides < self.wanted


def fixed_cycle(ant: AntModel, oscillators: OscillatorSpec) -> AntModel:
    """The ant whose stride is what its cycle allows: the table is for one length of a cycle."""
    return replace(ant, stride=0.0, stride_time=2.0 * oscillators.half_cycle)


def walk_path(
    path: AntPath,
    inputs: AntInputs | None = None,
    table: ControllerTable | None = None,
    *,
    ant: AntModel | None = None,
    oscillators: OscillatorSpec | None = None,
    ground: Terrain | None = None,
    lookups: int = 1,
    method: str = "linear",
    compensation: float = 0.0,
    push: Push | None = None,
    actuator: str = "timed",
    adapts: bool = True,
    traced: bool = False,
) -> Walk:
    """Walk along a path; without a table controllers come from the closed form at every stride.

    `lookups` per stance; `compensation` is the share of [Guo15 eq. 6.7], 1 as printed. With ``adapts=False`` triangles
    do not answer to the force.

    Example::

        walk_path(AntPath.line(250.0), AntInputs(speed=15.0), load_table()).misses.mean()
    """
    ant, oscillators = ant or AntModel(), oscillators or OscillatorSpec()
    inputs = inputs or AntInputs()
    placed = inputs if adapts else replace(inputs, force=(0.0, 0.0))
    triangles = place_triangles(path, placed, fixed_cycle(ant, oscillators), ground, Placement())
    poses = np.column_stack([ant.height - triangles.column(ROW_LOWERED), triangles.column(ROW_YAW)])
    n, steps = len(triangles.vertices), round(oscillators.half_cycle / oscillators.step)
    body = np.zeros(BODY)
    first, second = triangles.middles[:2]
    body[:3] = first - 0.5 * (second - first) + [0.0, 0.0, poses[0, 0]]
    body[3] = poses[0, 1]
    grid = _Grid(np.zeros((1, 1, 1, CONTROLS), np.float32), np.zeros(3), np.ones(3)) if table is None else _Grid(
        table.controls, table.low, table.step)  # fmt: skip
    problem = StrideProblem((0.0, 0.0, 0.0), ant, oscillators, actuator)
    trace = np.zeros((n * steps if traced else 0, 17))
    feet, misses = np.zeros((len(trace), 6, 4)), np.full(n, np.nan)
    how = np.array([CLOSED_FORM if table is None else FROM_TABLE, METHODS[method], lookups, compensation], np.float64)
    given = push or Push((*np.asarray(inputs.force, np.float64).tolist(), 0.0), 0.0, 1e9)
    done = walk_triangles(triangles.vertices, poses, body, np.zeros(CONTROLS), problem.gains, how, given.row, packed(grid),
                          drive_of(oscillators, actuator), tables_of(ant), packed(_Record(trace, feet, misses)))  # fmt: skip
    return Walk(done[0], n - 1, misses[: done[0]], done[1], done[2], done[3], body, trace, feet, triangles)


def walk_on_oscillators(
    controls: Array,
    strides: int,
    way: tuple[float, float, float],
    *,
    gains: Array | None = None,
    ant: AntModel | None = None,
    oscillators: OscillatorSpec | None = None,
    push: Push | None = None,
    actuator: str = "timed",
    slope: float = 0.0,
) -> tuple[Walk, Array]:
    """Strides of the same controllers, their feet put around the trunk: no path, no table. Returns what objectives are
    made of too."""
    ant, oscillators = ant or AntModel(), oscillators or OscillatorSpec()
    problem = StrideProblem(way, ant, oscillators, actuator, slope)
    steps = round(oscillators.half_cycle / oscillators.step)
    body, sums, ends = np.zeros(BODY), np.zeros(SUMS), np.zeros((strides, 4))
    body[2] = ant.height
    trace = np.zeros((strides * steps, 17))
    done = walk_alone(strides, np.array(way, np.float64), body, np.asarray(controls, np.float64),
                      problem.gains if gains is None else np.asarray(gains, np.float64), (push or Push()).row, problem.drive,
                      tables_of(ant), sums, trace, ends)  # fmt: skip
    misses: Any = np.hypot(ends[:done, 0] - way[0] * np.arange(1, done + 1), ends[:done, 1])
    return Walk(done, strides, misses, 0, 0, int(sums[SUM_STRETCHED]), body, trace, np.zeros((0, 6, 4))), sums
