"""A swimmer outside of any world: the same pools and kernels as in the game, one body, water of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....components.articulated.body_plan import BodyPlan, plan_of, rest_frames
from ....components.articulated.links import LinkPool, write_links
from ....components.articulated.manoeuvres import ManoeuvrePool, ManoeuvreSpec, sines_of, write_manoeuvres, write_sines
from ....components.articulated.servo import ServoSpec, SwimPool, heading_of, write_servo
from ....components.articulated.surrogate import SurrogatePool, SurrogateSpec, write_surrogate
from ..stroke.surrogate_kernel import swim_by_surrogate

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.species import Species

ROW = 0
"""Of the only swimmer."""
TICK = 1.0 / 60.0
FIELDS = 4
"""Of a track: x, y, heading and work after each tick."""


class Bench:
    """One swimmer on a bench: length 1, a pace of 1, lengths are metres of the publication. [articulated-swimmers 7.2]

    Example::

        bench = Bench.of_species(world.species["eel"])
        track = bench.swim(120)          # (120, 4) x, y, heading and work; two seconds
    """

    def __init__(self, links: tuple[Any, ...], servo: ServoSpec, manoeuvres: tuple[ManoeuvreSpec, ...],
                 surrogate: SurrogateSpec | None = None) -> None:  # fmt: skip
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
    def of_species(cls, species: Species, pace: float = 1.0) -> Bench:
        """The animal of a species, one unit long."""
        specs = species.specs
        servo = replace(specs["servo"], length=1.0, pace=pace)
        return cls(tuple(specs["links"]), servo, tuple(specs["manoeuvres"]), specs.get("surrogate"))

    @property
    def mass(self) -> float:
        """Of the body, per unit depth."""
        return float(self.links.mass[: self.plan.count].sum())

    def row_of(self, name: str) -> int:
        """The row of a manoeuvre by its name."""
        return [one.name for one in self.specs].index(name)

    def teach(self, name: str, sines: Array) -> None:
        """Update a, b and C of one manoeuvre, (3, links)."""
        write_sines(self.manoeuvres, self.row_of(name), sines)

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

    def swim(self, ticks: int, dt: float = TICK) -> Array:
        """Its track over some ticks in the surrogate: (ticks, 4) x, y, heading and work."""
        track = np.empty((ticks, FIELDS))
        swim_by_surrogate(ROW, track, self.swimmers.bundle, self.links.bundle, self.surrogates.bundle,
                          self.manoeuvres.bundle, dt)  # fmt: skip
        return track
