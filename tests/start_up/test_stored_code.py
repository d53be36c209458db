"""Stored kernels come back as they were, and whatever is wrong with one, it is not loaded."""

from __future__ import annotations

import numpy as np
import pytest
from numba import types
from numba.core.registry import cpu_target
from numba.core.typing import signature

from paludarium.engine.bundle import table_type
from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code import code_cache
from paludarium.engine.machine_code.stored_code import Asked, DamagedError, from_bytes, to_bytes
from paludarium.engine.machine_code.type_text import (
    NotStorableError,
    constant_from_plain,
    constant_to_plain,
    type_from_plain,
    type_to_plain,
)


def squares(values):
    out = np.empty_like(values)
    for i in range(values.size):
        out[i] = values[i] * values[i]
    return out


FLOATS = types.Array(types.float64, 1, "C")


@pytest.fixture(scope="module")
def stored() -> tuple[Asked, bytes]:
    """A kernel that was compiled just now, as bytes."""
    seen: list[code_cache.Seen] = []
    witness = seen.append
    code_cache.WITNESSES.append(witness)
    try:
        compiled = kernel()(squares)
        compiled._cache.disable()
        compiled(np.arange(3.0))
    finally:
        code_cache.WITNESSES.remove(witness)
    (one,) = [each for each in seen if each.asked.function is squares]
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


TABLE = table_type((("count", "<i8", -1), ("at", "<f8", (3,)), ("grid", "<f4", 2), ("within", (("n", "<i8", -1),), -2)))


@pytest.mark.parametrize("kind", [
    types.none, types.boolean, types.int32, types.float64, FLOATS, types.Array(types.uint8, 3, "A", readonly=True),
    types.UniTuple(types.float64, 3), types.Tuple((types.int64, FLOATS, types.UniTuple(types.float32, 2))), types.Tuple(()),
    types.literal(3), types.Optional(types.int64), TABLE,
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
