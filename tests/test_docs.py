"""Every Python snippet of the pages for game developers and modders runs, and every TOML snippet is a valid one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from paludarium import World
from paludarium.systems.stimuli.stimuli import Stimuli

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = ("embedding.md", "modding.md", "export.md", "fishes.md")
FENCE = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def snippets(language: str) -> list:
    found = []
    for page in PAGES:
        texts = [text for kind, text in FENCE.findall((DOCS / page).read_text(encoding="utf-8")) if kind == language]
        found += [pytest.param(text, id=f"{page}-{place}") for place, text in enumerate(texts, start=1)]
    return found


@pytest.mark.parametrize("text", snippets("python"))
def test_python_snippets_run(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = re.match(r"# (mods/\w+\.py)\n", text)
    if named is None:
        exec(compile(text, "snippet", "exec"), {"__name__": "snippet"})
        return
    file = tmp_path / named[1]
    file.parent.mkdir()
    file.write_text(text)
    world = World(seed=1, mods=tmp_path / "mods")
    failures: list[str] = []
    world.on("mod_failed", lambda event: failures.append(event.problem))
    world.spawn("pauropod")
    world.step(3)
    assert failures == []
    assert f"paludarium_mods.{file.stem}" in world.plugins


@pytest.mark.parametrize("text", snippets("toml"))
def test_toml_snippets_are_understood(text):
    tables = tomllib.loads(text)
    if "project" in tables:
        assert list(tables["project"]["entry-points"]) == ["paludarium.mods"]
        return
    world = World(seed=1)
    world.resource(Stimuli).add_kind("warmth")
    base = world.species[tables.pop("inherits", "pauropod")].source
    merged = {**base, **{name: {**base.get(name, {}), **table} for name, table in tables.items()}}
    world.define_species("snippet", **merged)


def test_every_verb_is_in_the_table_of_calls():
    page = (DOCS / "embedding.md").read_text(encoding="utf-8")
    for verb in World(seed=1).verbs:
        assert f"c.{verb}(" in page, verb
