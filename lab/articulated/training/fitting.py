"""Fitting the surrogate of a species to what it does in the fluid: speed, turning and power. [swimmer 4.2]"""

from __future__ import annotations

from dataclasses import replace
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
ENOUGH = 30.0
"""Misfit from which on another run is tried."""
GOOD = 0.01
"""Relative error that is worth as much as e times another coefficient, or a trim of 1."""
GOOD_CHANGE = 0.02
"""The same of starts and glides, which are to agree within a tenth."""
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


def fit(species: Species, fluid: dict[str, Steady], seed: int = 1, evaluations: int = EVALUATIONS) -> SurrogateSpec:
    """The surrogate that does most nearly what the fluid does; small trims and usual coefficients are preferred."""
    plan = plan_of(tuple(species.specs["links"]))
    sides = bool((np.abs(plan.joint[:, 1]) > 1e-6).any())
    keys = BODY + (LIMBS if sides else ())
    trims = TRIMS if len(fluid) > 1 else TRIMS[:1]
    keys += ("glide_drag", "turn_drag") if len(fluid) > 1 else ("glide_drag",)
    usual = SurrogateSpec()
    middle = np.array([np.log(getattr(usual, key)) for key in keys])
    bench = Bench.of_species(species, WITHOUT_GRID, pace=species.specs["servo"].pace)

    def spec_of(x: Array) -> SurrogateSpec:
        values: dict[str, Any] = dict(zip(keys, np.exp(np.clip(x[: len(keys)], LEAST, MOST)).tolist(), strict=True))
        return replace(usual, **values, **dict(zip(trims, (TRIM_SCALE * x[len(keys) :]).tolist(), strict=True)))

    def misfit(x: Array) -> float:
        write_surrogate(bench.surrogates, ROW, spec_of(x))
        total = 0.02 * float(((x[: len(keys)] - middle) ** 2).sum()) + 0.02 * float((x[len(keys) :] ** 2).sum())
        for name, wanted in fluid.items():
            got = settle(bench, steering_of(name), glide=bool(wanted.coast))
            if got is None:
                return 1e9
            if name == "straight":  # it is to keep its direction as well as the fluid does
                total += ((got.yaw - wanted.yaw) / SMALLEST_TURN) ** 2
            total += float((np.array(Agreement(name, wanted, got).errors) ** 2).sum()) / GOOD**2
            total += float((Agreement(name, wanted, got).changes ** 2).sum()) / GOOD_CHANGE**2
        return total

    found_middle = np.concatenate([middle, np.zeros(len(trims))])
    best, least = found_middle, np.inf
    for run, begin in enumerate((found_middle, vector_of(species.specs.get("surrogate", usual), keys, trims), found_middle)):
        strategy = strategy_of(begin, 0.6 if run % 2 == 0 else 0.3, POPULATION, seed + RUNS * run)
        for _ in range(evaluations // POPULATION):
            draws = [np.asarray(x) for x in strategy.ask()]
            values = [misfit(x) for x in draws]
            strategy.tell(draws, values)
            if min(values) < least:
                best, least = draws[int(np.argmin(values))], min(values)
            if strategy.sigma < SETTLED and (least < CLOSE or min(values) > least):
                break
        if least < ENOUGH:
            break
    found = replace(spec_of(best), settle=settling_time(species, spec_of(best)))
    drags: dict[str, Any] = dict(drags_of(fluid["straight"]))
    found = replace(found, **drags)
    return replace(found, **{key: round(getattr(found, key), 5) for key in (*keys, *trims, *DRAGS, "settle")})


def vector_of(spec: SurrogateSpec, keys: tuple[str, ...], trims: tuple[str, ...]) -> Array:
    """The numbers of a surrogate as a search has them: logarithms of coefficients, and scaled trims."""
    coefficients = np.log([getattr(spec, key) for key in keys])
    return np.concatenate([np.clip(coefficients, LEAST, MOST), np.array([getattr(spec, key) for key in trims]) / TRIM_SCALE])


def drags_of(straight: Steady) -> dict[str, float]:
    """Drags by which a recorded cycle is begun and left as in the fluid: u' = drag (v |v| - u |u|) at its own speed v.

    From rest the way is log(cosh(drag v t)) / drag, a glide has the speed v / (1 + drag v t).

    >>> drags_of(Steady(0.5, 0.0, 0.0, np.zeros((16, 6)), start=1.0, coast=(0.25, 0.125)))["coast_drag"]
    1.1...
    """
    v, tries = max(straight.speed, SMALLEST_SPEED), np.geomspace(LEAST_DRAG, MOST_DRAG, DRAG_TRIES)
    way = (np.logaddexp(tries * v * START, -tries * v * START) - np.log(2.0)) / tries
    start = tries[int(np.argmin(np.abs(way - straight.start)))]
    speeds = v / (1.0 + tries[:, None] * v * np.array(COASTS))
    off = np.log(speeds / np.maximum(straight.coast, 1e-3))
    return {"start_drag": float(start), "coast_drag": float(tries[int(np.argmin((off**2).sum(axis=1)))])}


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
