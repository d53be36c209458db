"""Fitting the surrogate of a species to what it does in the fluid: speed, turning and power. [swimmer 4.2]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....components.articulated.link_plan import plan_of
from ....components.articulated.manoeuvres import write_numbers
from ....components.articulated.surrogate import SurrogateSpec, write_surrogate
from ....engine.errors import PaludariumError
from ....systems.articulated.fluid.windows import open_window
from ....systems.articulated.stroke.surge_kernel import CARRIED, RECORDED_AFTER
from ....systems.articulated.stroke.wake_water import carry_along
from .bench import IN_PLAY, ROW, TICK, WITHOUT_GRID, Bench, Water
from .search import strategy_of
from .steady import COASTS, HALF, MEASURED, PUSH, SETTLING, STARTS, SWAY, Changes, Steady, changes_of, pushed, settle, veered

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.species import Species

BODY = ("added_mass", "normal_drag", "tangential_drag", "side_drag", "ahead_share")
LIMBS = ("limb_mass", "limb_normal_drag", "limb_tangential_drag")
TRIMS = ("turn_sway", "turn_moment")
AHEAD = ("first_stroke", "build_up", "coast_drag", "coast_rate", "effort_power", "wake_width")
TRIM_SCALE = 3.0
"""lengths/s^2 and rad/s^2 of a trim that are searched like a factor e of a coefficient."""
EVALUATIONS = 1000
POPULATION = 14
RUNS = 1000
"""Between the seeds of the runs of a fit: from usual numbers, and from those that the species has."""
CLOSE, SETTLED = 4.0, 0.02
"""Misfit and spread at which a fit is good enough."""
USUAL = SurrogateSpec()
"""Where a fit begins."""
ENOUGH = 30.0
"""Misfit from which on another run is tried."""
GOOD = 0.01
"""Relative error with a misfit of 1."""
UNUSUAL = 0.2
"""Misfit of a coefficient that is e times another one than usual, or of a trim of 1."""
GOOD_ASIDE = 0.1
"""The same of the way that a push moves it to the side."""
GOOD_SLIP = 0.05
"""The same of the speed to the side in a turn, of that ahead."""
GOOD_VEER = 0.05
"""The same of the angle that it turns by in the first cycles of a turn."""
GOOD_ALONE = 0.1
"""The same of the speed that forces on links alone give: searches without a grid swim by them."""
SHORT = 4, 2
"""Cycles until all but the speed ahead is steady, and that are averaged then."""
ALONE = 5
"""Cycles until the speed of links alone is taken."""
SMALLEST_SPEED, SMALLEST_TURN, SMALLEST_POWER, SMALLEST_WAY = 0.05, 0.05, 0.02, 0.01
"""lengths/s, rad/s, W/kg and lengths below which errors count as if they were of these."""
LEAST, MOST = np.log(1e-3), np.log(20.0)
"""Of coefficients."""
SHARES, TIMES, DRAGS = np.linspace(0.0, 1.0, 101), np.geomspace(0.05, 6.0, 200), np.geomspace(0.01, 50.0, 400)
"""What is tried for the first stroke, for the time in which the rest of the speed comes (s), for the drag of glides (per
length)."""
RATES = np.concatenate([[1e-4], np.linspace(0.02, 2.0, 100)])
"""1/s: what is tried for the slow drag of glides."""
WIDTHS = (0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.45)
AFTER_OPENING = 4.0
"""Lengths that are tried for the water that goes along, and seconds after a window has opened in which the way is taken."""
POWERS = (0.5, 6.0)
"""Least and largest power of the effort."""


class Agreement(NamedTuple):
    """Of one manoeuvre: the fluid's values and the surrogate's."""

    manoeuvre: str
    fluid: Steady
    surrogate: Steady

    @property
    def errors(self) -> tuple[float, float, float]:
        """Relative, of speed, turning and power."""
        a, b = self.fluid, self.surrogate
        speed = (b.speed - a.speed) / max(abs(a.speed), SMALLEST_SPEED)
        turn = (b.yaw - a.yaw) / max(abs(a.yaw), SMALLEST_TURN) if self.manoeuvre != "straight" else 0.0
        return speed, turn, (b.power - a.power) / max(abs(a.power), SMALLEST_POWER)


def steering_of(name: str) -> float:
    return {"turn_left": 1.0, "turn_right": -1.0}.get(name, 0.0)


def steady_of(species: Species, water: Water = IN_PLAY) -> dict[str, Steady]:
    """What the manoeuvres of a species settle at in a water, at its own pace: straight, and a turn if it has one."""
    if not plan_of(tuple(species.specs["links"])).plane:
        raise PaludariumError(f"fit: species {species.key!r} moves in space, where recorded cycles play; a surrogate is for "
                              "bodies whose joints all turn in the plane of the map")  # fmt: skip
    found: dict[str, Steady] = {}
    for one in species.specs["manoeuvres"]:
        if one.name in ("straight", "turn_left", "turn_right"):
            bench = Bench.of_species(species, water, pace=species.specs["servo"].pace)
            measured = settle(bench, steering_of(one.name))
            if measured is not None:
                found[one.name] = measured
    return found


def changes_in_water(species: Species, water: Water = IN_PLAY) -> Changes:
    """How the straight stroke of a species begins and ends in a water, at its own pace."""
    found = changes_of(Bench.of_species(species, water, pace=species.specs["servo"].pace))
    if found is None:
        raise PaludariumError(f"fit: species {species.key!r}: its stroke breaks the water; nothing can be fitted to that")
    return found


def write_measured(bench: Bench, fluid: dict[str, Steady]) -> None:
    """Update what the manoeuvres on a bench are known to settle at."""
    for name, measured in fluid.items():
        row = bench.row_of(name)
        spec = replace(bench.specs[row], speed=measured.speed, yaw=measured.yaw, power=measured.power,
                       cycle=tuple(measured.cycle.ravel().tolist()))  # fmt: skip
        write_numbers(bench.manoeuvres, row, spec)


def compare(species: Species, spec: SurrogateSpec | None = None, fluid: dict[str, Steady] | None = None) -> list[Agreement]:
    """The manoeuvres of a species in the fluid against the same in its surrogate, or in another one."""
    fluid = fluid or steady_of(species)
    bench = Bench.of_species(species, WITHOUT_GRID, pace=species.specs["servo"].pace)
    if spec is not None:
        write_surrogate(bench.surrogates, ROW, spec)
    write_measured(bench, fluid)
    pairs = [(name, value, settle(bench, steering_of(name))) for name, value in fluid.items()]
    return [Agreement(name, value, other) for name, value, other in pairs if other is not None]


@dataclass
class Fit:
    """A search for the surrogate of one species: some coefficients and trims are varied, the best so far is kept."""

    species: Species
    fluid: dict[str, Steady]
    changes: Changes
    keys: tuple[str, ...]
    trims: tuple[str, ...]
    best: SurrogateSpec = SurrogateSpec()
    least: float = np.inf

    def __post_init__(self) -> None:
        pace = self.species.specs["servo"].pace
        self.bench, self.alone = (Bench.of_species(self.species, WITHOUT_GRID, pace=pace) for _ in range(2))
        write_measured(self.bench, self.fluid)
        self.alone.forget()

    def spec_of(self, x: Array) -> SurrogateSpec:
        """The surrogate of a draw."""
        n = len(self.keys)
        values: dict[str, Any] = dict(zip(self.keys, np.exp(np.clip(x[:n], LEAST, MOST)).tolist(), strict=True))
        return replace(self.best, **values, **dict(zip(self.trims, (TRIM_SCALE * x[n:]).tolist(), strict=True)))

    def misfit(self, x: Array, middle: Array) -> float:
        """How far a draw is from what the fluid does, and from usual numbers."""
        for bench in (self.bench, self.alone):
            write_surrogate(bench.surrogates, ROW, replace(self.spec_of(x), first_stroke=1.0))  # all of its speed at once
        total = UNUSUAL * float(((x - middle) ** 2).sum())
        for name, wanted in self.fluid.items():
            got = settle(self.bench, steering_of(name), *SHORT)
            if got is None:
                return 1e9
            if name == "straight":  # it is to keep its direction as well as the fluid does
                total += ((got.yaw - wanted.yaw) / SMALLEST_TURN) ** 2
            else:
                slip = float(got.cycle[:, SWAY].mean() - wanted.cycle[:, SWAY].mean())
                total += (slip / max(wanted.speed, SMALLEST_SPEED) / GOOD_SLIP) ** 2
            total += float((np.array(Agreement(name, wanted, got).errors) ** 2).sum()) / GOOD**2
        alone, wanted = settle(self.alone, settling=ALONE, measured=1), self.fluid["straight"]
        if alone is None:
            return 1e9
        total += (Agreement("straight", wanted, alone).errors[0] / GOOD_ALONE) ** 2
        if self.changes.veer != 0.0:
            veer = veered(self.bench, SHORT[1]) - self.changes.veer
            total += (veer / max(abs(self.changes.veer), SMALLEST_TURN) / GOOD_VEER) ** 2
        aside = pushed(self.bench) - self.changes.aside
        return total + (aside / max(abs(self.changes.aside), SMALLEST_WAY) / GOOD_ASIDE) ** 2

    def run(self, begin: SurrogateSpec, spread: float, seed: int, evaluations: int) -> None:
        """Search from a surrogate."""
        middle = vector_of(USUAL, self.keys, self.trims)
        strategy = strategy_of(vector_of(begin, self.keys, self.trims), spread, POPULATION, seed)
        for _ in range(evaluations // POPULATION):
            draws = [np.asarray(x) for x in strategy.ask()]
            values = [self.misfit(x, middle) for x in draws]
            strategy.tell(draws, values)
            if min(values) < self.least:
                self.best, self.least = self.spec_of(draws[int(np.argmin(values))]), min(values)
            if self.least < CLOSE or (strategy.sigma < SETTLED and min(values) > self.least):
                break


def fit(species: Species, fluid: dict[str, Steady], changes: Changes, seed: int = 1,
        evaluations: int = EVALUATIONS) -> SurrogateSpec:  # fmt: skip
    """The surrogate that does most nearly what the fluid does; small trims and usual coefficients are preferred.

    The speed ahead has numbers of its own. For the others it begins with usual ones, then, if that was not good enough, with
    those that the species has.
    """
    sides = bool((np.abs(plan_of(tuple(species.specs["links"])).joint[:, 1]) > 1e-6).any())
    turns = len(fluid) > 1
    keys = (*BODY, *(LIMBS if sides else ()), *(("turn_drag",) if turns else ()))
    ahead = fit_ahead(fluid["straight"].speed, changes)
    search = Fit(species, fluid, changes, keys, TRIMS if turns else (), best=ahead)
    search.run(USUAL, 0.6, seed, evaluations)
    if search.least > ENOUGH:
        search.run(species.specs.get("surrogate", USUAL), 0.3, seed + RUNS, evaluations)
    found = replace(search.best, settle=settling_time(changes.aside),
                    wake_width=width_in_water(species, fluid))  # fmt: skip
    known = (*search.keys, *search.trims, *AHEAD, "settle")
    return replace(found, **{key: round(getattr(found, key), 5) for key in known})


def vector_of(spec: SurrogateSpec, keys: tuple[str, ...], trims: tuple[str, ...]) -> Array:
    """The numbers of a surrogate as a search has them: logarithms of coefficients, and scaled trims."""
    coefficients = np.log(np.maximum([getattr(spec, key) for key in keys], np.exp(LEAST)))
    return np.concatenate([np.clip(coefficients, LEAST, MOST), np.array([getattr(spec, key) for key in trims]) / TRIM_SCALE])


def fit_ahead(speed: float, changes: Changes) -> SurrogateSpec:
    """The numbers of `surge_kernel` in closed form: all are tried, the best are taken.

    From rest u = v (1 - (1 - first) exp(-t / build_up)), a glide with drag and rate r has
    u = v / (exp(r t) (1 + drag v / r) - drag v / r).

    >>> ways = [0.5 * (t - 1.4 * (1 - np.exp(-t / 2.0))) for t in STARTS]
    >>> found = fit_ahead(0.5, Changes(tuple(ways), tuple(0.5 / (1 + 0.5 * t) for t in COASTS), 0.25, 0.1, 0.5))
    >>> [round(float(x), 1) for x in (found.first_stroke, found.build_up, found.coast_drag, found.effort_power)]
    [0.3, 2.0, 1.0, 1.0]
    """
    v = max(speed, SMALLEST_SPEED)
    at, ways = np.array(STARTS)[:, None, None], np.array(changes.ways)[:, None, None]
    tau = TIMES[None, None, :]
    final = v / (1.0 - (1.0 - SHARES[None, :, None]) * np.exp(-RECORDED_AFTER / tau))
    swum = final * (at - (1.0 - SHARES[None, :, None]) * tau * (1.0 - np.exp(-at / tau)))
    off = ((np.maximum(swum, 1e-9) / np.maximum(ways, 1e-3) - 1.0) ** 2).sum(axis=0)
    share, time = np.unravel_index(int(np.argmin(off)), off.shape)
    drag, rate = DRAGS[:, None, None], RATES[None, :, None]
    glides = v / (np.exp(rate * np.array(COASTS)) * (1.0 + drag * v / rate) - drag * v / rate)
    ways, truth = np.cumsum(glides, axis=2), np.cumsum(np.maximum(changes.coast, 1e-3))
    slow = ((ways / truth - 1.0) ** 2).sum(axis=2)
    hard, soft = np.unravel_index(int(np.argmin(slow)), slow.shape)
    power = np.log(max(changes.half, 1e-4) / v) / np.log(HALF)
    return replace(USUAL, first_stroke=float(SHARES[share]), build_up=float(TIMES[time]),
                   coast_drag=float(DRAGS[hard]), coast_rate=float(RATES[soft]),
                   effort_power=float(np.clip(power, *POWERS)))  # fmt: skip


def width_in_water(species: Species, fluid: dict[str, Steady], water: Water = IN_PLAY) -> float:
    """How wide the water goes along with a swimmer whose window opens, in body lengths.

    With that width its way is, at cruising speed, as if the window had been there before. Between those tried it is linear.
    """
    pace = species.specs["servo"].pace
    bench = Bench.of_species(species, water, pace)
    write_measured(bench, fluid)
    seconds = round((SETTLING + MEASURED) / pace / TICK)

    def way(width: float | None) -> float:
        bench.begin()
        bench.swim(seconds)
        if width is not None:
            write_surrogate(bench.surrogates, ROW, replace(USUAL, wake_width=width))
            open_window(bench.windows, 0, [ROW], bench.swimmers, bench.links, bench.water.lengths)
            carry_along(bench.windows, 0, ROW, bench.swimmers, bench.links, bench.surrogates, bench.manoeuvres)
        begin = bench.swimmers.root[ROW, :2].copy()
        return float(np.hypot(*(bench.swim(round(AFTER_OPENING / pace / TICK))[-1, :2] - begin)))

    stays, ways = way(None), [way(width) for width in WIDTHS]
    return round(float(np.interp(stays, np.maximum.accumulate(np.nan_to_num(ways)), WIDTHS)), 3)


def settling_time(aside: float) -> float:
    """Seconds of the animal in which a push dies away from a recorded cycle, given how far it moves a body to the side.

    Half of a push is the water's: it begins with half of the speed, and goes on for that speed times this time.
    """
    return float(np.clip(abs(aside) / (PUSH / (1.0 + CARRIED)), 0.05, 5.0))
