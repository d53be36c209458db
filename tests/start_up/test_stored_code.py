"""Stored kernels come back as they were, and whatever is wrong with one, it is not loaded."""

from __future__ import annotations

import json
import sys
import zlib
from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest
from numba import types
from numba.core.registry import cpu_target
from numba.core.typing import signature

from paludarium.engine.bundle import table_type
from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code import code_cache
from paludarium.engine.machine_code.stored_code import (
    Asked,
    DamagedError,
    content_of,
    from_bytes,
    sealed,
    to_bytes,
)
from paludarium.engine.machine_code.type_text import (
    NotStorableError,
    constant_from_plain,
    constant_to_plain,
    type_from_plain,
    type_to_plain,
)
from paludarium.engine.records import name_of_record, record


def squares(values):
    out = np.empty_like(values)
    for i in range(values.size):
        out[i] = values[i] * values[i]
    return out


@record
class Span(NamedTuple):
    first: int
    stop: int
    weight: float


@record
class Pair(NamedTuple):
    a: float
    b: float


class Undeclared(NamedTuple):
    a: float
    b: float


SECOND_PAIR = type("Pair", (Pair,), {"__module__": __name__})
SPAN, PAIR = name_of_record(Span), name_of_record(Pair)


def widened(first, weight):
    return Span(first - 1, first + 1, weight)


FLOATS = types.Array(types.float64, 1, "C")


def compiled_now(function, *args, call) -> code_cache.Seen:
    """What becomes ready of a function when something calls it that is compiled just now."""
    seen: list[code_cache.Seen] = []
    witness = seen.append
    code_cache.WITNESSES.append(witness)
    try:
        call(*args)
    finally:
        code_cache.WITNESSES.remove(witness)
    (one,) = [each for each in seen if each.asked.function is function]
    return one


@pytest.fixture(scope="module")
def stored() -> tuple[Asked, bytes]:
    """A kernel that was compiled just now, as bytes."""
    compiled = kernel()(squares)
    compiled._cache.disable()
    one = compiled_now(squares, np.arange(3.0), call=compiled)
    return one.asked, to_bytes(one.result, one.asked)


@pytest.fixture(scope="module")
def stored_record() -> tuple[Asked, bytes]:
    """A kernel that hands a record to another, as bytes."""
    inner = kernel()(widened)
    inner.inner._cache.disable()

    @kernel()
    def weight_per_row(first):
        span = inner(first, 6.0)
        return span.weight / (span.stop - span.first)

    weight_per_row._cache.disable()
    one = compiled_now(widened, 3, call=weight_per_row)
    assert weight_per_row(3) == 3.0
    return one.asked, to_bytes(one.result, one.asked)


def load(asked: Asked, data: bytes):
    return from_bytes(data, asked, cpu_target.target_context)


def test_a_stored_kernel_computes_what_it_did(stored):
    asked, data = stored
    result = load(asked, data)
    assert result.signature == signature(FLOATS, FLOATS)
    assert result.entry_point(np.array([1.0, 2.0, 3.0])).tolist() == [1.0, 4.0, 9.0]


def test_no_changed_bit_gets_through(stored):
    asked, data = stored
    draw = np.random.default_rng(1)
    for place in draw.integers(0, len(data), 300):
        damaged = bytearray(data)
        damaged[place] ^= 1 << int(draw.integers(8))
        with pytest.raises(DamagedError):
            load(asked, bytes(damaged))


def test_no_cut_file_gets_through(stored):
    asked, data = stored
    for length in (0, 1, 8, 24, 25, len(data) // 2, len(data) - 1):
        with pytest.raises(DamagedError):
            load(asked, data[:length])


def test_an_entry_under_another_key_type_or_kind_is_not_taken(stored):
    asked, data = stored
    others = (
        Asked("0" * 32, asked.function, asked.args, inner=False),
        Asked(asked.key, asked.function, (types.Array(types.float32, 1, "C"),), inner=False),
        Asked(asked.key, squares, asked.args, inner=True),
        Asked(asked.key, load, asked.args, inner=False),
    )
    for other in others:
        with pytest.raises(DamagedError):
            load(other, data)


def changed(data: bytes, old: bytes, new: bytes) -> bytes:
    """An entry with other words of the same length in its description, under a digest that agrees with them."""
    content = content_of(data)
    assert content.count(old) == 1
    assert len(old) == len(new)
    return sealed(zlib.compress(content.replace(old, new)))


def test_a_kernel_that_returns_a_record_comes_back_with_its_class(stored_record):
    asked, data = stored_record
    assert asked.inner
    result = load(asked, data)
    assert result.signature.return_type == types.NamedTuple((types.int64, types.int64, types.float64), Span)


@pytest.mark.parametrize("old, new", [
    (SPAN.encode(), SPAN.replace("Span", "Spam").encode()), (b'"float64"]', b'"unicode"]'),
    (b'["int64","int64",', b'["int64", "none",'), (b'["int64","int64",', b'[        "int64",'),
])  # fmt: skip
def test_a_stored_kernel_with_another_record_is_not_taken(stored_record, old, new):
    asked, data = stored_record
    with pytest.raises(DamagedError):
        load(asked, changed(data, old, new))


def test_what_hands_a_record_to_python_is_neither_stored_nor_taken(stored_record, stored):
    one = compiled_now(widened, 3, 1.0, call=kernel()(widened))
    with pytest.raises(NotStorableError, match="to Python"):
        to_bytes(one.result, one.asked)
    asked, data = stored
    content, plain = content_of(data), json.dumps(type_to_plain(FLOATS), separators=(",", ":")).encode()
    size = int.from_bytes(content[:4], "little")
    head = content[4 : 4 + size].replace(plain, json.dumps(["tuple", [["record", PAIR, ["float64"] * 2]]]).encode())
    with pytest.raises(DamagedError, match="a record for Python"):
        load(asked, sealed(zlib.compress(len(head).to_bytes(4, "little") + head + content[4 + size :])))


TABLE = table_type((("count", "<i8", -1), ("at", "<f8", (3,)), ("grid", "<f4", 2), ("within", (("n", "<i8", -1),), -2)))


@pytest.mark.parametrize("kind", [
    types.none, types.boolean, types.int32, types.float64, FLOATS, types.Array(types.uint8, 3, "A", readonly=True),
    types.UniTuple(types.float64, 3), types.Tuple((types.int64, FLOATS, types.UniTuple(types.float32, 2))), types.Tuple(()),
    types.literal(3), types.Optional(types.int64), TABLE, types.NamedUniTuple(types.float32, 2, Pair),
    types.NamedTuple((types.int64, types.boolean, types.float64), Span),
    types.Tuple((types.boolean, types.NamedUniTuple(types.float64, 2, Pair))),
])  # fmt: skip
def test_types_come_back_from_plain_data(kind):
    assert type_from_plain(type_to_plain(kind)) == kind


@pytest.mark.parametrize("plain", [
    "os", ["call", "os.system"], ["array", "float64", 99, "C", True, True], ["array", "float64", 1, "X", True, True], [], {},
    ["tuple", "float64"], ["table", [["a", "O8x", 1]]], ["table", [[1, 2, 3]]], 3, None, ["literal", None],
])  # fmt: skip
def test_plain_data_that_is_no_type_is_refused(plain):
    with pytest.raises((NotStorableError, TypeError, ValueError)):
        type_from_plain(plain)


@pytest.mark.parametrize("kind", [
    types.NamedUniTuple(types.float64, 2, Undeclared), types.NamedTuple((FLOATS, types.float64), Pair),
    types.NamedTuple((types.float64, types.UniTuple(types.float64, 2)), Pair),
    types.NamedUniTuple(types.unicode_type, 2, Pair),
    types.NamedUniTuple(types.none, 2, Pair), types.NamedUniTuple(types.float64, 2, SECOND_PAIR),
])  # fmt: skip
def test_only_declared_records_of_numbers_are_stored(kind):
    with pytest.raises(NotStorableError):
        type_to_plain(kind)


TWO = ["float64", "float64"]


@pytest.mark.parametrize("plain", [
    ["record", "os.stat_result", ["float64"] * 10], ["record", "antigravity.Frame", ["float64"]], ["record", "", []],
    ["record", name_of_record(Undeclared), TWO], ["record", f"{PAIR}.__class__", TWO], ["record", "_RECORDS", ["float64"]],
    ["record", "Pair", TWO], ["record", [PAIR], TWO], ["record", {"a": 1}, TWO], ["record", None, TWO], ["record", PAIR, []],
    ["record", PAIR, ["float64"]], ["record", PAIR, ["float64"] * 3], ["record", PAIR, ["float64", "unicode_type"]],
    ["record", PAIR, ["none", "none"]], ["record", PAIR, ["float64", ["record", PAIR, TWO]]], ["record", PAIR, "ab"],
    ["record", PAIR], ["record", PAIR, ["float64", ["array", "float64", 1, "C", True, True]]], ["record", PAIR, [{}, []]],
    ["record", PAIR, [1, 2]], ["record", PAIR, {"a": "float64", "b": "float64"}], ["record", PAIR, TWO, "os"],
])  # fmt: skip
def test_plain_data_that_is_no_declared_record_is_refused_and_nothing_is_imported(plain):
    before = set(sys.modules)
    with pytest.raises(NotStorableError):
        type_from_plain(plain)
    assert set(sys.modules) == before


def test_a_record_is_a_named_tuple_and_has_its_name_for_itself():
    for kind in (tuple, int, namedtuple("Empty", ())):
        with pytest.raises(TypeError):
            record(kind)
    other = namedtuple("Span", ("other",), module=Span.__module__)
    with pytest.raises(ValueError, match="another record"):
        record(other)


def test_deep_nesting_is_refused():
    plain = "float64"
    for _ in range(200):
        plain = ["tuple", [plain]]
    with pytest.raises(NotStorableError):
        type_from_plain(plain)


def test_constants_come_back_and_objects_are_refused():
    for value in (None, True, 3, 2.5, "word", np.dtype("<f4"), (1, ("a", np.dtype("<i8")))):
        assert constant_from_plain(constant_to_plain(value)) == value
    with pytest.raises(NotStorableError):
        constant_to_plain(object())
