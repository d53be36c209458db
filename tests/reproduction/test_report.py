"""The page of reproduction can be written family by family, and row by row: what is not run keeps what it says."""

from __future__ import annotations

from paludarium.tests.reproduction.report import NOT_RUN, OURS, PUBLISHED, Row, chapters_of, page, silent_rows


def row(check: str, sentence: str, **measured: float) -> Row:
    """A check that has been run if it measured something."""
    found = {name: [value] for name, value in measured.items()}
    return Row(check, sentence, "Reported: so.", {OURS: found, PUBLISHED: {}}, ["passed"] if measured else [])


FIRST = page({"ants": {"a": row("A01", "ants walk", speed=2.0)},
              "fishes": {"a": row("F01", "fishes swim", speed=1.0), "b": row("F02", "fishes glide", way=3.0)}})  # fmt: skip


def test_a_family_alone_leaves_the_others_as_they_are():
    text = page({"fishes": {"a": row("F01", "fishes swim", speed=9.0), "b": row("F02", "fishes glide", way=8.0)}}, FIRST)
    assert chapters_of(text)["Ants"] == chapters_of(FIRST)["Ants"]
    assert "speed: 9" in text
    assert "way: 3" not in text


def test_a_row_alone_leaves_the_others_as_they_are():
    text = page({"fishes": {"a": row("F01", "fishes swim"), "b": row("F02", "fishes glide", way=8.0)}}, FIRST)
    assert "speed: 1 |" in text
    assert "way: 8 |" in text
    assert NOT_RUN not in text


def test_rows_of_tests_that_are_gone_go_and_new_ones_say_that_they_were_not_run():
    text = page({"fishes": {"b": row("F02", "fishes glide"), "c": row("F03", "fishes turn")}}, FIRST)
    assert "fishes swim" not in text
    assert text.count(NOT_RUN) == 1


def test_writing_twice_changes_nothing():
    assert page({"fishes": {"a": row("F01", "fishes swim"), "b": row("F02", "fishes glide")}}, FIRST) == FIRST
    assert page({}, FIRST) == FIRST


def test_who_measures_nothing_is_found():
    mute = Row("F04", "fishes sing", "", outcomes=["passed"])
    assert silent_rows({"fishes": {"a": mute, "b": row("F01", "fishes swim", speed=1.0), "c": row("F05", "not run")}}) == [
        "fishes F04 fishes sing"]  # fmt: skip
