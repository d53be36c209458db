"""Bodies and windows outside of any world, for checks of the water."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from paludarium.components.articulated.link_plan import plan_of
from paludarium.components.articulated.links import LinkPool, LinkSpec, write_links
from paludarium.components.articulated.manoeuvres import ManoeuvrePool, ManoeuvreSpec, write_manoeuvres
from paludarium.components.articulated.servo import ServoSpec, SwimPool, write_servo
from paludarium.engine.kernel import kernel
from paludarium.systems.articulated.fluid.window_layout import FAILURES, FluidWindows
from paludarium.systems.articulated.fluid.windows import lay_out, open_window, step_windows
from paludarium.systems.articulated.stroke.stroke_kernel import beat, write_wanted

if TYPE_CHECKING:
    from paludarium.engine.pool import Array

DT = 1.0 / 60.0
EEL_RADII = np.linspace(0.05, 0.012, 6)
EEL = tuple(LinkSpec(name=f"l{k}", length=0.2, half_width=(EEL_RADII[k], EEL_RADII[k + 1])) for k in range(5))
HAND_AMPLITUDE, HAND_PHASE = (0.3, 0.4, 0.5, 0.6), (-1.2, -2.4, -3.6, -4.8)
"""Gait of the digest, rad. [articulated-swimmers 3]"""


@kernel()
def beat_all(rows, swimmers, links, manoeuvres, dt):
    """Update what the servos of some swimmers are told, one tick later."""
    for c in rows:
        beat(c, swimmers, manoeuvres, dt)
        write_wanted(c, swimmers, links, manoeuvres)


def write_solids(windows: FluidWindows, w: int, solid: Array) -> None:
    """Write which cells (ny, nx) of a window are ground or obstacles; ask `centres` where they are."""
    fluid = windows.arrays
    fluid.solid[w, 1:-1, 1:-1] = solid
    fluid.has_ground[w] = bool(np.any(solid))


@dataclass
class Tank:
    """Pools with some swimmers in them, one window around all."""

    swimmers: SwimPool
    links: LinkPool
    manoeuvres: ManoeuvrePool
    windows: FluidWindows

    def swim(self, steps: int, tolerance: float = 0.01, dt: float = DT) -> bool:
        """Let all swimmers beat for so many ticks; return whether the water went along with them."""
        fluid, only = self.fluid, np.array([0])
        before = int(fluid.counts[0, FAILURES])
        pools = self.swimmers, self.links, self.manoeuvres
        for _ in range(steps):
            beat_all(fluid.members[0, : fluid.member_count[0]], *pools, dt)
            step_windows(only, self.windows, self.swimmers, self.links, dt, tolerance)
            if int(fluid.counts[0, FAILURES]) != before:
                return False
        return True

    @property
    def fluid(self) -> Any:
        return self.windows.arrays

    def links_of(self, row: int = 0) -> slice:
        first = int(self.swimmers.first_link[row])
        return slice(first, first + int(self.swimmers.link_count[row]))

    @property
    def mass(self) -> float:
        return float(self.links.mass[self.links_of()].sum())


def hand_gait(way: float = 1.0, amplitude: tuple[float, ...] = HAND_AMPLITUDE) -> ManoeuvreSpec:
    """The gait of the digest, or the same with its phases reversed."""
    return ManoeuvreSpec(name="straight", amplitude=amplitude, phase=tuple(way * p for p in HAND_PHASE))


def tank(links: tuple[LinkSpec, ...] = EEL, gait: ManoeuvreSpec | None = None, *, nx: int = 128, ny: int = 64,
         width: float = 3.0, servo: ServoSpec | None = None, at: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),),
         density: float = 1.0) -> Tank:  # fmt: skip
    """Swimmers of one kind at places (x, y, heading) in still water; lengths are those of the servo spec, 1 if none."""
    plan, servo = plan_of(links), servo or ServoSpec(length=1.0)
    found = Tank(SwimPool(), LinkPool(), ManoeuvrePool(), FluidWindows(1, nx, ny))
    gait = gait or ManoeuvreSpec(name="straight", amplitude=(0.0,) * plan.joints, phase=(0.0,) * plan.joints)
    for row, place in enumerate(at):
        found.swimmers.claim(1, owner=row, at=row)
        rows = found.links.claim(plan.count, owner=row)
        write_links(found.links, rows.slice, plan, servo)
        found.links.mass[rows.slice] *= density
        found.links.inertia[rows.slice] *= density
        write_servo(found.swimmers, row, servo)
        first = found.manoeuvres.claim(1, owner=row).start
        write_manoeuvres(found.manoeuvres, first, (gait,), plan)
        found.swimmers.first_link[row], found.swimmers.link_count[row] = rows.start, plan.count
        found.swimmers.first_manoeuvre[row], found.swimmers.manoeuvre_count[row] = first, 1
        found.swimmers.root[row] = place
        found.swimmers.wish_effort[row] = found.swimmers.effort[row] = 1.0
        lay_out(found.swimmers, found.links, row)
    open_window(found.windows, 0, range(len(at)), found.swimmers, found.links, width)
    return found


def speeds(one: Tank) -> Array:
    rates = one.swimmers.root_rate[0], one.links.rate[one.links_of()]
    return np.concatenate([one.fluid.u.ravel(), one.fluid.v.ravel(), *rates])

