"""The one decorator behind every compiled function, and the list of them.

Machine code comes from the pack that ships with us, from the user's folder or from the compiler: see `machine_code`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from .machine_code.compile_news import declare
from .machine_code.kernel_dispatcher import KernelDispatcher
from .numba_settings import jit_is_off
from .threading_layer import offer_tbb

# Idle OpenMP threads spin by default. In a game they would burn the core that draws, and on a busy machine every parallel
# loop would wait for them: a 0.6 ms loop was measured at 40 ms. Threads that sleep at once take longer to wake than many
# of our loops last: a tick was measured at twice its time. So they spin for some microseconds, then sleep. A setting of the
# user's own wins.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "20000")
offer_tbb()

Function = TypeVar("Function", bound=Callable[..., Any])

KERNELS: list[Any] = []
"""Every compiled function that has been declared so far."""


def kernel(**options: Any) -> Callable[[Function], Function]:
    """Compile a function with numba when it is first called, unless its machine code is there already.

    To a type checker a kernel is the function as it is written, so that calls of it are checked: names, number and kinds of
    arguments. numba never reads annotations. `kernel_types` has what they are made of.

    ``error_model="numpy"`` is the default because division checks keep loops from being vectorised. Kernels let go of the
    interpreter while they run, so that a picture can be painted beside a tick. ``fastmath`` is refused: it would make
    results depend on the machine.

    ``refcount=False`` leaves reference counting out, for functions whose arrays all belong to the caller: they must not
    create arrays, return any, or assign one to a slice of another (compiling would fail). Counting is not free, and all
    threads share the counters: a sample of flat ground costs 280 ns with it and 11 without, and rows of 64 pixels took
    twice as long. ``inline=True`` makes the function part of its callers.

    Example::

        @kernel()
        def double(values: Array) -> None:
            for i in range(values.size):
                values[i] *= 2.0
    """
    if options.get("fastmath"):
        raise ValueError("fastmath is not allowed in kernels: the state hash must be the same on every machine")
    options.setdefault("error_model", "numpy")
    options.setdefault("nogil", True)
    options.update(_numba_words(options))

    def decorate(function: Function) -> Function:
        if jit_is_off():
            return function
        compiled = KernelDispatcher(function, None, options)
        KERNELS.append(compiled)
        declare(compiled)
        return cast(Function, compiled)

    return decorate


def _numba_words(options: dict[str, Any]) -> dict[str, Any]:
    """What numba calls our options. Its word for reference counting is private; a test tells when it goes."""
    words = {"refcount": "_nrt", "inline": "forceinline"}
    return {words[name]: options.pop(name) for name in list(options) if name in words}
