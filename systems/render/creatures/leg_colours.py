"""What legs show by their colour: SF1, SF2, SB1, SB2, STANCE, ADJUST, TUCKED in linear light. [look 5]"""

from __future__ import annotations

import numpy as np

NO_STATE = -1  # of a leg that shows none
STATE_COLOURS = np.array(
    [(0.096, 0.585, 0.938), (0.014, 0.285, 0.808), (0.450, 0.078, 0.543), (0.857, 0.063, 0.229), (0.901, 0.509, 0.038),
     (0.160, 0.538, 0.173), (0.108, 0.187, 0.229)], dtype=np.float32)  # fmt: skip
