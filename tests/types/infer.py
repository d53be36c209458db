"""What the compiler finds out about kernels: the types of their arguments and of what they return.

A tour through the product notes with which types Python calls kernels. Then numba's type inference runs alone, without
making machine code, from those through all kernels that they call. Tests that name kernels which the tour has not met are
run as well, because much offline code has no other short way in.

    python -m paludarium.tests.types.infer types.json          # everything, about six minutes
    python -m paludarium.tests.types.infer types.json --short  # what a game needs
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FunctionType
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from numba.core import compiler, types, typing
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.typeof import typeof

from paludarium.engine import bundle
from paludarium.engine.kernel import KERNELS
from paludarium.engine.machine_code import kernel_dispatcher
from paludarium.engine.machine_code.inner_code import KernelFlags
from paludarium.engine.pool import Pool
from paludarium.engine.table_type import TableType
from paludarium.tests.types.sources import ROOT, read_modules

PRODUCT = "paludarium."
NOTHING_NEW = "benchmark"
"""Stops of the tour that are left out: benchmarks run for long, and scenes call what they call."""
Root = tuple[str, tuple[Any, ...]]


def name_of(function: FunctionType) -> str:
    """The kernel as everything here calls it."""
    return f"{function.__module__}.{function.__qualname__}"


# -- which kernels Python calls, and with what ---------------------------------------


class Notes:
    """Calls of kernels by Python, and the records that were packed on the way."""

    def __init__(self) -> None:
        self.roots: dict[Root, Any] = {}
        self.records: dict[Any, set[type]] = {}

    def listen(self) -> None:
        """Note every version that Python asks for and every kind of record, from now on."""
        compile_one, plan = kernel_dispatcher.KernelDispatcher.compile, bundle._planned

        def noted(dispatcher: Any, asked: Any) -> Any:
            arguments = tuple(getattr(asked, "args", asked))
            self.roots.setdefault((name_of(dispatcher.py_func), arguments), dispatcher)
            return compile_one(dispatcher, asked)

        def noted_plan(record: Any) -> Any:
            planned = plan(record)
            self._note_record(record, planned.kind.fields)
            return planned

        kernel_dispatcher.KernelDispatcher.compile = noted
        bundle._planned = noted_plan

    def _note_record(self, record: Any, fields: Any) -> None:
        self.records.setdefault(fields, set()).add(type(record))
        for value, (_, content, form) in zip(record, fields, strict=True):
            if form == bundle.RECORD:
                self._note_record(value, content)


# -- what the compiler infers from there ---------------------------------------


class _Typed(Exception):  # noqa: N818 - it ends the compiler's work when that has come far enough
    def __init__(self, returned: Any) -> None:
        self.returned = returned


@register_pass(mutates_CFG=False, analysis_only=True)
class _Stop(FunctionPass):
    _name = "stop_when_typed"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        raise _Typed(state.return_type)


class _TypesOnly(CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("types")
        passes.passes.extend(DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        passes.add_pass(NopythonTypeInference, "types")
        passes.add_pass(_Stop, "stop")
        passes.finalize()
        return [passes]


class _Version:
    """Stands for compiled code of which nothing but the signature is asked."""

    objectmode = False

    def __init__(self, signature: Any) -> None:
        self.signature = signature


Signatures = dict[str, dict[tuple[Any, ...], Any]]
"""Per kernel and types of its arguments: the type it returns."""


def infer(roots: dict[Root, Any]) -> tuple[Signatures, dict[str, str]]:
    """Types of these kernels and of all that they call; and why some have none. Nothing can be compiled after it."""
    found: Signatures = {}

    def compile_inner(dispatcher: Any, asked: Any) -> None:
        arguments = tuple(getattr(asked, "args", asked))
        if arguments not in dispatcher.overloads:
            returned = _returned(dispatcher, arguments)
            dispatcher.overloads[arguments] = _Version(typing.signature(returned, *arguments))
            found.setdefault(name_of(dispatcher.py_func), {})[arguments] = returned

    kernel_dispatcher.InnerDispatcher.compile = compile_inner
    for each in KERNELS:
        each._inner = None
    failed: dict[str, str] = {}
    for (name, arguments), dispatcher in roots.items():
        try:
            found.setdefault(name, {})[arguments] = _returned(dispatcher, arguments)
        except Exception as problem:  # noqa: BLE001 - told at the end
            failed[name] = f"{type(problem).__name__}: {str(problem)[-300:]}"
    return found, failed


def _returned(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    flags = KernelFlags()
    described = dispatcher.targetdescr
    described.options.parse_as_flags(flags, dispatcher.targetoptions)
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    try:
        compiler.compile_extra(described.typing_context, described.target_context, dispatcher.py_func, args=arguments,
                               return_type=None, flags=flags, locals={}, pipeline_class=_TypesOnly)  # fmt: skip
    except _Typed as end:
        return end.returned
    raise RuntimeError(f"{name_of(dispatcher.py_func)} was not typed")


# -- types as plain data ---------------------------------------


class Names:
    """Leads from tables of the compiler back to pools and records."""

    def __init__(self, records: dict[Any, set[type]]) -> None:
        self.tables: dict[Any, set[type]] = {fields: set(kinds) for fields, kinds in records.items()}
        for pool in _subclasses(Pool):
            self.tables.setdefault(pool._numba_type_.fields, set()).add(pool)

    def plain(self, kind: Any) -> Any:
        """A type as strings and lists."""
        if isinstance(kind, types.Omitted):
            kind = typeof(kind.value)
        kind = types.unliteral(kind)
        if isinstance(kind, TableType):
            known = sorted(f"{c.__module__}:{c.__qualname__}" for c in self.tables.get(kind.fields, ()) if _is_ours(c))
            return ["class", *known] if known else ["table", [field[0] for field in kind.fields]]
        if isinstance(kind, (types.NamedTuple, types.NamedUniTuple)):
            return ["class", f"{kind.instance_class.__module__}:{kind.instance_class.__qualname__}"]
        if isinstance(kind, types.BaseTuple):
            return ["tuple", [self.plain(each) for each in kind]]
        if isinstance(kind, types.Array):
            return ["array", str(kind.dtype), kind.ndim]
        if isinstance(kind, types.Optional):
            return ["optional", self.plain(kind.type)]
        return str(kind)


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith(PRODUCT) and not kind.__module__.startswith(f"{PRODUCT}tests")


def _subclasses(kind: type) -> Iterator[Any]:
    for each in kind.__subclasses__():
        yield each
        yield from _subclasses(each)


def as_plain(found: Signatures, names: Names) -> dict[str, list[Any]]:
    """All signatures of the product's kernels, for a file."""
    return {
        name: [[[names.plain(each) for each in asked], names.plain(returned)] for asked, returned in versions.items()]
        for name, versions in sorted(found.items())
        if name.startswith(PRODUCT) and "<locals>" not in name
    }


# -- the tour ---------------------------------------


def all_kernels() -> dict[str, Path]:
    """Every kernel of the product and the file it is in."""
    return {f"{module.name}.{node.name}": module.path for module in read_modules().values() for node in module.kernels}


def tour(short: bool) -> None:
    """Play everything that players, hosts and examples do, each for a moment."""
    from paludarium.game_demo import tour as demo

    stops = [stop for half in demo.short_tour() for stop in half] if short else demo.whole_tour()
    for stop in stops:
        if stop.name.startswith(NOTHING_NEW):
            continue
        began = time.perf_counter()
        try:
            stop.visit()
        except Exception as problem:  # noqa: BLE001 - what it had met by then counts
            print(f"{stop.name}: {problem!r}")
        print(f"{stop.name}: {time.perf_counter() - began:.1f} s", flush=True)


def tests_that_name(missing: Iterable[str]) -> list[Path]:
    """Test files that name any of these kernels, those that name most first; each names one that no earlier one does."""
    left = {name.rpartition(".")[2] for name in missing}
    words: dict[Path, set[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        if "types" not in file.relative_to(ROOT).parts:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            words[file] = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    chosen: list[Path] = []
    while words:
        file = max(words, key=lambda each: len(words[each] & left))
        if not words[file] & left:
            break
        left -= words.pop(file)
        chosen.append(file)
    return chosen


def run_tests(files: list[Path]) -> None:
    """Some test files in this process; what they find is no matter here."""
    import pytest

    for file in files:
        began = time.perf_counter()
        with redirect_stdout(StringIO()):
            pytest.main(["-q", "-p", "no:cacheprovider", str(file)])
        print(f"{file.relative_to(ROOT)}: {time.perf_counter() - began:.1f} s", flush=True)


def unreached(roots: dict[Root, Any], kernels: Iterable[str]) -> set[str]:
    """Kernels that none of these calls, as far as the source says: by names, through all modules."""
    known = {name_of(each.py_func): each.py_func for each in KERNELS}
    waiting, met = [name for name, _ in roots], set()
    while waiting:
        name = waiting.pop()
        if name in met or name not in known:
            continue
        met.add(name)
        for value in inspect.getclosurevars(known[name]).globals.values():
            if hasattr(value, "py_func"):
                waiting.append(name_of(value.py_func))
    return set(kernels) - met


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--short", action="store_true", help="only what a game needs, and no tests")
    chosen = parser.parse_args()
    began, notes = time.perf_counter(), Notes()
    notes.listen()
    tour(chosen.short)
    kernels = all_kernels()
    if not chosen.short:
        run_tests(tests_that_name(unreached(notes.roots, kernels)))
    print(f"{len(notes.roots)} versions are called by Python, {time.perf_counter() - began:.0f} s", flush=True)
    found, failed = infer(notes.roots)
    plain = as_plain(found, Names(notes.records))
    missing = sorted(set(kernels) - set(plain))
    told = {"kernels": plain, "missing": missing, "failed": failed}
    chosen.file.write_text(json.dumps(told, indent=0) + "\n", encoding="utf-8")
    print(f"{len(plain)} of {len(kernels)} kernels have types, {len(missing)} were not met, {len(failed)} failed: "
          f"{time.perf_counter() - began:.0f} s")  # fmt: skip
    sys.stdout.flush()


if __name__ == "__main__":
    main()
