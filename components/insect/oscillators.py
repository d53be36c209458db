"""What drives the joints of the published ant: oscillators, gains, and the table that their settings come from. [Guo15 5, 6]

The insects of the game keep time by phases (`tripods`); this is the controller that `paludarium train` makes tables for, and
that the reproduction walks with. Units are millimetres, grams and seconds, so forces are in micronewtons.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

from ...engine.spec import number

JOINTS = 9
"""Of the legs of one tripod; the other tripod is its mirror image."""
CONTROLS = 3 * JOINTS
"""Numbers of a controller: phase, middle and swing of each joint."""
HOPF_RATE = 10.0
"""1/s: how fast an oscillator finds its cycle, lambda. [Guo15 App. D]"""


@dataclass(frozen=True)
class OscillatorSpec:
    """The ``[oscillators]`` table of a species: how its joints are driven.

    Example::

        OscillatorSpec().omega(0.25)     # rad/s of a cycle that takes a quarter of a second
    """

    half_cycle: float = number(0.125, unit="s", low=0.01, high=5.0, doc="time from one triangle to the next")
    stiffness: float = number(4.0e4, unit="g_mm2_per_s2", low=1.0, high=1e9, doc="of a joint; 1e9 are one N m per rad")
    damping_time: float = number(0.004, unit="s", low=0.0, high=1.0, doc="damping of a joint as a share of its stiffness")
    rate: float = number(HOPF_RATE, unit="per_s", low=0.1, high=1000.0, doc="how fast oscillators find their cycle")
    step: float = number(0.001, unit="s", low=1e-5, high=0.01, doc="of the integration")

    def omega(self, cycle: float) -> float:
        """rad/s of a cycle of so many seconds."""
        return 2.0 * pi / cycle
