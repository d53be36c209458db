"""Who carries whom: which segments are led by the Targeter in this tick and which are left to the dynamics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.leg_states import LegState, SupportMode
from ....components.myriapod.body_modes import BodyMode
from ....components.myriapod.gait import Gait
from ....engine.creature import FOLLOW
from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.head_command import HeadCommandPool
    from ....components.legs import LegPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.gait import GaitPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array

ON_A_BACK = 0.3
"""Share of a back underfoot from which on it carries the segment, whatever the legs find."""

LEADS_UNTIL = 0.8
"""Share of a body that wades up to which its head is led. Set by trials: up to a third long bodies did not get away from a
flat shore, up to two thirds one short body in 200; where it led to the end, tails of long ones were whipped at 9.7 u/s."""

NOBODY = -1
"""The row of a leading end that is not led."""


@kernel()
def leads_in_water(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool) -> bool:
    """Return whether the leading end of creature `c` is led although it is under water.

    It leads a body that wades in, for a short piece that swims cannot turn what legs push along a shore behind it. Then the
    head swims like all that is wet. What leaps out of the water does not stand: a head that was led for its sake was pulled
    from the bed to the surface at once, and its neck broke. [Fang15 App. D]
    """
    mode, wet, afloat = chains.body_mode[c], 0, 0
    if mode == BodyMode.IN_WATER or mode == BodyMode.AIR_TO_WATER:
        return False
    first, count = bodies.first_segment[c], bodies.segment_count[c]
    for row in range(first, first + count):
        stands = segments.supported[row] != 0 or chained.support_timer[row] > 0.0
        wet += segments.submerged[row] != 0
        afloat += segments.submerged[row] != 0 or not stands
    return wet == 0 or afloat < LEADS_UNTIL * count


@kernel()
def support_mode(c: int, chains: ChainPool, gait: Array) -> int:
    """Return when legs carry a segment: as the species has it, and always in the follow tier, which has no dynamics.

    The tier is that of the last physics: a body that changes its tier is handed over there, later in the tick.
    """
    return SupportMode.ALWAYS.value if chains.previous_tier[c] == FOLLOW else int(gait[Gait.SUPPORT_MODE])


@kernel()
def judge_support(c: int, creatures: CreaturePool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
                  chained: ChainSegmentPool, legs: LegPool, gaits: GaitPool, heads: HeadCommandPool,
                  dt: float) -> None:  # fmt: skip
    """Decide which segments of one creature are supported and which are led, and run their two timers.

    ``supported`` is the bare leg test. ``kinematic`` adds the hold time and the ends of the body: a head is always
    led and a tail without a neighbour behind it would sag, except in ADJUSTMENT, when the animal is not in charge of
    its body; the dead never are, whoever walks below them and lifts them: what is led drags the rest of a ragdoll along and
    folds it. What is under water is left to the dynamics at once, behind a head that may be led. While the whole animal
    counts as a swimmer, or so much of it is afloat that its head is not led either, nothing behind a part that swims is led,
    whatever its legs find: a tail that brushes a shoal would be led after a beating body and whip it, and the last segment
    on a beach would be held there until it breaks off. [Fang15 4.1, App. D; myriapoda E-19, E-36; walking 3]
    """
    gait, adjusting = gaits.parameters[c], heads.adjusting[c] != 0
    submerged, kinematic = segments.submerged, chained.kinematic
    support_timer, blend_timer = chained.support_timer, chained.blend_timer
    first, leg = bodies.first_segment[c], bodies.first_leg[c]
    last, legs_end = first + bodies.segment_count[c] - 1, leg + bodies.leg_count[c]
    mode, alive = support_mode(c, chains, gait), creatures.dead[c] == 0
    swims = creatures.tier[c] != FOLLOW  # without dynamics nothing swims: it is led as if it waded
    wades, backward = leads_in_water(c, bodies, chains, segments, chained), heads.speed[c] < 0.0
    leader = (last if backward else first) if wades else NOBODY
    floats = chains.body_mode[c] == BodyMode.IN_WATER or chains.body_mode[c] == BodyMode.AIR_TO_WATER
    floats = floats or not (wades or backward)  # backward it is the tail that leads ashore
    drawn_by_a_swimmer = False
    for row in range(first, last + 1):
        count = 0
        standing = 0
        while leg < legs_end and legs.segment_row[leg] == row:
            count += 1
            standing += legs.state[leg] == LegState.STANCE
            leg += 1
        carried = standing > 0 and (mode != SupportMode.BOTH.value or standing == count)
        segments.supported[row] = carried
        support_timer[row] = gait[Gait.SUPPORT_HOLD] if carried else max(0.0, support_timer[row] - dt)
        led = carried or support_timer[row] > 0.0 or chained.lift_share[row] > ON_A_BACK
        if (row == first or row == last or chained.ahead[row + 1] != 1) and gait[Gait.ENDS_KINEMATIC] > 0.5:
            led = led or not adjusting
        if row == first and adjusting:
            led = False
        led = led or mode == SupportMode.ALWAYS.value
        if submerged[row]:
            led = not swims or row == leader
            led = led and (not adjusting or mode == SupportMode.ALWAYS.value)
        if chained.ahead[row] != 1:  # a branch begins: it hangs on another part
            ahead = max(row - chained.ahead[row], first)
            drawn_by_a_swimmer = floats and submerged[ahead] != 0 and kinematic[ahead] == 0
        led = led and alive and not drawn_by_a_swimmer
        drawn_by_a_swimmer = drawn_by_a_swimmer or (floats and submerged[row] and not led)
        if led and not kinematic[row]:
            blend_timer[row] = gait[Gait.BLEND_DURATION]
        elif blend_timer[row] > 0.0:
            blend_timer[row] = max(0.0, blend_timer[row] - dt)
        kinematic[row] = led
