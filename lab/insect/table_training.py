"""Training a controller table: every cell by the closed form and shooting, those that fail by an evolution strategy.
[Guo15 6.2]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ...components.insect.oscillators import CONTROLS, OscillatorSpec
from ...engine.errors import PaludariumError
from ...engine.pool import Array
from .ant_model import AntModel
from .controller_table import LARGEST_ANGLE, LARGEST_TABLE, ControllerTable, without_jumps
from .stride_control import FAILED, PERFECT, SHOTS, WORST, StrideProblem

TOP = (20.0, 20.0, 10.0)
"""mm/s to each side, forward, sideways and up, of the published table. [Guo15 6.2]"""
RESTART_STEP = 0.03
"""First step of an evolution strategy from the closed form, in rad; from anywhere else it is larger."""
LARGEST_STEP = 1.0e3
MOST_CELLS = LARGEST_TABLE // (4 * CONTROLS + 20)
"""Of a table that can be read again: each is 27 numbers, how good they are and a flag."""


NOTHING_FOUND = [0.0] * CONTROLS + [WORST]
"""A piece whose controls are no angles."""
ROUNDING = 1e-9


class TrainingError(PaludariumError):
    """A table cannot be trained with what was asked for, or with what is installed."""


@dataclass(frozen=True)
class TableJob:
    """All cells of a table as pieces of work.

    Example::

        job = TableJob(points=(5, 3, 1))
        table = job.table(dict(map(job.measure, range(job.count))))
    """

    points: tuple[int, int, int] = (21, 21, 11)
    top: tuple[float, float, float] = TOP
    ant: AntModel = AntModel()
    oscillators: OscillatorSpec = OscillatorSpec()
    evaluations: int = 1500
    """Of the evolution strategy in a cell where shooting has failed; 0 for none."""
    seed: int = 1
    species: str = "worker_ant"

    def __post_init__(self) -> None:
        if any(not 1 <= n <= 201 for n in self.points):
            raise TrainingError(f"points = {self.points}: allowed are 1 to 201 along each axis")
        if self.count > MOST_CELLS:
            raise TrainingError(f"points = {self.points} are {self.count} cells: allowed are {MOST_CELLS}, as a file holds")

    @property
    def axes(self) -> tuple[Array, ...]:
        """Velocities along x, y and z; a single point is zero."""
        pairs = zip(self.points, self.top, strict=True)
        return tuple(np.linspace(-top, top, n) if n > 1 else np.zeros(1) for n, top in pairs)

    @property
    def count(self) -> int:
        return int(np.prod(self.points))

    @property
    def settings(self) -> dict[str, Any]:
        """All that a cell depends on."""
        from ... import __version__

        return {
            "made by": f"paludarium train --species {self.species}",
            "version": __version__,
            "species": self.species,
            "points": list(self.points),
            "top_mm_per_s": list(self.top),
            "evaluations": self.evaluations,
            "shots": SHOTS,
            "seed": self.seed,
            "ant": asdict(self.ant),
            "oscillators": asdict(self.oscillators),
        }

    def problem(self, index: int) -> StrideProblem:
        """The problem of one cell."""
        place = np.unravel_index(index, self.points)
        speed = [axis[k] for axis, k in zip(self.axes, place, strict=True)]
        way = tuple(float(v * self.oscillators.half_cycle) for v in speed)
        return StrideProblem(way, self.ant, self.oscillators)  # type: ignore[arg-type]

    def measure(self, index: int) -> tuple[int, list[float]]:
        """One cell: 27 controls, and how good they are."""
        problem = self.problem(index)
        controls = problem.shoot()
        best = problem.objective(controls)
        if best > FAILED and self.evaluations:
            found = evolve(problem, controls, self.evaluations, self.seed + index)
            better = problem.objective(found)
            if better < best:
                controls, best = found, better
        told = [*map(float, controls), float(best)]
        return index, told if self.fits(index, told) else list(NOTHING_FOUND)

    def fits(self, index: int, value: Any) -> bool:
        """Whether this can be what `measure` has found for a piece: 27 angles, and how good they are."""
        if not isinstance(value, list) or len(value) != CONTROLS + 1 or any(type(item) is not float for item in value):
            return False
        angles = all(abs(angle) <= LARGEST_ANGLE for angle in value[:CONTROLS])
        return index < self.count and angles and PERFECT - ROUNDING <= value[CONTROLS] <= WORST

    def table(self, found: Mapping[int, Any]) -> ControllerTable:
        """The table of all cells; those without a controller are marked, and hold their neighbours'."""
        rows = np.array([found[k] for k in range(self.count)]).reshape(*self.points, CONTROLS + 1)
        objective = rows[..., CONTROLS]
        good = (objective <= FAILED) & (np.abs(rows[..., :CONTROLS]) <= LARGEST_ANGLE).all(axis=-1)
        controls = without_jumps(rows[..., :CONTROLS], good)
        vx, vy, vz = self.axes
        told = np.where(np.isnan(objective), np.inf, objective).astype(np.float32)
        return ControllerTable(vx, vy, vz, controls.astype(np.float32), told, ~good, self.settings)


def evolve(
    problem: StrideProblem, start: Array, evaluations: int, seed: int, step: float = RESTART_STEP, population: int = 13
) -> Array:
    """The best controls that an evolution strategy with covariance finds from a start. Needs the extra `train`."""
    try:
        import cma.evolution_strategy
    except ImportError:
        raise TrainingError("an evolution strategy needs the extra: pip install 'paludarium[train]'") from None
    options = {"maxfevals": evaluations, "popsize": population, "seed": seed % (2**31 - 2) + 1, "verbose": -9,
               "verb_log": 0, "tolfun": 1e-9}  # fmt: skip
    strategy = cma.evolution_strategy.CMAEvolutionStrategy(np.asarray(start, np.float64), step, options)
    while not strategy.stop():
        tries = strategy.ask()
        strategy.tell(tries, [problem.objective(x) for x in tries])
    best = strategy.result.xbest
    return np.asarray(best if best is not None else start, np.float64)


def principal_shares(rows: Array) -> Array:
    """Shares of the variance of the principal components, largest first, of rows (n, k)."""
    centred = rows - rows.mean(axis=0)
    strength = np.linalg.svd(centred, compute_uv=False) ** 2
    shares: Array = strength / strength.sum()
    return shares
