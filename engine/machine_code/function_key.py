"""What a function says, as a key: byte code, constants and everything of ours it calls, but no path, line or time.

Machine code is found by this key. So a moved file, a comment or a doc string finds it again, in a wheel and in a clone
alike, and a changed constant or helper misses exactly in those kernels that use it.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import sys
from collections.abc import Iterable
from enum import Enum
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.types import NamedTuple, NamedUniTuple, Type
from numba.extending import is_jitted

from ..errors import PaludariumError

KEY_LENGTH = 32
"""Hexadecimal digits of a key: 128 bits, too many for two functions to meet by chance."""

KNOWN_BY_NAME = {"math", "cmath", "operator", "builtins", "numpy", "numba", "llvmlite"}
"""Modules whose functions are what they are called: numba compiles its own versions of them, and its version is in the name
of every pack and folder."""

_CONSTANT_OPCODES = np.array(dis.hasconst, np.uint8)
_EXTENDED = np.uint8(dis.EXTENDED_ARG)


class UnsayableError(PaludariumError):
    """A kernel reads a global of an unknown kind: it is compiled anew at every start."""


@cache
def function_key(function: FunctionType) -> str:
    """A digest over a function and all functions it calls, directly or not."""
    said: dict[str, str] = {}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        name, text, calls = _own_words(each)
        if said.setdefault(name, text) != text:
            raise UnsayableError(f"{function.__qualname__} calls two functions that are both called {name}")
        waiting += [callee for callee in calls if said.get(_name_of(callee)) != _own_words(callee)[1]]
    whole = "\n".join(f"{name} {text}" for name, text in sorted(said.items()))
    return hashlib.sha256(f"{_name_of(function)}\n{whole}".encode()).hexdigest()[:KEY_LENGTH]


def entry_key(function: FunctionType, options: dict[str, Any], types: Iterable[Any]) -> str:
    """The key of one compiled version: a function, how it is compiled, and the types of its arguments."""
    types = tuple(types)
    asked = f"{function_key(function)} {sorted(options.items())} {types}{_records_in(types)} {tables_key()}"
    return hashlib.sha256(asked.encode()).hexdigest()[:KEY_LENGTH]


def _records_in(types: Iterable[Any]) -> str:
    """Fields of the records among these types: to the compiler two that differ in nothing else have one name."""
    said = ""
    for kind in types:
        if isinstance(kind, (NamedTuple, NamedUniTuple)):
            said += f" {kind.instance_class.__module__}.{kind.instance_class.__qualname__}{kind.fields}"
        said += _records_in(getattr(kind, "types", ()))
    return said


@cache
def tables_key() -> str:
    """What `table_type` makes of bundles: part of the code of every kernel that takes one."""
    module = sys.modules[f"{__name__.rsplit('.', 2)[0]}.table_type"]
    reader: Any = module.__loader__  # of a file or of an archive: both can give the source
    source = reader.get_source(module.__name__) if reader else None
    if source is None:
        raise UnsayableError(f"the source of {module.__name__} is not there")
    digest = hashlib.sha256()
    _say_code(digest, compile(source, "", "exec", dont_inherit=True, optimize=2), [])  # 2: without doc strings
    return digest.hexdigest()[:KEY_LENGTH]


def _name_of(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


@cache
def _own_words(function: FunctionType) -> tuple[str, str, tuple[FunctionType, ...]]:
    """The name of a function, a digest of what it says itself, and the functions it refers to."""
    digest = hashlib.sha256()
    calls: list[FunctionType] = []
    _say_code(digest, function.__code__, calls)
    _say(digest, function.__defaults__, calls)
    _say(digest, sorted((function.__kwdefaults__ or {}).items()), calls)
    names = sorted(_names_in(function.__code__))
    for name in names:
        if name in function.__globals__:
            digest.update(name.encode())
            _say_global(digest, function, name, names, calls)
        elif not hasattr(builtins, name):
            digest.update(b"?" + name.encode())  # an attribute, or a global that is not there
    for cell in function.__closure__ or ():
        _say(digest, cell.cell_contents, calls)
    return _name_of(function), digest.hexdigest(), tuple(calls)


def _say_global(digest: Any, function: FunctionType, name: str, names: list[str], calls: list[FunctionType]) -> None:
    value = function.__globals__[name]
    try:
        _say(digest, value, calls)
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in KNOWN_BY_NAME:
            for attribute in names:
                if attribute in vars(value):
                    _say(digest, vars(value)[attribute], calls)
    except UnsayableError as problem:
        raise UnsayableError(f"{_name_of(function)} reads {name}: {problem}") from None


def _say(digest: Any, value: Any, calls: list[FunctionType]) -> None:
    """Add a value to a digest; functions are noted in `calls` and added by name."""
    if is_jitted(value):
        if value.targetoptions.get("forceinline"):  # what becomes part of the caller's own loops
            digest.update(b"inline ")
        value = value.py_func
    if isinstance(value, FunctionType):
        calls.append(value)
        digest.update(f"calls {_name_of(value)};".encode())
    elif isinstance(value, Enum):
        digest.update(f"member {type(value).__qualname__}.{value.name}=".encode())
        _say(digest, value.value, calls)
    elif value is None or value is ... or isinstance(value, (bool, int, float, complex, str, bytes, np.generic, np.dtype)):
        digest.update(f"{type(value).__name__} {value!r};".encode())
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        digest.update(f"array {value.dtype.str} {value.shape} {value.flags.c_contiguous};".encode() + value.tobytes())
    elif isinstance(value, (tuple, list)):
        digest.update(f"{type(value).__qualname__} of {len(value)}(".encode())
        for item in value:
            _say(digest, item, calls)
        digest.update(b")")
    elif isinstance(value, frozenset):
        _say(digest, sorted(value, key=repr), calls)
    elif isinstance(value, CodeType):
        _say_code(digest, value, calls)
    elif isinstance(value, ModuleType):
        digest.update(f"module {value.__name__};".encode())
    elif isinstance(value, type):
        _say_class(digest, value, calls)
    else:
        _say_foreign(digest, value, calls)


def _say_class(digest: Any, value: type, calls: list[FunctionType]) -> None:
    digest.update(f"class {value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')};".encode())
    if issubclass(value, Enum):
        _say(digest, [(name, member.value) for name, member in value.__members__.items()], calls)


def _say_foreign(digest: Any, value: Any, calls: list[FunctionType]) -> None:
    """Things of the libraries that we build on are what they are called; an intrinsic is what its function says."""
    definition = getattr(value, "_defn", None)
    if isinstance(definition, FunctionType):
        _say(digest, definition, calls)
        return
    home = (getattr(value, "__module__", None) or type(value).__module__).partition(".")[0]
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if name is None and isinstance(value, Type):
        name = str(value)  # a type of the compiler
    if name is None or not (home in KNOWN_BY_NAME or isinstance(value, (BuiltinFunctionType, np.ufunc))):
        raise UnsayableError(f"a value of kind {type(value).__qualname__} cannot become part of a key")
    digest.update(f"{home} {name};".encode())


def _say_code(digest: Any, code: CodeType, calls: list[FunctionType]) -> None:
    """Instructions, then constants in the order of their use: a doc string, which only takes a place, is left out."""
    words = np.frombuffer(code.co_code, np.uint8).reshape(-1, 2).copy()
    uses = np.flatnonzero(np.isin(words[:, 0], _CONSTANT_OPCODES))
    used = []
    for place in uses:
        index, before, shift = int(words[place, 1]), place - 1, 8
        while before >= 0 and words[before, 0] == _EXTENDED:  # indices beyond a byte
            index |= int(words[before, 1]) << shift
            words[before, 1] = 0
            before, shift = before - 1, shift + 8
        words[place, 1] = 0
        used.append(code.co_consts[index])
    digest.update(words.tobytes() + code.co_exceptiontable)
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~_HAS_DOC)
    digest.update(repr((shape, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)).encode())
    for constant in used:
        _say(digest, constant, calls)


_HAS_DOC = 0x4000000
"""Flag of Python 3.13 for code with a doc string."""


def _names_in(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names
