"""What happens to minds in every tick, not only when they think: meals, prey drawn into a mouth, what others see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.diet import TAKES_PREY
from ....components.fish.eyes import NOBODY
from ....components.fish.intentions import About, Strike
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.vector_kernel import minus, row_of, size, unit
from .courtship_kernel import is_female, is_paired

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.diet import DietPool
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array

DRAW_SPEED = 4.0  # lengths of the prey per second at which it is drawn in, at least
APART = 1.2  # of the mean of two lengths, from middle to middle: farther away than that two fishes do not touch
MOUTH_SHARE = 0.8  # of the reach of a mouth: nearer than this it closes on the prey


@kernel()
def note_meals(rows: Array, minds: MindPool, diets: DietPool) -> None:
    """Update what fishes have eaten: an item for every tick in which they got something."""
    for r in range(rows.size):
        c = rows[r]
        if diets.owner[c] != NOBODY and diets.meal[c] > 0.0:
            minds.eaten[c] += 1.0
            minds.since_meal[c] = 0.0
            if minds.strike[c] == Strike.CATCHING.value:
                minds.strike[c], minds.strike_left[c] = Strike.NONE.value, 0.0


@kernel()
def keep_bond(c: int, creatures: CreaturePool, bodies: BodyPool, fishes: FishBodyPool, minds: MindPool) -> None:
    """Update whom one fish does not press against: a male the female that courts him, and then until both are apart.

    Who dances is in places where it would press: parted at once by contact, both would be thrown out of the water.
    """
    before, other = bodies.bond[c], int64(minds.bonded[c])
    bodies.bond[c] = NOBODY
    if is_paired(c, minds) and not is_female(c, minds):
        other = int64(minds.partner[c])
    elif other == NOBODY:
        return
    elif creatures.owner[other] != before or is_apart(c, other, fishes):
        minds.bonded[c] = NOBODY
        return
    minds.bonded[c], bodies.bond[c] = other, creatures.owner[other]


@kernel()
def is_apart(c: int, other: int, fishes: FishBodyPool) -> bool:
    """Return whether two fishes are so far from each other that they cannot touch."""
    offset = minus(row_of(fishes.centre, c), row_of(fishes.centre, other))
    return size(offset) > APART * 0.5 * (fishes.length[c] + fishes.length[other])


@kernel()
def draw_prey(rows: Array, creatures: CreaturePool, bodies: BodyPool, fishes: FishBodyPool, minds: MindPool, diets: DietPool,
              dt: float) -> None:  # fmt: skip
    """Update the velocities at which prey is drawn into the mouths of hunters whose strike succeeded: it is not pressed
    by the hunter any more, and a male is not by the female that courts him. [fish 3]"""
    for r in range(rows.size):
        fishes.dragged[rows[r]] = 0.0
        keep_bond(int64(rows[r]), creatures, bodies, fishes, minds)
    for r in range(rows.size):
        c = int64(rows[r])
        if minds.strike[c] != Strike.CATCHING.value:
            continue
        prey = int64(minds.target[c])
        gone = minds.about[c] != About.CREATURE.value or not 0 <= prey < creatures.owner.shape[0]
        if gone or creatures.owner[prey] != minds.target_serial[c]:
            minds.strike[c], minds.strike_left[c] = Strike.NONE.value, 0.0
            continue
        diets.gape[c] |= TAKES_PREY
        bodies.bond[c] = creatures.owner[prey]
        if fishes.owner[prey] == NOBODY:
            continue
        offset = minus(row_of(fishes.mouth, c), row_of(fishes.centre, prey))
        distance = size(offset)
        if distance < MOUTH_SHARE * diets.reach[c]:
            continue
        pull = min(max(DRAW_SPEED * fishes.length[prey], 2.0 * size(row_of(fishes.velocity, prey))), distance / dt)
        u = unit(offset, (0.0, 0.0, 0.0))
        for axis in range(3):
            # against its own motion, and with the mouth that comes on
            fishes.dragged[prey, axis] = pull * u[axis] + fishes.velocity[c, axis] - fishes.velocity[prey, axis]


@kernel()
def show_minds(rows: Array, eyes: EyePool, minds: MindPool) -> None:
    """Update what others see of the minds of fishes."""
    for r in range(rows.size):
        c = rows[r]
        minds.seen_mode[c], minds.seen_side[c], minds.seen_obstacle[c] = minds.mode[c], minds.side[c], minds.obstacle[c]
        minds.seen_stage[c], minds.seen_partner[c] = minds.stage[c], minds.partner[c]
        minds.seen_company[c] = eyes.company[c]
