"""What error messages show of the values they complain about."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.engine.errors import LONGEST_SHOWN, DefinitionError, shortened


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


LONG = [
    "a" * 10**6, b"a" * 10**6, 10**5000, -(10**5000), [0.1234567890123] * 10**5, dict.fromkeys(range(100), "x" * 100),
    np.zeros((100, 100)), nested(100_000), Unspeakable(), [Unspeakable()], "line\n" * 50, float("nan"), {"a": [1] * 1000},
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(LONG)))
def test_long_values_are_shortened(place):
    text = shortened(LONG[place])
    assert 0 < len(text) <= LONGEST_SHOWN
    assert "\n" not in text


def test_short_values_are_shown_as_they_are():
    for value in (1, 1.5, "giant_centipede", (1.0, 2.0), [1, "two", None], {"a": 1}, float("inf")):
        assert shortened(value) == repr(value)
    assert shortened("a" * 100).startswith("'aaa")
    assert shortened("a" * 100).endswith("aaa'")


def test_messages_of_data_files_are_short():
    assert len(str(DefinitionError("a.toml", "legs", "length_u", "9" * 5000, "a number above 0"))) < 200
