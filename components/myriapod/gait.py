"""How a creature walks: every constant of the leg and body controller. [walking 1]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.parts import Birth, SpecProblem
from ...engine.pool import Pool, Rows, column
from ...engine.spec import choice, flag, number, profiles
from ..parameters import ParametersOf, parameter_columns, parameter_row

SUPPORT_MODES = ("both", "any", "always")
"""In the order of `SupportMode`."""
PUBLISHED = {"support_mode": "both", "support_hold_s": 0.0, "pair_rule": False}
"""The rules exactly as published: a segment is led while both of its legs stand and no longer, and rule 4 works on each side
for itself. [Fang15 4.1, 4.3.2; myriapoda 1.5, E-36]"""


@dataclass(frozen=True)
class GaitSpec:
    """The ``[gait]`` table. The defaults walk: a unit body at pitch 2 on legs of total length 2.25."""

    profile: str = profiles("steady", published=PUBLISHED,
                            doc="defaults that keep the height best, or rules as published: both legs, no hold, no pairs")
    # poses of the leg [Fang15 4.3.1]
    aep_theta: float = number(40.0, unit="deg", low=-90, high=90, doc="anterior extreme: where a foot looks for ground")
    pep_theta: float = number(-36.0, unit="deg", low=-90, high=90, doc="posterior extreme: where a foot is lifted")
    extreme_alpha: float = number(24.0, unit="deg", low=-90, high=90, doc="upper link's elevation at both extremes")
    extreme_beta: float = number(60.0, unit="deg", low=0, high=170, doc="bend of the knee at both extremes")
    mup_theta: float = number(0.0, unit="deg", low=-90, high=90, doc="middle of the forward swing")
    mup_alpha: float = number(20.0, unit="deg", low=-90, high=90, doc="its elevation; below 10 feet dive into the ground")
    mup_beta: float = number(0.0, unit="deg", low=0, high=170, doc="its knee")
    mdp_theta: float = number(0.0, unit="deg", low=-90, high=90, doc="middle of the search below")
    mdp_alpha: float = number(-50.0, unit="deg", low=-90, high=90, doc="its elevation")
    mdp_beta: float = number(0.0, unit="deg", low=0, high=170, doc="its knee")
    adjust_theta: float = number(-27.0, unit="deg", low=-90, high=90, doc="waiting pose relative to the anterior extreme")
    adjust_alpha: float = number(19.0, unit="deg", low=-90, high=90, doc="the same for the elevation")
    adjust_beta: float = number(-58.0, unit="deg", low=-170, high=170, doc="the same for the knee; sets the wave's lag")
    tuck_theta: float = number(-80.0, unit="deg", low=-90, high=90, doc="folded back under water")
    tuck_alpha: float = number(0.0, unit="deg", low=-90, high=90, doc="folded back under water")
    tuck_beta: float = number(0.0, unit="deg", low=0, high=170, doc="folded back under water")
    # leg motion
    joint_speed_floor: float = number(300.0, unit="deg_per_s", low=1.0, high=36000.0,
                                      doc="legs move at least this fast, also at rest")
    joint_speed_base: float = number(100.0, unit="deg_per_s", low=0.0, high=36000.0, doc="joint speed of a standing animal")
    joint_speed_slope: float = number(200.0, unit="deg_per_u", low=0.0, high=36000.0,
                                      doc="and what each u/s of head speed adds")
    theta_gate: bool = flag(True, doc="lift a foot when the leg has swung beyond its range")
    theta_margin: float = number(10.0, unit="deg", low=0.0, high=90.0, doc="how far beyond touch-down a leg may stand")
    clearance: float = number(0.02, unit="u", low=0.0, high=10.0, doc="height a foot must reach before it may stand again")
    # rules
    wave_rule: bool = flag(True, doc="a leg that comes to stand sends the one behind it into ADJUST")
    pair_rule: bool = flag(True, doc="the left leg's touch-down moves both legs behind it")
    sync_rule: bool = flag(True, doc="the first left leg takes the right one along into the swing")
    wave_min_speed: float = number(0.05, unit="u_per_s", low=0.0, high=100.0, doc="slower than this all feet are put down")
    # support
    support_mode: str = choice("any", *SUPPORT_MODES, doc="how many standing legs carry a segment")
    support_hold: float = number(0.15, unit="s", low=0.0, high=1000.0, doc="support outlives its loss by this time")
    ends_kinematic: bool = flag(True, doc="head and tail are led whenever the animal is on its feet")
    # Targeter
    follow_gain: float = number(20.0, unit="per_s", low=0.0, high=60.0,
                                doc="how fast a wrong distance to the segment ahead is mended")
    follow_limit: float = number(2.0, unit="u_per_s", low=0.0, high=100.0, doc="largest speed of that correction")
    feed_forward: float = number(1.0, low=0.0, high=1.0, doc="share of the leader's velocity taken over")
    height_gain: float = number(10.0, unit="per_s", low=0.0, high=60.0, doc="how fast a wrong height is mended")
    height_limit: float = number(10.0, unit="u_per_s", low=0.0, high=100.0, doc="largest climbing speed")
    turn_gain: float = number(12.0, unit="per_s", low=0.0, high=60.0, doc="how fast a wrong orientation is mended")
    turn_limit: float = number(115.0, unit="deg_per_s", low=0.0, high=3600.0, doc="largest turning speed of that")
    blend_tau: float = number(0.02, unit="s", low=0.0, high=1000.0,
                              doc="smoothing right after a hand-over from the dynamics")
    blend_duration: float = number(0.2, unit="s", low=0.0, high=1000.0,
                                   doc="how long it acts; a permanent one shakes long bodies apart")
    min_turn_radius: float = number(4.0, unit="u", low=0.0, high=1000.0,
                                    doc="the body cannot follow tighter turns of the head")
    # ground
    sample_offset: float = number(0.8, unit="u", low=0.0, high=100.0, doc="distance of the four outer ground samples")
    centre_weight: float = number(2.0, low=0.0, high=1000.0, doc="weight of the centre sample against one of them")
    cling_range: float = number(3.0, unit="u", low=0.0, high=100.0,
                                doc="gravity pulls toward a steep surface within this distance")
    cling_normal_z: float = number(0.5, low=-1.0, high=1.0, doc="steep: the z of its normal is below this")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if self.pep_theta >= self.aep_theta:
            raise SpecProblem("pep_theta_deg", self.pep_theta, "an angle behind aep_theta_deg")
        if "legs" not in specs or "body" not in specs:
            raise SpecProblem("", "a gait without legs or body", "a species that also has [legs] and [body] tables")


Gait = parameter_columns("Gait", GaitSpec, __name__)
GAIT_COLUMNS = len(Gait)


class GaitPool(Pool):
    """One row per walking creature, aligned with `CreaturePool`."""

    aligned = True
    format = 3

    parameters = column(np.float64, GAIT_COLUMNS, holds=ParametersOf(GaitSpec), fixed=True)
    stance_share = column(np.float64)  # share of legs that stand


class GaitHandle:
    """The walking controller's numbers of one creature."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: GaitPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def stance_share(self) -> float:
        """Share of legs that stand, 0..1."""
        return float(self.pool.view(self.rows, "stance_share")[0])


def fill_gait(birth: Birth, spec: GaitSpec, pool: GaitPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    pool.parameters[rows.start] = parameter_row(spec)
