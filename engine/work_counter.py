"""Sharing out work among threads as they come: a thread that is done takes the next piece.

With fixed shares a loop lasts as long as the thread that the machine holds up most. Only for pieces that do not touch each
other: which thread does which one changes from run to run, the result must not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from numba import types
from numba.extending import intrinsic

if TYPE_CHECKING:
    from .kernel_types import Array


@intrinsic
def _take_next(_typing_context: Any, counter: Any) -> Any:
    if not (isinstance(counter, types.Array) and counter.dtype == types.int64):
        return None

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        one = context.get_constant(types.int64, 1)
        return builder.atomic_rmw("add", array.data, one, "monotonic")

    return types.int64(counter), emit


take_next = cast("Callable[[Array], int]", _take_next)
"""Return the number in a one-element int64 array and count it up by one, as a single step for all threads.

Example::

    for _ in prange(threads):
        piece = take_next(counter)        # np.zeros(1, dtype=np.int64) before the loop
        while piece < pieces:
            work_on(piece)
            piece = take_next(counter)
"""
