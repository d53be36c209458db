"""Readings: plain data that refuses nonsense where its author still sees it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paludarium import PaludariumError, Reading
from paludarium.engine.readings import KINDS, MOST_VALUES, TONES

STATES = (("calm", "sky"), ("wild", "red"))

NONSENSE = {
    "a kind that is none": {"kind": "pie"},
    "a kind that is no word": {"kind": 3},
    "a name that is no text": {"name": None},
    "a text that is a number": {"text": 1.5},
    "a tone that is none": {"tone": "purple"},
    "a tone in numbers": {"tone": (255, 0, 0)},
    "a share that is no number": {"share": float("nan")},
    "an endless share": {"share": float("inf")},
    "a share in words": {"share": "half"},
    "values in words": {"kind": "cells", "values": ["a"]},
    "values that are no list": {"kind": "cells", "values": 3.0},
    "values in rows and columns": {"kind": "cells", "values": np.zeros((2, 2))},
    "values in a heap": {"kind": "cells", "values": [1.0, [2.0]]},
    "a value that is no number": {"kind": "cells", "values": [0.0, float("nan")]},
    "more values than pixels": {"kind": "cells", "values": np.zeros(MOST_VALUES + 1)},
    "a strip without states": {"kind": "strip", "values": [0]},
    "a state that is not there": {"kind": "strip", "values": [2], "states": STATES},
    "a state below the first": {"kind": "strip", "values": [-1], "states": STATES},
    "half a state": {"kind": "strip", "values": [0.5], "states": STATES},
    "states without tones": {"kind": "strip", "values": [0], "states": ("calm", "wild")},
    "states with numbers for names": {"kind": "strip", "values": [0], "states": ((1, "sky"),)},
    "states of tones that are none": {"kind": "strip", "values": [0], "states": (("calm", "blueish"),)},
    "states that are a number": {"kind": "strip", "values": [0], "states": 7},
}


@pytest.mark.parametrize("changes", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_refused_with_the_name_of_the_reading(changes):
    with pytest.raises(PaludariumError, match="reading"):
        Reading(**{"kind": "bar", "name": "glow", **changes})


def test_a_misspelt_tone_or_kind_is_answered_with_the_right_one():
    with pytest.raises(PaludariumError, match="did you mean 'amber'"):
        Reading("bar", "glow", "ambre")
    with pytest.raises(PaludariumError, match="did you mean 'curve'"):
        Reading("curves", "glow")


def test_an_error_about_many_values_is_short():
    with pytest.raises(PaludariumError) as caught:
        Reading("cells", "heap", values=[float("nan")] * 900)
    assert len(str(caught.value)) < 300


def test_a_reading_is_frozen_and_equal_to_one_that_tells_the_same():
    one = Reading("cells", "panes", "green", values=np.array([0.0, 0.5], dtype=np.float32))
    assert one == Reading("cells", "panes", "green", values=[0, 0.5])
    assert hash(one) == hash(Reading("cells", "panes", "green", values=(0.0, 0.5)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.name = "walls"


def test_a_reading_keeps_its_values_when_the_array_it_came_from_changes():
    states = np.array([0, 1], dtype=np.uint8)
    told = Reading("strip", "moods", values=states, states=STATES)
    states[:] = 1
    assert told.values == (0.0, 1.0)


@given(st.sampled_from(KINDS), st.text(), st.sampled_from(TONES), st.floats(allow_nan=False, allow_infinity=False),
       st.lists(st.integers(0, 1), max_size=MOST_VALUES), st.text())  # fmt: skip
def test_everything_else_is_taken_as_it_is(kind, name, tone, share, values, text):
    told = Reading(kind, name, tone, share, values, text, STATES)
    assert (told.kind, told.name, told.tone, told.share, told.text) == (kind, name, tone, share, text)
    assert list(told.values) == values
