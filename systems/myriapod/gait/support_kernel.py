"""Who carries whom: which segments are led by the Targeter in this tick and which are left to the dynamics."""

from __future__ import annotations

from ....components.leg_states import LegState, SupportMode
from ....components.myriapod.body_modes import BodyMode
from ....components.myriapod.gait import Gait
from ....engine.kernel import kernel

ON_A_BACK = 0.3
"""Share of a back underfoot from which on it carries the segment, whatever the legs find."""


WADING, AFLOAT, LANDING = 0, 1, 2
"""Who moves what is under water: the legs of the walker that wades in, the water alone, or whoever has moved it so far."""


@kernel()
def mark_swimmers(spans, tiers, follow, water_mode, flags):
    """Update flags of the swimmers at the first rows of spans from their modes; whoever is unseen is led as if it waded.

    Where the water carries them, all submerged segments are left to the dynamics.
    """
    for k in range(spans.shape[0]):
        c = spans[k, 0]
        if tiers[c] == follow:
            continue
        mode = water_mode[c]
        if mode == BodyMode.IN_WATER or mode == BodyMode.AIR_TO_WATER:
            flags[c] = AFLOAT
        elif mode == BodyMode.WATER_TO_GROUND:
            flags[c] = LANDING
        else:
            flags[c] = WADING


@kernel()
def in_charge(carrier, led_before):
    """Return whether a submerged segment is led. On the way out what swims goes on swimming until it has ground below.

    A part that has walked over a bank and into the water behind it stays led: were it let go, nothing would pull the rest
    over. A bent and beating part must never be led before it stands: led bodies trail straight, and it would be whipped.
    """
    return carrier == WADING or (carrier == LANDING and led_before)


@kernel()
def judge_support(
    creature, first_segment, segment_count, first_leg, leg_count, adjusting, gait, segment_row, leg_state, submerged,
    swimming, lift_share, supported, kinematic, support_timer, blend_timer, dt,
):  # fmt: skip
    """Update supported, kinematic and the two timers of one creature's segments from its leg states.

    ``supported`` is the bare leg test. ``kinematic`` adds the hold time and the ends of the body: a head is always
    led and a tail without a neighbour behind it would sag, except in ADJUSTMENT, when the animal is not in charge of
    its body. What hangs on a part that swims freely swims, whatever its legs find: a tail that brushes a shoal would be led
    after a beating body and whip it. [Fang15 4.1, digest E-36, walking-study 3]
    """
    first = first_segment[creature]
    last = first + segment_count[creature] - 1
    leg = first_leg[creature]
    legs_end = leg + leg_count[creature]
    mode = int(gait[Gait.SUPPORT_MODE])
    drawn_by_a_swimmer = False
    for row in range(first, last + 1):
        legs = 0
        standing = 0
        while leg < legs_end and segment_row[leg] == row:
            legs += 1
            standing += leg_state[leg] == LegState.STANCE
            leg += 1
        carried = standing > 0 and (mode != SupportMode.BOTH.value or standing == legs)
        supported[row] = carried
        support_timer[row] = gait[Gait.SUPPORT_HOLD] if carried else max(0.0, support_timer[row] - dt)
        led = carried or support_timer[row] > 0.0 or lift_share[row] > ON_A_BACK
        if (row == first or row == last) and gait[Gait.ENDS_KINEMATIC] > 0.5:
            led = led or not adjusting[creature]
        if row == first and adjusting[creature]:
            led = False
        led = led or mode == SupportMode.ALWAYS.value
        if submerged[row]:
            led = in_charge(swimming[creature], kinematic[row]) and (
                not adjusting[creature] or mode == SupportMode.ALWAYS.value
            )
        led = led and not drawn_by_a_swimmer
        drawn_by_a_swimmer = drawn_by_a_swimmer or (submerged[row] and not led)
        if led and not kinematic[row]:
            blend_timer[row] = gait[Gait.BLEND_DURATION]
        elif blend_timer[row] > 0.0:
            blend_timer[row] = max(0.0, blend_timer[row] - dt)
        kinematic[row] = led
