"""What a kernel is to numba: something Python calls, and, apart from that, something kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.registry import CPUDispatcher

from .code_cache import CodeCache
from .inner_code import InnerCompiler, InnerFunctionCompiler, WholeCompiler, WholeFunctionCompiler, is_lean

USUAL = {"nopython": True, "boundscheck": None}


class KernelDispatcher(CPUDispatcher):
    """A compiled function. Versions that Python calls are whole; for calls from other kernels there is `inner`."""

    def __init__(self, py_func: Callable[..., Any], targetoptions: dict[str, Any]) -> None:
        super().__init__(py_func=py_func, targetoptions={**USUAL, **targetoptions})
        self._cache = CodeCache(py_func, targetoptions, inner=False)
        self._asked_for = targetoptions
        self._inner: InnerDispatcher | None = None
        if is_lean():
            self._compiler = WholeFunctionCompiler(py_func, self.targetdescr, self.targetoptions, self.locals, WholeCompiler)

    @property
    def inner(self) -> InnerDispatcher:
        """The same kernel for calls from compiled code; made when the first one is compiled that calls it."""
        if self._inner is None:
            self._inner = InnerDispatcher(self.py_func, self._asked_for)
        return self._inner

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a compiled caller learns of this kernel: one version for all whole numbers, not one for each value."""
        args = tuple(types.unliteral(each) for each in args)
        kws = {name: types.unliteral(each) for name, each in kws.items()}
        return self.inner.get_call_template(args, kws) if is_lean() else super().get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.inner.get_overload(sig) if is_lean() else super().get_overload(sig)

    @property
    def is_compiling(self) -> Any:
        return self._compiling_counter or (self._inner is not None and self._inner.is_compiling)


class InnerDispatcher(CPUDispatcher):
    """Versions that only kernels call. Python never does, so they have no place in its table of calls."""

    def __init__(self, py_func: Callable[..., Any], targetoptions: dict[str, Any]) -> None:
        super().__init__(py_func=py_func, targetoptions={**USUAL, **targetoptions})
        self._cache = CodeCache(py_func, targetoptions, inner=True)
        self._compiler = InnerFunctionCompiler(py_func, self.targetdescr, self.targetoptions, self.locals, InnerCompiler)

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres
