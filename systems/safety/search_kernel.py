"""The search for numbers that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...engine.kernel_types import Array


@kernel()
def any_not_finite_in(bits: Array, infinite: int, pieces: Array) -> bool:
    """Return whether NaN or infinity is in one of the pieces [begin, end).

    bits: memory as whole numbers as wide as the floating-point ones; infinite: the bits of infinity, which NaN has as
    well. Whole numbers, because such a loop is done many at a time.
    """
    bad = 0
    for k in range(pieces.shape[0]):
        for place in range(pieces[k, 0], pieces[k, 1]):
            bad |= (bits[place] & infinite) == infinite
    return bad != 0
