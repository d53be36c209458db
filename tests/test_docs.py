"""Every code block of every page runs, and every command that a page names exists."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shlex
from functools import cache
from pathlib import Path

import pygame
import pytest

import paludarium
from paludarium import World
from paludarium.benchmarks.tick_scenes import SCENES as BENCHED
from paludarium.engine.machine_code.compile_news import CompileProgress
from paludarium.game_demo.__main__ import _parser
from paludarium.game_demo.scenes import SCENES
from paludarium.tests.page_snippets import PAGES, ROOT, blocks_of, run_page

DOCS = ROOT / "docs"
WITH_BLOCKS = [page for page in PAGES if any(block.language in ("python", "toml") for block in blocks_of(page))]
NOT_RUN: dict[str, int] = {}
"""How many blocks of a page say that they cannot run."""
FRAMES = 2
"""After so many frames a loop that waits for the end of a window has seen enough."""
INLINE = re.compile(r"`([^`\n]+)`")
INDENTED = re.compile(r"^    (\S.*)$", re.MULTILINE)
MODULE = re.compile(r"python3? -m (paludarium[\w.]*)(.*)")
DEV = re.compile(r"(?:python3 )?dev ([a-z][\w-]*)")


@pytest.fixture
def stand_ins(monkeypatch):
    """Loops that run until the window is closed end after some frames; who asks about compiling is told of one kernel."""
    asked = iter(range(FRAMES))
    monkeypatch.setattr(pygame.event, "peek", lambda *_kinds: next(asked, None) is None)
    monkeypatch.setattr(paludarium, "on_compile", lambda told: told(CompileProgress("a kernel", 1, 2, 0.5)), raising=False)


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.relative_to(ROOT).as_posix())
@pytest.mark.usefixtures("stand_ins")
def test_blocks_run_and_their_functions_are_called(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(page, tmp_path) == []


@pytest.mark.parametrize("text, wrong", [
    ("def never():\n    pass\n", "page.md:2:never was not called"),
    ("ready = lambda: nowhere\n", "page.md:2: no nowhere"),
    ("# mods/idle.py\ndef build(world):\n    def never():\n        pass\n", "never was not called"),
])  # fmt: skip
def test_idle_functions_and_unknown_names_are_told(text, wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(f"# A page\n```python\n{text}```\n", encoding="utf-8")
    (told,) = run_page(tmp_path / "page.md", tmp_path)
    assert told.endswith(wrong)


def test_what_does_not_run_is_listed():
    found: dict[str, int] = {}
    for page in PAGES:
        for block in blocks_of(page):
            if block.reason is not None:
                assert block.reason.strip(), f"{block.place} does not say why it cannot run"
                found[page.name] = found.get(page.name, 0) + 1
    assert found == NOT_RUN


def test_blocks_have_a_language_that_is_run():
    other = [block.place for page in PAGES for block in blocks_of(page) if block.language not in ("python", "toml")]
    assert [place.partition(":")[0] for place in other] == ["overview.md"], other  # the tree of folders


def commands_of(page: Path) -> list[str]:
    """Lines that are indented as commands, and words in backticks, that begin with a command of ours."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found = [re.split(r" {2,}|\s#", line.replace("\\", ""))[0] for line in INDENTED.findall(text)]
    found += INLINE.findall(" ".join(text.split()))
    return [words for words in found if words.startswith(("paludarium ", "python3 dev", "python -m paludarium", "dev "))]


@cache
def subcommands() -> dict[str, argparse.ArgumentParser]:
    (action,) = (action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(action.choices)


def fault(command: str) -> str:
    """What is wrong with a command that a page names; empty if nothing is."""
    module, dev = MODULE.match(command), DEV.match(command)
    if module:
        return "" if importlib.util.find_spec(module[1]) else f"no module {module[1]}"
    if dev:
        return "" if f"python3 dev {dev[1]} " in (ROOT / "dev").read_text(encoding="utf-8") else f"no task {dev[1]}"
    words = [word for word in shlex.split(command)[1:] if word not in ("...", "…")]
    name = "play" if not words or words[0].startswith("-") else words.pop(0)
    if name not in subcommands():
        return f"no subcommand {name}"
    known = set(subcommands()[name]._option_string_actions)
    unknown = [word for word in words if word.startswith("-") and word not in known]
    if unknown:
        return f"{name} has no option {unknown[0]}"
    if name == "bench":
        wrong = [word for word in words if word.islower() and word.isidentifier() and word not in BENCHED]
        return f"no benchmark {wrong[0]}" if wrong else ""
    values = dict(zip(words, words[1:], strict=False))
    scene, species = values.get("--scene", "NAME"), values.get("--species", "NAME")
    if scene.islower() and scene not in (*SCENES, "all"):
        return f"no scene {scene}"
    if species.islower() and not species.endswith(".toml") and not list((ROOT / "assets").glob(f"*/{species}.toml")):
        return f"no species {species}"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_exist(page):
    assert [f"{command}: {wrong}" for command in commands_of(page) if (wrong := fault(command))] == []


def test_commands_are_found():
    """Guards the test above against finding nothing."""
    assert sum(len(commands_of(page)) for page in PAGES) > 60


@pytest.mark.parametrize("wrong", [
    "paludarium fly", "paludarium sweep --wings", "python3 dev nothing", "python -m paludarium.examples.figure_none",
    "paludarium bench nothing", "paludarium --scene nowhere", "paludarium train --species unicorn",
])  # fmt: skip
def test_wrong_commands_are_told(wrong):
    assert fault(wrong)


def test_every_verb_is_in_the_table_of_calls():
    page = (DOCS / "embedding.md").read_text(encoding="utf-8")
    for verb in World(seed=1).verbs:
        assert f"c.{verb}(" in page, verb
