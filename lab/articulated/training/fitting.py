"""Fitting the surrogate of a species to what it does in the fluid: speed, turning and power. [swimmer 4.2]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....components.articulated.link_plan import plan_of
from ....components.articulated.surrogate import SurrogateSpec, write_surrogate
from ....engine.errors import PaludariumError
from .bench import IN_PLAY, ROW, TICK, WITHOUT_GRID, Bench, Water
from .search import strategy_of
from .steady import COASTS, START, Steady, settle

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.species import Species

BODY = ("added_mass", "normal_drag", "tangential_drag")
LIMBS = ("limb_mass", "limb_normal_drag", "limb_tangential_drag")
TRIMS = ("straight_thrust", "turn_thrust", "turn_sway", "turn_moment")
DRAGS = ("start_drag", "coast_drag")
LEAST_DRAG, MOST_DRAG, DRAG_TRIES = 0.01, 50.0, 2000
"""Per length, of recorded cycles: what is tried."""
TRIM_SCALE = 3.0
"""lengths/s^2 and rad/s^2 of a trim that are searched like a factor e of a coefficient."""
EVALUATIONS = 2000
POPULATION = 14
RUNS = 1000
"""Between the seeds of the runs of a fit: from usual numbers, from those that the species has, and once more."""
CLOSE, SETTLED = 1.0, 0.02
"""Misfit and spread at which a fit is good enough."""
USUAL = SurrogateSpec(wake_mass=0.3)
"""Where a fit begins."""
ENOUGH = 30.0
"""Misfit from which on another run is tried."""
GOOD = 0.01
"""Relative error that is worth as much as e times another coefficient, or a trim of 1."""
GOOD_CHANGE = 0.02
"""The same of starts and glides, which are to agree within a tenth."""
ROUGH_CHANGE = 0.1
"""The same where not all can be had."""
SLOWEST_GLIDE = 0.02
"""lengths/s below which a glide's errors count as if it were that fast."""
SMALLEST_SPEED, SMALLEST_TURN, SMALLEST_POWER = 0.05, 0.05, 0.02
"""lengths/s, rad/s and W/kg below which errors count as if they were of these."""
LEAST, MOST = np.log(1e-3), np.log(20.0)
"""Of coefficients."""
PUSH = 0.05
"""Of mass and body length per second: an impulse from the side, to see how it dies away."""


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

    @property
    def changes(self) -> Array:
        """Relative, of the way from rest and of the speeds of a glide; empty for turns."""
        a, b = (
            np.array([one.start, *one.coast]) if self.fluid.coast else np.zeros(0) for one in (self.fluid, self.surrogate)
        )
        found: Array = (b - a) / np.maximum(a, SLOWEST_GLIDE)
        return found


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
            measured = settle(bench, steering_of(one.name), glide=one.name == "straight")
            if measured is not None:
                found[one.name] = measured
    return found


def compare(species: Species, spec: SurrogateSpec | None = None, fluid: dict[str, Steady] | None = None) -> list[Agreement]:
    """The manoeuvres of a species in the fluid against the same in its surrogate, or in another one."""
    fluid = fluid or steady_of(species)
    bench = Bench.of_species(species, WITHOUT_GRID, pace=species.specs["servo"].pace)
    if spec is not None:
        write_surrogate(bench.surrogates, ROW, spec)
    pairs = [(name, value, settle(bench, steering_of(name), glide=bool(value.coast))) for name, value in fluid.items()]
    return [Agreement(name, value, other) for name, value, other in pairs if other is not None]


@dataclass
class Fit:
    """A search for the surrogate of one species: some coefficients and trims are varied, the best so far is kept."""

    species: Species
    fluid: dict[str, Steady]
    keys: tuple[str, ...]
    trims: tuple[str, ...]
    best: SurrogateSpec = SurrogateSpec()
    least: float = np.inf
    good_change: float = GOOD_CHANGE

    def __post_init__(self) -> None:
        self.bench = Bench.of_species(self.species, WITHOUT_GRID, pace=self.species.specs["servo"].pace)

    def spec_of(self, x: Array) -> SurrogateSpec:
        """The surrogate of a draw."""
        n = len(self.keys)
        values: dict[str, Any] = dict(zip(self.keys, np.exp(np.clip(x[:n], LEAST, MOST)).tolist(), strict=True))
        return replace(SurrogateSpec(), **values, **dict(zip(self.trims, (TRIM_SCALE * x[n:]).tolist(), strict=True)))

    def misfit(self, x: Array, middle: Array) -> float:
        """How far a draw is from what the fluid does, and from usual numbers."""
        write_surrogate(self.bench.surrogates, ROW, self.spec_of(x))
        total = 0.02 * float(((x - middle) ** 2).sum())
        for name, wanted in self.fluid.items():
            got = settle(self.bench, steering_of(name), glide=bool(wanted.coast))
            if got is None:
                return 1e9
            if name == "straight":  # it is to keep its direction as well as the fluid does
                total += ((got.yaw - wanted.yaw) / SMALLEST_TURN) ** 2
            total += float((np.array(Agreement(name, wanted, got).errors) ** 2).sum()) / GOOD**2
            total += float((Agreement(name, wanted, got).changes ** 2).sum()) / self.good_change**2
        return total

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
            if strategy.sigma < SETTLED and (self.least < CLOSE or min(values) > self.least):
                break


def fit(species: Species, fluid: dict[str, Steady], seed: int = 1, evaluations: int = EVALUATIONS) -> SurrogateSpec:
    """The surrogate that does most nearly what the fluid does; small trims and usual coefficients are preferred.

    It begins with usual numbers, then with those that the species has, then lets water go along with the best so far, and
    starts and glides count less than cruising; each only if the one before was not good enough.
    """
    sides = bool((np.abs(plan_of(tuple(species.specs["links"])).joint[:, 1]) > 1e-6).any())
    turns = len(fluid) > 1
    keys = (*BODY, *(LIMBS if sides else ()), "glide_drag", *(("turn_drag",) if turns else ()))
    search = Fit(species, fluid, keys, TRIMS if turns else TRIMS[:1])
    search.run(USUAL, 0.6, seed, evaluations)
    if search.least > ENOUGH:
        search.run(species.specs.get("surrogate", USUAL), 0.3, seed + RUNS, evaluations)
    if search.least > ENOUGH:
        search.keys, search.good_change, search.least = (*keys, "wake_mass"), ROUGH_CHANGE, np.inf
        search.run(replace(search.best, wake_mass=USUAL.wake_mass), 0.3, seed + 2 * RUNS, evaluations)
    start, coast = drags_of(fluid["straight"])
    found = replace(search.best, settle=settling_time(species, search.best), start_drag=start, coast_drag=coast)
    return replace(found, **{key: round(getattr(found, key), 5) for key in (*search.keys, *search.trims, *DRAGS, "settle")})


def vector_of(spec: SurrogateSpec, keys: tuple[str, ...], trims: tuple[str, ...]) -> Array:
    """The numbers of a surrogate as a search has them: logarithms of coefficients, and scaled trims."""
    coefficients = np.log(np.maximum([getattr(spec, key) for key in keys], np.exp(LEAST)))
    return np.concatenate([np.clip(coefficients, LEAST, MOST), np.array([getattr(spec, key) for key in trims]) / TRIM_SCALE])


def drags_of(straight: Steady) -> tuple[float, float]:
    """Drags by which a recorded cycle is begun and left as in the fluid: u' = drag (v |v| - u |u|) at its own speed v.

    From rest the way is log(cosh(drag v t)) / drag, a glide has the speed v / (1 + drag v t).

    >>> drags_of(Steady(0.5, 0.0, 0.0, np.zeros((16, 6)), start=1.0, coast=(0.25, 0.125)))[1] > 1.0
    True
    """
    v, tries = max(straight.speed, SMALLEST_SPEED), np.geomspace(LEAST_DRAG, MOST_DRAG, DRAG_TRIES)
    way = (np.logaddexp(tries * v * START, -tries * v * START) - np.log(2.0)) / tries
    start = tries[int(np.argmin(np.abs(way - straight.start)))]
    speeds = v / (1.0 + tries[:, None] * v * np.array(COASTS))
    off = np.log(speeds / np.maximum(straight.coast, 1e-3))
    return float(start), float(tries[int(np.argmin((off**2).sum(axis=1)))])


def settling_time(species: Species, spec: SurrogateSpec) -> float:
    """Seconds of the animal in which a push from the side dies away in the surrogate.

    How far a push moves it in the end is the speed that it gives times that time; the speed is that of `playback_kernel`.
    """
    bench = Bench.of_species(species, WITHOUT_GRID)
    write_surrogate(bench.surrogates, ROW, spec)
    ends = []
    for push in (0.0, PUSH):
        bench.begin()
        bench.swim(240)
        bench.links.push[: bench.plan.count, 1] = push * bench.links.mass[: bench.plan.count] / TICK
        bench.swim(1)
        bench.links.push[:] = 0.0
        ends.append(bench.swim(60)[-1, 1])
    return float(np.clip((ends[1] - ends[0]) / (0.5 * PUSH), 0.05, 5.0))
