"""What a kernel is to numba: something Python calls, and, apart from that, something kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from .code_cache import CodeCache
from .inner_code import (
    InnerCompiler,
    InnerFunctionCompiler,
    PlainFunctionCompiler,
    WholeCompiler,
    WholeFunctionCompiler,
    is_lean,
)

USUAL = {"nopython": True, "boundscheck": None}
"""Options that every kernel has; they are in no key."""


class KernelDispatcher(CPUDispatcher):
    """A compiled function. Versions that Python calls are whole; for calls from other kernels there is `inner`."""

    def __init__(self, function: Callable[..., Any], _locals: Any = None, options: dict[str, Any] | None = None) -> None:
        super().__init__(function, targetoptions={**USUAL, **(options or {})})
        self._options = {name: value for name, value in self.targetoptions.items() if name not in USUAL}
        self._cache = CodeCache(function, self._options, inner=False)
        self._compiler = _compiler_of(self, WholeFunctionCompiler, WholeCompiler)
        self._inner: InnerDispatcher | None = None

    @property
    def inner(self) -> InnerDispatcher:
        """The same kernel for calls from compiled code; made when the first one is compiled that calls it."""
        if self._inner is None:
            self._inner = InnerDispatcher(self.py_func, None, self._options)
        return self._inner

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a compiled caller learns of this kernel: one version for all whole numbers, not one for each value."""
        args = tuple(types.unliteral(each) for each in args)
        inner: Any = self.inner  # to mypy what a property gives is bound once more, if it can be
        return inner.get_call_template(args, {name: types.unliteral(each) for name, each in kws.items()})

    def get_overload(self, sig: Any) -> Any:
        inner: Any = self.inner
        return inner.get_overload(sig)

    @property
    def is_compiling(self) -> Any:
        return self._compiling_counter or (self._inner is not None and self._inner.is_compiling)


class InnerDispatcher(CPUDispatcher):
    """Versions that only kernels call. Python never does, so they have no place in its table of calls."""

    def __init__(self, function: Callable[..., Any], _locals: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions={**USUAL, **options})
        self._compiler = _compiler_of(self, InnerFunctionCompiler, InnerCompiler)
        if is_lean():  # else there is no bit code to keep, and machine code cannot be linked with
            self._cache = CodeCache(function, options, inner=True)

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres


def _compiler_of(dispatcher: Any, lean: Any, pipeline: Any) -> Any:
    described = (dispatcher.py_func, dispatcher.targetdescr, dispatcher.targetoptions, dispatcher.locals)
    return lean(*described, pipeline) if is_lean() else PlainFunctionCompiler(*described, Compiler)
