"""Sliders of the inspector: what a player may change of a fish while it lives. [Tu99 9.2]

Each is a factor on what the species has, shown by its logarithm: the middle is the animal as its species file says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..components.fish.mind import OWN_KEYS, MindPool, MindSpec
from ..components.fish.springs import FishBodyPool
from ..components.fish.tuning_limits import LIMITS
from ..systems.fish.tuning import mind_value

if TYPE_CHECKING:
    from ..engine.creature import Creature

RANGE = 4.0
"""Largest factor of a slider; the smallest is one by it."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Slider:
    """One thing that can be changed: its factor now, and how to set it."""

    name: str
    factor: float
    give: Callable[[float], None]

    @property
    def share(self) -> float:
        """Where its grip is, 0 to 1."""
        return share_of(self.factor)


def share_of(factor: float) -> float:
    """Place of a factor on a slider: ``share_of(1.0) == 0.5``."""
    if factor <= 0.0:
        return 0.0
    return min(max(0.5 + 0.5 * math.log(factor) / math.log(RANGE), 0.0), 1.0)


def factor_at(share: float) -> float:
    """Factor at a place of a slider: ``factor_at(0.5) == 1.0``."""
    return float(RANGE ** (2.0 * min(max(share, 0.0), 1.0) - 1.0))


def sliders_of(creature: Creature) -> list[Slider]:
    """What can be changed of a creature; of others than living fishes nothing."""
    if creature.dead or creature.species.family != "fish":
        return []
    world, row = creature.world, creature.row
    factors = world.pool(FishBodyPool).tuned[row].tolist()
    told = [Slider(name, factor, _tuner(creature, name)) for name, factor in zip(LIMITS, factors, strict=True)]
    minds, specs = world.pool(MindPool), creature.species.specs.values()
    spec = next((one for one in specs if isinstance(one, MindSpec)), None)
    if spec is not None:
        now = {key: mind_value(minds, row, key) / getattr(spec, key) for key in OWN_KEYS if getattr(spec, key) > 0.0}
        told += [Slider(key.replace("_", " "), factor, _minder(creature, spec, key)) for key, factor in now.items()]
    return told


def _tuner(creature: Creature, name: str) -> Callable[[float], None]:
    def give(factor: float) -> None:
        creature.tune(**{name: factor})

    return give


def _minder(creature: Creature, spec: MindSpec, key: str) -> Callable[[float], None]:
    def give(factor: float) -> None:
        creature.set_mind(**{key: factor * getattr(spec, key)})

    return give


class SliderPanel:
    """Where sliders are on the screen, and which one the player holds."""

    def __init__(self) -> None:
        self.places: dict[str, Box] = {}
        self.shown: list[Slider] = []
        self.are_shown = False
        """Whether the player wants them."""
        self._held = ""

    def clear(self) -> None:
        """Forget where they are: the panel is drawn anew."""
        self.places, self.shown = {}, []

    def press(self, x: float, y: float) -> bool:
        """Take hold of the slider at a place of the screen; returns whether there is one."""
        for name, (left, top, width, height) in self.places.items():
            if left <= x < left + width and top <= y < top + height:
                self._held = name
                self.move(x)
                return True
        return False

    def move(self, x: float) -> bool:
        """Drag the one that is held; returns whether one is."""
        slider = next((one for one in self.shown if one.name == self._held), None)
        if slider is None or self._held not in self.places:
            self._held = ""
            return False
        left, _, width, _ = self.places[self._held]
        slider.give(factor_at((x - left) / max(width - 1, 1)))
        return True

    def release(self) -> bool:
        """Let go; returns whether one was held."""
        held, self._held = bool(self._held), ""
        return held
