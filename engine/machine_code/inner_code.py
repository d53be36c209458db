"""Kernels that only kernels call: compiled as far as linking needs, and optimised once, inside those that Python calls.

numba makes machine code, optimised, with wrappers for Python and C, of every function, and then links its bit code into the
callers and optimises it again there, at every level. That machine code is never run: of the 306 functions that a first
step needed, 33 are called from Python. Here an inner kernel stays what the front end made of it. It halves what compiling
costs; results and speed are the same. It rests on inner parts of numba, so it is used with versions that are tested.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra
from numba.core.compiler_machinery import register_pass
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]  # numba's own stub leaves it out
from numba.core.environment import lookup_environment
from numba.core.typed_passes import BaseNativeLowering, NativeParforLowering
from numba.parfors.parfor import Parfor
from numba.parfors.parfor_lowering import ParforLower

from .compile_news import compiling

TESTED_VERSIONS = ("0.67.", "0.68.")
"""Of numba. With others every kernel is compiled as numba does it: slower, with the same result."""


@cache
def is_lean() -> bool:
    """Whether inner kernels are compiled the short way here."""
    return numba.__version__.startswith(TESTED_VERSIONS)


class InnerLibrary(JITCodeLibrary):
    """Code that waits to be linked: no optimisation of its own, no machine code, and so no place in memory."""

    _bitcode: bytes | None = None

    @classmethod
    def of_bitcode(cls, codegen: Any, name: str, bitcode: bytes) -> InnerLibrary:
        """A stored one; its bit code is read when something links with it."""
        library = cls(codegen, name)
        library._bitcode, library._finalized = bitcode, True
        return library

    @property
    def codegen(self) -> Any:
        return _NoMemory(self._codegen)

    def finalize(self) -> None:
        self._raise_if_finalized()
        seen = set()
        for library in self._linking_libraries:
            if library not in seen:
                seen.add(library)
                self._reload_init.update(library._reload_init)  # noqa: SLF001 - a library like this one
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)  # noqa: SLF001
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - there is none, whatever the name
        self._ensure_finalized()
        return 0

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None and self._bitcode is not None:
            self._shared_module = llvm.parse_bitcode(self._bitcode)
        return super()._get_module_for_linking()


class _NoMemory:
    """A code generator for code without a place in memory: environments are set where it is linked."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        pass


class Callee:
    """What stands for an inner kernel where numba would have something to call: it is only looked up."""

    __slots__ = ("__weakref__", "library", "name")

    def __init__(self, name: str, library: InnerLibrary) -> None:
        self.name, self.library = name, library

    def __repr__(self) -> str:
        return f"<inner kernel {self.name}>"


def as_callee(description: Any, library: InnerLibrary, context: Any) -> Callee:
    """Make an inner kernel known to those who will call it."""
    callee = Callee(description.qualname, library)
    context.insert_user_function(callee, description, [library])
    return callee


class WholeCompiler(Compiler):
    """For kernels that Python calls: as numba does it, but bodies of parallel loops are inner code too."""

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            lean = {NativeParforLowering: _LeanParforLowering}
            pipeline.passes = [(lean.get(each, each), why) for each, why in pipeline.passes]
            pipeline.finalize()
        return pipelines


class InnerCompiler(WholeCompiler):
    """For kernels that only kernels call."""

    def compile_extra(self, func: Any) -> Any:
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class _LeanParforLower(ParforLower):
    def lower_inst(self, inst: Any) -> None:
        if not isinstance(inst, Parfor):
            super().lower_inst(inst)
            return
        codegen = self.context.codegen()
        codegen._library_class = InnerLibrary  # noqa: SLF001 - on this object only, while the compiler's lock is held
        try:
            super().lower_inst(inst)
        finally:
            del codegen._library_class  # noqa: SLF001


@register_pass(mutates_CFG=True, analysis_only=False)
class _LeanParforLowering(BaseNativeLowering):
    _name: Any = "lean_parfor_lowering"

    @property
    def lowering_class(self) -> Any:
        return _LeanParforLower


class KernelFlags(Flags):
    """numba's flags, compared by what is set. numba looks up all thirty of them by name, twice per comparison, and compares
    them at every call that it types: a sixth of all compiling."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, KernelFlags) and self._values == other._values:  # noqa: SLF001
            return True
        return bool(super().__eq__(other))

    def __hash__(self) -> int:
        return _HASH_OF_FLAGS


_HASH_OF_FLAGS = hash(Flags())
"""numba's hash of flags is that of their names, which never change."""


class PlainFunctionCompiler(_FunctionCompiler):  # type: ignore[misc]
    """Compiles one version of a kernel as numba does it: for versions of numba that are not tested."""

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        with _own_names(), compiling(self.py_func):
            return super()._compile_core(args, return_type)


class WholeFunctionCompiler(_FunctionCompiler):  # type: ignore[misc]
    """Compiles one version of a kernel that Python calls."""

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        with _own_names(), compiling(self.py_func):
            flags = KernelFlags()
            self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
            result = compile_extra(
                self.targetdescr.typing_context, self.targetdescr.target_context, self.py_func, args=args,
                return_type=return_type, flags=self._customize_flags(flags), locals=self.locals,
                pipeline_class=self.pipeline_class,
            )  # fmt: skip
            return self._finished(result)

    def _finished(self, result: Any) -> Any:
        return result._replace(referenced_envs=_set_environments(result.library))


class InnerFunctionCompiler(WholeFunctionCompiler):
    """Compiles one version of an inner kernel."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
        return flags

    def _finished(self, result: Any) -> Any:
        result.library._ensure_finalized()  # noqa: SLF001
        return result._replace(
            entry_point=as_callee(result.fndesc, result.library, result.target_context),
            reload_init=list(result.library._reload_init),  # noqa: SLF001
        )


def _set_environments(library: Any) -> tuple[Any, ...]:
    """Tell the linked code where the constants of the inner kernels are, which never had a place of their own."""
    found = []
    for variable in library._final_module.global_variables:  # noqa: SLF001
        environment = lookup_environment(variable.name)
        if environment is not None:
            library.codegen.set_env(variable.name, environment)
            found.append(environment)
    return tuple(found)


@contextmanager
def _own_names() -> Iterator[None]:
    """While our kernels are compiled, symbols get numbers that no other process gives.

    numba counts from one in every process, so code from two of them can give one name to two functions; the linker would
    take either. The host's own functions keep their numbers.
    """
    numbers: Any = FunctionIdentity._unique_ids  # noqa: SLF001
    if isinstance(numbers, _Numbers):
        yield
        return
    FunctionIdentity._unique_ids = _Numbers(secrets.randbits(56))  # type: ignore[assignment]  # noqa: SLF001
    try:
        yield
    finally:
        FunctionIdentity._unique_ids = numbers  # noqa: SLF001


class _Numbers:
    """Numbers from a random one on. numba's own functions, compiled on the way, get them too."""

    def __init__(self, first: int) -> None:
        self._count = itertools.count(first)

    def __next__(self) -> int:
        return next(self._count)
