"""What brains learn of the bodies below them, and what these learn of the brains."""

from __future__ import annotations

from ...components.brain_modes import BrainMode, GoalKind
from ...components.myriapod.body_modes import DRY
from ...engine.kernel import kernel


@kernel()
def has_row(owner, nobody, c):
    """Return whether a creature has a row in an aligned pool."""
    return c < owner.shape[0] and owner[c] != nobody


@kernel()
def forget_the_gone(rows, goal_row, goal_serial, owner, goal_kind):
    """Update goals about creatures that have left the world to none; rows are used again, serial numbers are not."""
    for k in range(rows.shape[0]):
        c = rows[k]
        about_somebody = goal_kind[c] == GoalKind.FOLLOW or goal_kind[c] == GoalKind.FLEE_CREATURE
        if about_somebody and owner[goal_row[c]] != goal_serial[c]:
            goal_kind[c] = GoalKind.NONE


@kernel()
def feel_footing(rows, nobody, walker, stance_share, swimmer, swimming, water_mode, footing, afloat):
    """Update footing and afloat: legs carry a walker, water whoever has muscles to swim with.

    Nothing carries a swimmer on dry land. walker and swimmer: owners of the rows of legs and of muscles.
    """
    for k in range(rows.shape[0]):
        c = rows[k]
        swims = has_row(swimmer, nobody, c)
        if swims:
            footing[c] = 0.0
            afloat[c] = swimming[c]
        if has_row(walker, nobody, c):
            footing[c] = stance_share[c]
        if swims and water_mode[c] != DRY:
            footing[c] = 1.0


@kernel()
def hand_over(rows, nobody, mode, walker, adjusting):
    """Update which walkers are not in charge of their bodies from the modes of their brains."""
    for k in range(rows.shape[0]):
        c = rows[k]
        if has_row(walker, nobody, c):
            adjusting[c] = mode[c] == BrainMode.ADJUSTMENT
