"""One compiled kernel as bytes, and back.

Stored is what cannot be known from the function itself: machine code (or, for a kernel that only kernels call, bit code to
link with), the type of the result, the names under which the linker knows it, and constants. Plain data and code, nothing
that is run or imported while reading. A digest over everything comes first: what does not agree with it is not read at all.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import zlib
from dataclasses import dataclass
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import compile_result
from numba.core.environment import Environment, lookup_environment
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.typed_passes import _reload_parfors
from numba.core.typing.templates import signature

from .inner_code import InnerLibrary, as_callee
from .type_text import (
    NotStorableError,
    constant_from_plain,
    constant_to_plain,
    holds_record,
    type_from_plain,
    type_to_plain,
)

FORMAT = 1
MAGIC = b"PALUCODE"
DIGEST_SIZE = 16
LARGEST = 64 * 2**20
"""Bytes of one kernel, unpacked; ours have at most two million."""

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of numba's environments begin: the constants of a function, which its code finds by this name."""

SMALL, QUICK = 9, 1
"""Levels of compression: for packs, and for the user's folder."""


KINDS = {
    "library": str, "symbol": str, "unique_name": str, "uid": int, "abi_tags": list, "inline": bool, "noalias": bool,
    "parallel": bool, "constants": dict,
}  # fmt: skip
"""What an entry says of its code, beside the type of the result."""


class DamagedError(ValueError):
    """Bytes that are no stored kernel, or not the one that was asked for."""


@dataclass(frozen=True)
class Asked:
    """Which kernel is wanted: what it says, the function, the types of its arguments, and whether only kernels call it."""

    key: str
    function: Any
    args: tuple[Any, ...]
    inner: bool


def to_bytes(result: Any, asked: Asked, level: int = QUICK) -> bytes:
    """A compiled kernel as bytes; NotStorableError if it uses something that cannot be stored."""
    library, description = result.library, result.fndesc
    if library.has_dynamic_globals:
        raise NotStorableError(f"{description.qualname} refers to an address of this process")
    if any(lifted for lifted in result.lifted or ()) or result.objectmode:
        raise NotStorableError(f"{description.qualname} falls back to the interpreter")
    if not asked.inner and holds_record(result.signature.return_type):  # such code would look for the class itself
        raise NotStorableError(f"{description.qualname} hands a record to Python")
    module = library._get_module_for_linking() if asked.inner else library._final_module  # noqa: SLF001 - numba has no name for it
    said = {
        "format": FORMAT, "key": asked.key, "inner": asked.inner, "library": library.name,
        "symbol": description.mangled_name, "unique_name": description.unique_name, "uid": description.uid,
        "abi_tags": list(description.abi_tags), "inline": description.inline, "noalias": description.noalias,
        "result": type_to_plain(result.signature.return_type),
        "parallel": _is_parallel(result), "constants": _constants(module),
    }  # fmt: skip
    code = module.as_bitcode() if asked.inner else library._get_compiled_object()  # noqa: SLF001
    head = json.dumps(said, separators=(",", ":")).encode()
    return sealed(zlib.compress(len(head).to_bytes(4, "little") + head + code, level))


def from_bytes(data: bytes, asked: Asked, context: Any) -> Any:
    """The kernel that was stored, ready to be called or linked; DamagedError if it is not what was asked for."""
    said, code = _opened(data)
    if said.get("format") != FORMAT or said.get("key") != asked.key or said.get("inner") is not asked.inner:
        raise DamagedError("another entry")
    if any(type(said.get(name)) is not kind for name, kind in KINDS.items()) or not all(
        isinstance(tag, str) for tag in said["abi_tags"]
    ):
        raise DamagedError("a value of the wrong kind")
    if not all(name.startswith(ENVIRONMENT) for name in said["constants"]):
        raise DamagedError("constants without an environment")
    try:
        returned = type_from_plain(said["result"])
        constants = {name: constant_from_plain(["tuple", plain]) for name, plain in said["constants"].items()}
    except (NotStorableError, TypeError, ValueError) as problem:
        raise DamagedError(str(problem)) from None
    if not asked.inner and holds_record(returned):
        raise DamagedError("a record for Python")
    description = PythonFunctionDescriptor(
        native=True, modname=asked.function.__module__, qualname=asked.function.__qualname__, doc="",
        typemap=None, calltypes=None, args=tuple(inspect.signature(asked.function).parameters), kws=(), argtypes=asked.args,
        restype=returned, mangler=context.mangler,
        **{name: said[name] for name in ("unique_name", "inline", "noalias", "abi_tags", "uid")},
    )  # fmt: skip
    if description.mangled_name != said["symbol"]:
        raise DamagedError(f"it holds {said['symbol'][:80]}")
    if said["parallel"]:
        _reload_parfors()
    environments = [_environment(name, values, asked.function) for name, values in constants.items()]
    own = Environment.from_fndesc(description)
    if asked.inner:
        library, entry = _inner(description, said, code, context)
    else:
        library, entry = _whole(description, said, code, context, own)
        for environment in environments:
            _set_environment(context.codegen(), environment)
    return compile_result(
        typing_context=context.typing_context, target_context=context, entry_point=entry, type_annotation="",
        library=library, signature=signature(returned, *asked.args), objectmode=False, lifted=(), fndesc=description,
        environment=own, reload_init=[_reload_parfors] if said["parallel"] else [], referenced_envs=(own, *environments),
    )  # fmt: skip


def with_level(data: bytes, level: int) -> bytes:
    """The same entry, compressed more or less."""
    return sealed(zlib.compress(content_of(data), level))


def content_of(data: bytes) -> bytes:
    """An entry unpacked: the length of its description, the description, the code."""
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(unsealed(data), LARGEST)
    except zlib.error as problem:
        raise DamagedError(str(problem)) from None
    if not unpacker.eof:
        raise DamagedError("it is cut off, or too large")
    return content


def sealed(payload: bytes) -> bytes:
    """Bytes with a mark and a digest before them."""
    return MAGIC + hashlib.blake2b(payload, digest_size=DIGEST_SIZE).digest() + payload


def unsealed(data: bytes) -> bytes:
    """What `sealed` took; DamagedError if a bit of it changed."""
    payload = data[len(MAGIC) + DIGEST_SIZE :]
    if data != sealed(payload):
        raise DamagedError("the digest does not agree")
    return payload


def _opened(data: bytes) -> tuple[dict[str, Any], bytes]:
    content = content_of(data)
    begin = 4 + int.from_bytes(content[:4], "little")
    try:
        said = json.loads(content[4:begin])
    except (ValueError, RecursionError) as problem:
        raise DamagedError(str(problem)) from None
    if not isinstance(said, dict):
        raise DamagedError("no description")
    return said, content[begin:]


def _whole(description: Any, said: dict[str, Any], code: bytes, context: Any, own: Any) -> tuple[Any, Any]:
    """Machine code, loaded. Its processor is not asked again: packs and folders are chosen by it."""
    codegen = context.codegen()
    library = JITCodeLibrary(codegen, said["library"])
    library.enable_object_caching()
    library._set_compiled_object(code)  # noqa: SLF001
    library._finalize_final_module()  # noqa: SLF001
    names = (description.llvm_func_name, description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name)
    codegen._engine._defined_symbols.update(names)  # noqa: SLF001
    return library, context.get_executable(library, description, own)


def _inner(description: Any, said: dict[str, Any], code: bytes, context: Any) -> tuple[Any, Any]:
    library = InnerLibrary.of_bitcode(context.codegen(), said["library"], code)
    if said["parallel"]:
        library._reload_init.add(_reload_parfors)  # noqa: SLF001
    return library, as_callee(description, library, context)


def _is_parallel(result: Any) -> bool:
    known = set(result.reload_init or ()) | set(getattr(result.library, "_reload_init", ()))  # older numba has none there
    if known - {_reload_parfors}:
        raise NotStorableError(f"{result.fndesc.qualname} wants something done at every start that is not known here")
    return bool(known)


def _constants(module: Any) -> dict[str, list[Any]]:
    """The constants of all functions in a module, by the name of their environment."""
    found = {}
    for variable in module.global_variables:
        environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
        if environment is not None:
            found[variable.name] = [constant_to_plain(value) for value in environment.consts]
    return found


def _set_environment(codegen: Any, environment: Any) -> None:
    """Tell code where its constants are, which has a place for that under the name of the environment."""
    if not codegen._engine.get_global_value_address(environment.env_name):  # noqa: SLF001
        raise DamagedError(f"no code asks for {environment.env_name[:80]}")
    codegen.set_env(environment.env_name, environment)


def _environment(name: str, constants: tuple[Any, ...], function: Any) -> Any:
    """The environment of this name, made if need be. Compiled code reads nothing but the constants in it."""
    environment = lookup_environment(name)
    if environment is None:
        environment = Environment(function.__globals__)
        environment.consts[:] = constants
        environment.env_name = name
        Environment._memo[name] = environment  # noqa: SLF001
    return environment
