"""A swimmer outside of any world: the same pools and kernels as in the game, one body, water of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....components.articulated.link_plan import BodyPlan, plan_of, rest_frames
from ....components.articulated.links import LinkPool, write_links
from ....components.articulated.manoeuvres import (
    ManoeuvrePool,
    ManoeuvreSpec,
    sines_of,
    warp_of,
    write_manoeuvres,
    write_sines,
)
from ....components.articulated.servo import ServoSpec, SwimPool, heading_of, write_servo
from ....components.articulated.surrogate import SurrogatePool, SurrogateSpec, write_surrogate
from ....engine.errors import PaludariumError
from ....systems.articulated.fluid.window_layout import FluidWindows
from ....systems.articulated.fluid.windows import open_window
from .swim_trial_kernel import PLAYED, SIMPLE, SURROGATE, TRACK, WINDOW, swim_trial

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.species import Species

ROW = 0
"""Of the only swimmer."""
TICK = 1.0 / 60.0
WIDE, SQUARE = 3.0, 2.25
"""Body lengths of a window that is twice as long as wide, and of others. [swimmer 1.3]"""
TOLERANCE = 0.01
"""Of the pressure, in searches. [swimmer 1.3]"""


class BenchError(PaludariumError):
    """A swimmer cannot be tried as asked for."""


@dataclass(frozen=True)
class Water:
    """What a swimmer is tried in.

    Example::

        Water.named("128x64")         # a fluid window of so many cells
        Water.named("surrogate")      # without a grid, by the numbers of the species
    """

    kind: int = WINDOW
    cells: tuple[int, int] = (64, 64)
    tolerance: float = TOLERANCE

    @classmethod
    def named(cls, words: str) -> Water:
        """Water by its name, as options of commands give it."""
        known = {"surrogate": SURROGATE, "simple": SIMPLE}
        if words in known:
            return cls(known[words], (8, 8))
        try:
            nx, ny = (int(word) for word in words.split("x"))
        except ValueError:
            nx = ny = 0
        if not (8 <= nx <= 512 and 8 <= ny <= 512):
            raise BenchError(f"grid {words!r}: allowed are NXxNY from 8x8 to 512x512, as in 64x64, 'surrogate' and 'simple'")
        return cls(WINDOW, (nx, ny))

    @property
    def lengths(self) -> float:
        """Width of the window in body lengths."""
        return WIDE if self.cells[0] >= 2 * self.cells[1] else SQUARE


IN_PLAY = Water(tolerance=0.03)
"""As windows of the game are. [swimmer 2]"""
WITHOUT_GRID = Water(SURROGATE, (8, 8))
RECORDED = Water(PLAYED, (8, 8))
"""By the cycles of the species."""


class Bench:
    """One swimmer on a bench: length 1, a pace of 1, lengths are metres of the publication. [articulated-swimmers 7.2]

    Example::

        bench = Bench.of_species(world.species["eel"])
        track = bench.swim(120)          # (120, 5) x, y, heading, work and overlap; two seconds
    """

    def __init__(self, links: tuple[Any, ...], servo: ServoSpec, manoeuvres: tuple[ManoeuvreSpec, ...],
                 surrogate: SurrogateSpec | None = None, water: Water = WITHOUT_GRID) -> None:  # fmt: skip
        self.water, self.windows = water, FluidWindows(1, *water.cells)
        self.plan: BodyPlan = plan_of(tuple(links))
        self.servo, self.specs = servo, manoeuvres
        self.swimmers, self.links, self.manoeuvres = SwimPool(1), LinkPool(self.plan.count), ManoeuvrePool(len(manoeuvres))
        self.surrogates = SurrogatePool(1)
        self.swimmers.claim(1, 1, at=ROW)
        self.surrogates.claim(1, 1, at=ROW)
        own, first = self.links.claim(self.plan.count, 1), self.manoeuvres.claim(len(manoeuvres), 1).start
        write_links(self.links, own.slice, self.plan, servo)
        write_servo(self.swimmers, ROW, servo)
        write_manoeuvres(self.manoeuvres, first, manoeuvres, self.plan)
        write_surrogate(self.surrogates, ROW, surrogate or SurrogateSpec())
        self.swimmers.first_link[ROW], self.swimmers.link_count[ROW] = own.start, self.plan.count
        self.swimmers.first_manoeuvre[ROW], self.swimmers.manoeuvre_count[ROW] = first, len(manoeuvres)
        self.begin()

    @classmethod
    def of_species(cls, species: Species, water: Water = WITHOUT_GRID, pace: float = 1.0) -> Bench:
        """The animal of a species, one unit long."""
        specs = species.specs
        servo = replace(specs["servo"], length=1.0, pace=pace)
        return cls(tuple(specs["links"]), servo, tuple(specs["manoeuvres"]), specs.get("surrogate"), water)

    @property
    def mass(self) -> float:
        """Of the body, per unit depth."""
        return float(self.links.mass[: self.plan.count].sum())

    def outlines(self) -> list[tuple[Array, Array, Array]]:
        """Of every link its front and rear end, (2,) each, and the half widths there."""
        place, length, radius = self.links.place, self.links.length, self.links.radius
        axes = np.column_stack([np.cos(place[:, 2]), np.sin(place[:, 2])])
        return [(place[k, :2], place[k, :2] - length[k] * axes[k], radius[k]) for k in range(self.plan.count)]

    def row_of(self, name: str) -> int:
        """The row of a manoeuvre by its name."""
        return [one.name for one in self.specs].index(name)

    def teach(self, name: str, sines: Array) -> None:
        """Update a, b and C of one manoeuvre, (3, links); its warp is that of all, as strokes that blend have one.

        It was not measured: its links alone say how fast it is.
        """
        write_sines(self.manoeuvres, self.row_of(name), sines)
        self.manoeuvres.power_share[:], self.manoeuvres.glide_share[:] = warp_of(sines)
        self.forget()

    def forget(self) -> None:
        """Without a grid it swims by the forces on its links alone, as before anything was measured."""
        self.manoeuvres.speed[: len(self.specs)] = 0.0

    def sines(self, name: str) -> Array:
        """(3, links) a, b and C of a manoeuvre as the species has it."""
        return sines_of(self.specs[self.row_of(name)], self.plan)

    def begin(self, effort: float = 1.0, steer: float = 0.0, heading: float = 0.0) -> None:
        """Put it at rest at the origin, at the beginning of its stroke."""
        swim, links, n = self.swimmers, self.links, self.plan.count
        joints, axes = rest_frames(self.plan)
        c, s = np.cos(heading), np.sin(heading)
        size = float(swim.length[ROW])
        angles = heading + np.arctan2(axes[:, 0, 1], axes[:, 0, 0])
        swim.root[ROW], swim.heading[ROW] = (0.0, 0.0, heading), heading_of(angles, self.plan.mass)
        swim.root_rate[ROW] = swim.stream[ROW] = 0.0
        for name in ("phase", "swum", "work", "cycle_work", "power", "rise", "wish_rise", "failed", "path_at"):
            getattr(swim, name)[ROW] = 0
        swim.effort[ROW] = swim.wish_effort[ROW] = effort
        swim.steer[ROW] = swim.wish_steer[ROW] = steer
        for name in ("angle", "rate", "wanted", "wanted_rate", "torque", "push"):
            getattr(links, name)[:n] = 0.0
        links.place[:n, 0] = size * (c * joints[:, 0] - s * joints[:, 1])
        links.place[:n, 1] = size * (s * joints[:, 0] + c * joints[:, 1])
        links.place[:n, 2] = angles

        if self.water.kind == WINDOW:
            open_window(self.windows, 0, [ROW], swim, links, self.water.lengths * size)

    def swim(self, ticks: int, dt: float = TICK) -> Array:
        """Its track over some ticks: (ticks, 5), see `trial_kernel`; not finite from where the water failed on."""
        track = np.full((ticks, TRACK), np.nan)
        swim_trial(self.water.kind, ROW, 0, track, self.windows.arrays, self.swimmers, self.links,
                   self.surrogates, self.manoeuvres, dt, self.water.tolerance)  # fmt: skip
        return track
