"""Which food a fish goes for: what its mouth comes to, and what no other fish is nearer to that goes for it already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.fish.eyes import NOBODY
from ....components.fish.intentions import About, Intention
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.vector_kernel import minus, row_of, size
from ....engine.water.sample_kernel import sample_water

if TYPE_CHECKING:
    from ....components.diet import DietPool
    from ....components.fish.mind import MindPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.kernel_types import Array, Vector
    from ....engine.props import FoodPool
    from ....engine.water.pond_layout import WaterArrays

FEEDS_IN = 1.7  # heights of its body that the water has to be deep where it feeds: with less it cannot turn on the spot
FEEDING_MARGIN = 0.55  # heights of its body that its mouth keeps from bed and surface while it feeds
EDGE_OF_REACH = 0.9  # of the height that a mouth reaches
CLEARLY = 0.9  # of the distance of one fish, within which another is the nearer one


@kernel(refcount=False)
def claim_food(rows: Array, fishes: FishBodyPool, minds: MindPool, food: FoodPool, claims: Array) -> None:
    """Find how near the nearest fish is that goes for each piece of food; infinite where none does."""
    claims[:] = 1e9
    for r in range(rows.size):
        c = int64(rows[r])
        row = int64(minds.target[c])
        eats = minds.mode[c] == Intention.EAT.value and minds.about[c] == About.FOOD.value
        if eats and 0 <= row < claims.shape[0] and food.owner[row] != NOBODY:
            claims[row] = min(claims[row], size(minus(row_of(food.position, row), row_of(fishes.mouth, c))))


@kernel(refcount=False)
def is_in_reach(c: int, place: Vector, fishes: FishBodyPool, diets: DietPool, water: WaterArrays) -> bool:
    """Return whether the mouth of a fish comes to a place: not where it would run aground or leave the water."""
    surface, depth, _, _ = sample_water(water, place[0], place[1])
    if not depth > FEEDS_IN * fishes.height[c]:
        return False
    margin = FEEDING_MARGIN * fishes.height[c]
    nearest = min(max(place[2], surface - depth + margin), surface - margin)
    return abs(place[2] - nearest) < EDGE_OF_REACH * diets.height[c]
