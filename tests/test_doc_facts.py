"""What pages say about the package and a program can check: numbers, names, files, links."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from paludarium import World
from paludarium.benchmarks.tick_scenes import SCENES as BENCHED
from paludarium.components.fish.topology import NODES, SPRINGS
from paludarium.game_demo.overlay_choice import OVERLAYS
from paludarium.game_demo.scenes import SCENES
from paludarium.systems.brain.mode_registry import ModeRegistry
from paludarium.systems.tick import OLDER_NAMES
from paludarium.tests.page_snippets import PAGES, ROOT

DOCS = ROOT / "docs"
IN_WORDS = {14: "fourteen", 15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen", 20: "twenty"}
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"(?:[\w.-]+/)+[\w.-]*|[\w-]+_kernel\.py")
"""What in backticks is a path, or a module that the page has named the folder of before."""
OF_THE_READER = ("mods/", "paludarium/packs/", "out/")
"""Folders that are not in the package's own tree."""
KIND = re.compile(r"`?\b([A-Z][A-Za-z]+(?:System|Pool))\b")
PACK_TOLERANCE = 0.15

by_name = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def text_of(page: Path) -> str:
    """A page in one line, without its code blocks."""
    return " ".join(re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8")).split())


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """Where a link with # may lead: headings as they are written in addresses, and anchors."""
    text = page.read_text(encoding="utf-8")
    headings = (re.sub(r"[^\w\- ]", "", heading.lower()).strip() for heading in re.findall(r"(?m)^#+ (.*)$", text))
    return frozenset(heading.replace(" ", "-") for heading in headings) | set(re.findall(r'<a id="([^"]+)">', text))


@by_name
def test_links_lead_somewhere(page):
    wrong = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        if "://" not in link and (not target.exists() or (anchor and anchor not in anchors_of(target.resolve()))):
            wrong.append(link)
    assert wrong == []


def test_every_page_and_picture_is_linked():
    linked = {(page.parent / link.partition("#")[0]).resolve() for page in PAGES
              for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link}  # fmt: skip
    there = {file.resolve() for file in DOCS.rglob("*") if file.suffix in (".md", ".png", ".gif")}
    assert sorted(there - linked) == []


@by_name
def test_named_files_are_there(page):
    named = {code for code in CODE.findall(text_of(page)) if FILE.fullmatch(code) and not code.startswith(OF_THE_READER)}
    folders = (ROOT, DOCS, page.parent)
    assert [name for name in sorted(named) if not any((folder / name).exists() for folder in folders)
            and not ("/" not in name and any(ROOT.glob(f"*/**/{name}")))] == []  # fmt: skip


@cache
def classes() -> frozenset[str]:
    folders = ("engine", "components", "systems", "lab", "examples")
    files = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return frozenset(name for file in files for name in re.findall(r"(?m)^class (\w+)", file.read_text(encoding="utf-8")))


@by_name
def test_named_systems_and_pools_exist(page):
    known = classes() | OLDER_NAMES.keys()  # names that mods may still give
    assert sorted(set(KIND.findall(text_of(page))) - known) == []


def test_the_tree_of_folders_is_the_one_that_is_there():
    (tree,) = re.findall(r"(?ms)^```\n(.*?)^```$", (DOCS / "overview.md").read_text(encoding="utf-8"))
    top, named = "", set()
    for line in tree.splitlines():
        if not line.startswith(" "):
            top = line.split("/")[0]
            named.add(top)
        elif re.match(r"  \w+/", line):
            first, *others = re.findall(r"\b(\w+)/", line)
            inner = {word for word in others if (ROOT / top / first / word).is_dir()}
            named |= {f"{top}/{first}"} | {f"{top}/{word}" for word in others if word not in inner}
    assert [name for name in sorted(named) if not (ROOT / name).is_dir()] == []
    for folder in ("systems", "components"):
        there = {f"{folder}/{child.name}" for child in (ROOT / folder).iterdir() if (child / "__init__.py").is_file()}
        assert there - named == set()


def test_scenes_of_the_demo():
    readme, changes = text_of(ROOT / "README.md"), text_of(ROOT / "CHANGELOG.md")
    assert f"demo game with {IN_WORDS[len(SCENES)]} scenes" in changes
    offered = re.search(r"The title screen offers (.*?)`--scene NAME`", readme)
    assert offered is not None
    assert [name for name in SCENES if name.replace("_", " ") not in offered[1]] == []
    assert f"I, 1-{len(OVERLAYS)}, G" in readme


def test_sizes_of_packs():
    megabytes = [file.stat().st_size / 1e6 for file in (ROOT / "packs").glob("*.pack")]
    told = [float(number) for number in re.findall(r"([\d.]+) MB", text_of(DOCS / "start-up.md"))]
    assert told
    for size in megabytes:
        assert told == pytest.approx([size] * len(told), rel=PACK_TOLERANCE)


def test_every_pool_and_event_is_told():
    world = World(seed=1)
    for family in list(world.families):
        world.require_family(family)
    storage, embedding = text_of(DOCS / "storage.md"), text_of(DOCS / "embedding.md")
    assert [name for name in world.pools if name not in storage] == []
    assert [kind for kind in world.events._handlers if f"`{kind}`" not in embedding] == []


@pytest.mark.parametrize("family, page", [("fish", "fishes.md"), ("insect", "insects.md"), ("articulated", "swimmers.md")])
def test_every_species_of_a_family_is_on_its_page(family, page):
    world = World(seed=1)
    keys = [key for key in world.species if world.species[key].family == family]
    assert keys
    assert [key for key in keys if f"`{key}`" not in text_of(DOCS / page)] == []


def test_measured_scenes_exist():
    rows = re.findall(r"(?m)^\| ((?:`\w+`(?:, )?)+)", (DOCS / "speed.md").read_text(encoding="utf-8"))
    named = {name for row in rows for name in CODE.findall(row)}
    assert len(named) > 20
    assert named - set(BENCHED) - set(SCENES) == set()


def test_the_body_of_a_fish():
    for page in (ROOT / "README.md", DOCS / "overview.md"):
        assert f"{NODES} masses on {len(SPRINGS)} springs" in text_of(page)


def test_priorities_of_brain_modes():
    world = World(seed=1)
    world.spawn("worker_ant")  # brings FORAGE
    modes = world.resource(ModeRegistry)
    told = re.search(r"highest priority wins \((.*?)\)", text_of(DOCS / "modding.md"))
    assert told is not None
    listed = {name: float(number) for name, number in re.findall(r"([A-Z_]+)(?: of ants)? (\d+)", told[1])}
    assert listed == {modes.name_of(number): priority for number, priority in enumerate(modes.priorities.tolist())}


MADE_ELSEWHERE = ("tick.md", "reproduction.md")
"""Pages whose words come from tables and from sentences of tests."""


@by_name
def test_sentences_are_plain(page):
    if page.name not in MADE_ELSEWHERE:
        assert re.findall(r"(?i)\b(?:whoever|nobody|somebody)\b|number that is none", text_of(page)) == []
