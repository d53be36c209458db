"""A pair of muscles at a joint instead of a spring and a damper: they only pull, weaker when short, long or fast. [Guo15
3.3, 8.2]

Legend: F = F_max (a f_l(l) f_v(v)) + F_pe(l), l in rest lengths, v in largest speeds of shortening. The tendon of an
insect is stiff: the series element is left out. The pair's torque is arm (F_ext - F_flx).
"""

from __future__ import annotations

from math import exp

from ...engine.kernel import kernel

ARM = 0.15  # mm from the joint to where both muscles pull
MUSCLE_LENGTH = 0.6  # mm at rest
STRONGEST = 6.0e5  # uN
FASTEST = 12.0  # rest lengths per second
WIDTH = 0.45  # of the curve of force over length
CURVE = 0.25  # of the curve of force over shortening
LENGTHENING = 1.5  # largest force of a muscle that is pulled longer
TONE = 0.1  # activation of both at rest: it makes the joint stiff
PASSIVE, PASSIVE_FROM = 4.0, 1.25  # strength and length from which on a muscle resists without being active


@kernel(refcount=False)
def length_factor(length: float) -> float:
    """Return the share of its force that a muscle has at a length."""
    d = (length - 1.0) / WIDTH
    return exp(-d * d)


@kernel(refcount=False)
def speed_factor(speed: float) -> float:
    """Return the share of its force at a speed of shortening, in largest speeds; negative is lengthening."""
    if speed >= 1.0:
        return 0.0
    if speed >= 0.0:
        return (1.0 - speed) / (1.0 + speed / CURVE)
    return LENGTHENING - (LENGTHENING - 1.0) * (1.0 + speed) / (1.0 - 7.56 * speed) if speed > -1.0 else LENGTHENING


@kernel(refcount=False)
def muscle_force(activation: float, length: float, speed: float) -> float:
    """Return the pull of one muscle; never negative."""
    a = min(max(activation, 0.0), 1.0)
    stretch = max(length - PASSIVE_FROM, 0.0)
    return STRONGEST * (a * length_factor(length) * speed_factor(speed) + PASSIVE * stretch * stretch)


@kernel(refcount=False)
def pair_torque(wanted: float, bend: float, rate: float) -> float:
    """Return the torque of an antagonist pair that is asked for one. bend: from the joint's middle, rate: rad/s."""
    drive = wanted / (ARM * STRONGEST)
    reach, speed = ARM * bend / MUSCLE_LENGTH, ARM * rate / (MUSCLE_LENGTH * FASTEST)
    # a joint that opens shortens its extensor
    pull = muscle_force(TONE + max(drive, 0.0), 1.0 - reach, speed)
    return ARM * (pull - muscle_force(TONE + max(-drive, 0.0), 1.0 + reach, -speed))
