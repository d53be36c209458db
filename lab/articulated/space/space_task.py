"""What one try of a body in space is, for the search that bodies in the plane have too. [Tan11 4.3]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....components.articulated.link_plan import plan_of
from ....engine.errors import ArgumentError, PaludariumError
from ..training.objective import Score, Weights
from ..training.variables import Variables
from .space_bodies import Body
from .space_record import steady
from .space_trial import TURNS, Basin, tried
from .wing_beat import WING_BEAT, WingBeat

if TYPE_CHECKING:
    from ....components.articulated.links import LinkSpec
    from ....components.articulated.servo import ServoSpec
    from ....engine.pool import Array
    from ..training.steady import Steady

SETTLED_AFTER = 9
"""Cycles until a stroke that is to be played is measured: a manta is 3 % faster then than after five."""
TO_ONE_SIDE = ("turn_left",)
"""Manoeuvres in which left and right do not do the same."""
IN_BOX, USUAL = Basin(), Weights()


@dataclass(frozen=True)
class SpaceTask:
    """A try in a box of water in three dimensions.

    Example::

        search = Search(SpaceTask.of_species(world.species["manta"], "pitch_up"), seed=1, population=31)
        search.run(measure_serially)
    """

    name: str
    links: tuple[LinkSpec, ...]
    servo: ServoSpec
    manoeuvre: str = "straight"
    basin: Basin = IN_BOX
    weights: Weights = USUAL

    def __post_init__(self) -> None:
        if self.manoeuvre not in TURNS:
            raise ArgumentError(f"manoeuvre is {self.manoeuvre!r}, allowed in space are {', '.join(TURNS)}")

    @classmethod
    def of_species(cls, species: Any, manoeuvre: str, basin: Basin = IN_BOX, weights: Weights = USUAL) -> SpaceTask:
        """The task for a manoeuvre of a species, one body length long."""
        specs = species.specs
        return cls(species.key, tuple(specs["links"]), specs["servo"], manoeuvre, basin, weights)

    @property
    def turning(self) -> bool:
        return self.manoeuvre != "straight"

    @property
    def period(self) -> float:
        return self.basin.period

    @property
    def body(self) -> Body:
        """Its links and servos; what it swims with comes from the search."""
        return Body(self.name, Path(self.name), plan_of(self.links), self.servo, {})

    def variables(self, group: str | None = None) -> Variables:
        """What is searched for; turns have offsets, and those to one side break the mirror. Wings first beat as a whole."""
        if group == WING_BEAT:
            return WingBeat(plan_of(self.links))
        return Variables(plan_of(self.links), self.turning, group, mirrored=self.manoeuvre not in TO_ONE_SIDE)

    def score(self, sines: Array) -> Score:
        """How good a stroke is."""
        return tried(self.body, sines, self.basin, self.manoeuvre, self.weights)

    def steady(self, sines: Array, pace: float) -> Steady | None:
        """What a stroke settles at, in steps as a box of the game has them at a pace; None if the water breaks."""
        try:
            return steady(self.body, sines, replace(self.basin, dt=min(pace, 1.0) * self.basin.dt), SETTLED_AFTER)
        except PaludariumError:
            return None
