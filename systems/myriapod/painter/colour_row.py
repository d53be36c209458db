"""How one kind of animal looks: a small row of floats that a species file can fill in."""

from __future__ import annotations

PLATE, TISSUE, FEMUR, TIBIA, TARSUS, HEAD, ANTENNA_BASE, ANTENNA_TIP = range(0, 24, 3)
(WIDTH, LEG_WIDTH, GLOSS, RIM_GAIN, FORCIPULES, TAIL_LEGS, RINGS, ANTENNA_WIDTH, TAPER, EYES, FLANK) = range(24, 35)
APPEARANCE_FIELDS = 40
