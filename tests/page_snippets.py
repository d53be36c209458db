"""Code blocks of the pages, and how they are run.

The blocks of one page run in order, in one namespace, in an empty folder. A block whose first line is a comment that names a
file (``# mods/glow.py``, ``# long_one.toml``) is written there. After the last block a world gets all mods of the page; its
new species are born, its verbs called, its parts asked for readings, ticks run and pictures drawn. So every function of a
page is called, and a function that was not is a fault. A block that cannot run says why in the line before it::

    <!-- not run: it needs a gamepad -->
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pygame

from paludarium import Camera, Map, World
from paludarium.engine.plugins import MOD_PACKAGE
from paludarium.game_demo.watch import read_parts

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"(?ms)(?:<!-- not run: (?P<reason>[^>]*) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$")
NAMED_FILE = re.compile(r"# ([\w/]+\.(?:py|toml))\b")
MODS = "mods"
TICKS = 3
FIRST_STEPS = 40  # ticks after which newborns stand, and their brains are free to choose
LATER = 50 * 60  # a tick at which rules that wait for a time of the minute have begun
PICTURE = (160, 90)
MAP_TABLES = {"area", "terrain", "water"}
IN_WATER = ("springs", "servo", "muscles")
"""Tables of animals that are born in a pond."""
POND = {
    "area": {"width_u": 60, "height_u": 60},
    "terrain": {"kind": "flat", "elevation": -9.0},
    "water": [{"bounds": [-30, -30, 30, 30], "level_u": 0.0}],
}


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    reason: str | None
    """Why it cannot run; None if it can."""

    @property
    def file(self) -> str | None:
        """The file that it is, if its first line names one."""
        named = NAMED_FILE.match(self.text)
        return named[1] if named else None

    @property
    def place(self) -> str:
        """Page and line, for messages."""
        return f"{self.page.name}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start("language")) + 1, found["language"], found["text"], found["reason"])
        for found in FENCE.finditer(text)
    ]


def run_page(page: Path, folder: Path) -> list[str]:
    """Run the blocks of a page in a folder, which has to be the working directory; returns what is wrong."""
    blocks = [block for block in blocks_of(page) if block.reason is None and block.language in ("python", "toml")]
    codes = [code for block in blocks if block.language == "python" for code in functions_of(block, folder)]
    namespace: dict[str, Any] = {"__name__": "page"}
    with called_functions() as called:
        for block in blocks:
            if block.file is not None:
                (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
                (folder / block.file).write_text(block.text, encoding="utf-8")
            elif block.language == "toml":
                try_table(block.text, folder)
            else:
                exec(compile(padded(block), block.place, "exec"), namespace)
        if (folder / MODS).is_dir():
            try_mods(folder / MODS)
    silent = [f"{file}:{name} was not called" for file, name, line in codes if (file, name, line) not in called]
    return silent + [f"{block.place}: no {name}" for block in blocks for name in unknown_names(block, namespace)]


def padded(block: Block) -> str:
    """The text with lines before it, so that a traceback names the line of the page."""
    return "\n" * block.line + block.text


def functions_of(block: Block, folder: Path) -> list[tuple[str, str, int]]:
    """File, name and line of every function of a block. Of mods those without a name count as well; elsewhere these are
    handlers of events, and not every event happens here."""
    if block.file is None:
        kinds: tuple[type[ast.AST], ...] = (ast.FunctionDef,)
        file, text = block.place, padded(block)
    else:
        kinds, file, text = (ast.FunctionDef, ast.Lambda), str(folder / block.file), block.text
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
    return [(file, getattr(node, "name", "<lambda>"), node.lineno) for node in nodes]


def unknown_names(block: Block, namespace: dict[str, Any]) -> list[str]:
    """Names that a block reads and that nothing has given a value, also those in handlers that were never called."""
    if block.language != "python" or block.file is not None:
        return []
    table = symtable.symtable(block.text, block.place, "exec")
    return [name for name in sorted(read_globals(table)) if name not in namespace and not hasattr(builtins, name)]


def read_globals(table: symtable.SymbolTable) -> set[str]:
    own = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    return own.union(*(read_globals(inner) for inner in table.get_children()))


@contextmanager
def called_functions() -> Iterator[set[tuple[str, str, int]]]:
    """File, name and line of every Python function that is called meanwhile."""
    called: set[CodeType] = set()
    told: set[tuple[str, str, int]] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call":
            called.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield told
    finally:
        sys.setprofile(before)
        told.update((code.co_filename, code.co_name, code.co_firstlineno) for code in called)


def try_table(text: str, folder: Path) -> None:
    """Use a TOML block for what it is: entry points of a package, a map, a species, or some tables of a species."""
    tables = tomllib.loads(text)
    if "project" in tables:
        assert list(tables["project"]["entry-points"]) == ["paludarium.mods"]
        return
    if MAP_TABLES & set(tables):
        (folder / "map_of_the_page.toml").write_text(text, encoding="utf-8")
        World(seed=1, map=folder / "map_of_the_page.toml").step(TICKS)
        return
    if not {"inherits", "family", "segments"} & set(tables):
        text = f'inherits = "{a_species_with(set(tables))}"\n{text}'
    (folder / "species_of_the_page.toml").write_text(text, encoding="utf-8")
    world = World(seed=1, map=Map.define(**POND))
    world.add_species(folder / "species_of_the_page.toml")
    live_a_little(world, ["species_of_the_page"])


def a_species_with(tables: set[str]) -> str:
    """The first of the package that has these tables; a small one if none needs them all."""
    species = World(seed=1).species
    return next((name for name in sorted(species) if tables <= set(species[name].source)), "pauropod")


def try_mods(folder: Path) -> None:
    """Install the mods of a folder, and use what they have added."""
    plain, world = World(seed=1), World(seed=1, mods=folder)
    failures: list[str] = []
    world.on("mod_failed", lambda event: failures.append(f"{event.mod}: {event.problem}"))
    installed = {name.removeprefix(f"{MOD_PACKAGE}.") for name in world.plugins if name.startswith(MOD_PACKAGE)}
    expected = {file.stem for file in folder.glob("*.py")} | {animals.parent.name for animals in folder.glob("*/species")}
    assert expected <= installed, f"mods that could not be built: {expected - installed}"
    live_a_little(world, ["pauropod", *(set(world.species) - set(plain.species))])
    for creature in list(world.creatures.values()):
        for verb in set(world.verbs) - set(plain.verbs):
            getattr(creature, verb)()
    world.step(FIRST_STEPS)
    world.clock.tick = LATER
    live_a_little(world, [])
    assert failures == []


def live_a_little(world: World, species: list[str]) -> None:
    """Births, ticks, readings of all parts, and a picture."""
    for place, name in enumerate(sorted(species)):
        wet = any(table in world.species[name].source for table in IN_WATER)
        world.spawn(name, at=(0.0, 12.0 * place, -4.0) if wet else (0.0, 12.0 * place))
    world.step(TICKS)
    for creature in world.creatures.values():
        assert [report for report in read_parts(creature) if report.problem] == []
    world.draw(pygame.Surface(PICTURE, 0, 32), Camera(PICTURE, pixels_per_unit=4.0))
