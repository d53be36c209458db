"""Random numbers of kernels against the published generator."""

import numpy as np

from paludarium.engine.splitmix_kernel import GOLDEN_GAMMA, unit_of_state

SEED = 1234567
PUBLISHED = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821)
"""What splitmix64 draws from that seed."""


def test_numbers_are_those_of_splitmix64():
    for k, drawn in enumerate(PUBLISHED):
        state = np.uint64((SEED + (k + 1) * int(GOLDEN_GAMMA)) % 2**64)
        assert unit_of_state(state) == (drawn >> 11) * 2.0**-53
