"""Species: an animal is a TOML file. Each table is a registered part; a species may inherit from another."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import arguments
from .errors import DefinitionError, SpeciesError, one_of
from .families import DEFAULT_FAMILY, Families, Family
from .file_reading import content_of, opened, reason_of
from .files import is_path
from .parts import Part, SpecProblem
from .spec import LONGEST_TEXT, read_table
from .toml_tables import READABLE, tables_of

LONGEST_KEY = 96
"""Characters of a species' key."""
PLAIN_KEYS = ("name", "description", "inherits", "family")
LARGEST_FILE = 64_000
"""Bytes of a species file; the largest of ours has 8,516, most of it recorded strokes."""
MOST_REPEATS = 1000
"""Tables of one repeated part in a species file."""
DIGITS = 9
"""Behind the point, of degrees in messages."""
LONGEST_LINEAGE = 50
"""Species that one inherits from, its parents' parents included."""


@dataclass(frozen=True)
class Species:
    """A checked species: its key, its display name, one spec per part, and the plain data it came from."""

    key: str
    name: str
    specs: dict[str, Any]
    source: dict[str, Any]
    family: str = DEFAULT_FAMILY

    def __repr__(self) -> str:
        return f"<Species {self.key!r}, {self.family}: {', '.join(self.specs)}>"


class Repeated(tuple[Any, ...]):
    """The specs of a part that is written several times, ``[[links]]``, in the order of the file."""

    def row_count(self, specs: dict[str, Any]) -> int:
        """Rows to claim: those of all of them."""
        return sum(int(spec.row_count(specs)) for spec in self)


Stamp = tuple[tuple[str, int, int], ...]


class SpeciesLibrary:
    """The species a world knows: files by name, read on first use and again whenever a file changed.

    Example::

        library.add(Path("firefly.toml"))
        firefly = library["firefly"]
    """

    def __init__(self, parts: Mapping[str, Part], families: Families) -> None:
        self._parts, self._families = parts, families
        self._files: dict[str, Path] = {}
        self._unlisted: set[str] = set()
        self._defined: dict[str, Species] = {}
        self._loaded: dict[str, tuple[Stamp, Species]] = {}

    def __iter__(self) -> Any:
        return iter(sorted({*self._files, *self._defined} - self._unlisted))

    def files(self) -> dict[str, Path]:
        """Where the species come from that are read from files."""
        return {key: file for key, file in self._files.items() if key not in self._unlisted}

    def add(self, path: Path, *, listed: bool = True) -> str:
        """Make a file, or every TOML file of a folder, known; they are read when they are needed. Returns the last key.

        What is not `listed` is known by its name alone: no list shows it.
        """
        files = sorted(path.glob("*.toml")) if os.path.isdir(path) else [path]
        for file in files:
            if not os.path.isfile(file):  # whatever the system says
                raise SpeciesError(str(file), "", "", "missing", "an existing species file")
        found = {file.stem: file for file in files}
        self._files.update(found)
        self._unlisted = self._unlisted - found.keys() if listed else self._unlisted | found.keys()
        return files[-1].stem if files else ""

    def add_checked(self, path: Path) -> str:
        """The same, but read at once: if one of the files is wrong, none becomes known."""
        before = dict(self._files)
        last = self.add(path)
        try:
            for key in [key for key, file in self._files.items() if before.get(key) != file]:
                self[key]
        except SpeciesError:
            self._files = before
            raise
        return last

    def forget(self, *keys: str) -> None:
        """Make files unknown again; creatures that were built from them live on."""
        for key in keys:
            self._files.pop(key, None)

    def define(self, key: str, tables: dict[str, Any]) -> Species:
        """Make a species known from tables written in code."""
        arguments.text("species key", key, LONGEST_KEY)
        file = f"species {key!r}"
        require_text(tables, "inherits", file, SpeciesError)
        parent = tables.get("inherits")
        if parent is not None:
            tables = _inherited_by(tables, self._tables_of(parent, file, []))
        self._defined[key] = self.build(key, tables, file)
        return self._defined[key]

    def __getitem__(self, key: str) -> Species:
        if not isinstance(key, str) or not is_path(key):
            raise SpeciesError("species", "", "", key, "the name of a species")
        if key in self._defined:
            return self._defined[key]
        if key.endswith(".toml"):
            key = self.add(Path(key))
        if key not in self._files:
            raise SpeciesError("species", "", "", key, self._names_for(key))
        if key in self._loaded and self._loaded[key][0] == self._stamp(self._loaded[key][0]):
            return self._loaded[key][1]
        files: list[Path] = []
        tables = self._resolve(key, files)
        stamp = self._stamp(tuple((str(file), 0, 0) for file in files))
        species = self.build(key, tables, str(files[0]))
        self._loaded[key] = (stamp, species)
        return species

    def build(self, key: str, tables: dict[str, Any], file: str) -> Species:
        """Check resolved tables against the registered parts and the family they belong to."""
        for name in PLAIN_KEYS:
            require_text(tables, name, file, SpeciesError)
        family = self._family(tables.get("family", DEFAULT_FAMILY), file)
        specs = self._read(self._completed(tables, family, file), family, file)
        specs = {name: specs[name] for name in self._parts if name in specs}
        for name in sorted(family.required - specs.keys()):
            raise SpeciesError(file, name, "", "missing", f"every {family.name} needs a [{name}] table")
        for part in self._parts.values():
            if part.required and part.name not in specs:
                raise SpeciesError(file, part.name, "", "missing", f"every species needs a [{part.name}] table")
        for name in specs:
            leader = self._parts[name].beside
            if leader not in (None, "creature", *specs):
                raise SpeciesError(file, name, "", "a table", f"none without a [{leader}] table: its rows are beside those")
        self._check(specs, file)
        return Species(key, tables.get("name", key.replace("_", " ")), specs, tables, family.name)

    def _family(self, name: str, file: str) -> Family:
        if name not in self._families:
            raise SpeciesError(file, "", "family", name, one_of(name, self._families))
        return self._families[name]

    def _completed(self, tables: dict[str, Any], family: Family, file: str) -> dict[str, Any]:
        try:
            return family.complete({name: table for name, table in tables.items() if name not in PLAIN_KEYS})
        except SpecProblem as problem:
            raise SpeciesError(file, family.name, problem.key, problem.value, problem.allowed) from None

    def _read(self, tables: dict[str, Any], family: Family, file: str) -> dict[str, Any]:
        """One spec per table; a part that may be repeated is a tuple of specs."""
        specs: dict[str, Any] = {}
        for name, table in tables.items():
            if name in PLAIN_KEYS:
                continue
            if name not in self._parts:
                raise SpeciesError(file, name, "", table, f"a table that a part reads, {one_of(name, self._parts)}")
            owner = self._families.owner_of(name)
            if owner is not None and owner != family.name:
                raise SpeciesError(file, name, "", table, f"a table for a {family.name}; this one is for a {owner}")
            part = self._parts[name]
            if not part.repeated:
                specs[name] = read_table(part.spec, table, file, name, SpeciesError)
            elif isinstance(table, list) and len(table) <= MOST_REPEATS:
                specs[name] = Repeated(read_table(part.spec, item, file, name, SpeciesError) for item in table)
            else:
                raise SpeciesError(file, name, "", table, f"a list of tables, at most {MOST_REPEATS}, written [[{name}]]")
        return specs

    def _check(self, specs: dict[str, Any], file: str) -> None:
        items = [(name, one) for name, spec in specs.items() for one in (spec if isinstance(spec, Repeated) else [spec])]
        for name, spec in items:
            check = getattr(spec, "check", None)
            if check is None:
                continue
            try:
                check(specs)
            except SpecProblem as problem:
                value = as_written(problem.key, problem.value)
                raise SpeciesError(file, name, problem.key, value, problem.allowed) from None

    def _resolve(self, key: str, files: list[Path]) -> dict[str, Any]:
        """The tables of a file laid over those of the species it inherits from."""
        file = self._files[key]
        if file in files:
            chain = " -> ".join(item.stem for item in [*files, file])
            raise SpeciesError(str(files[0]), "", "inherits", key, f"a species that is not its own ancestor ({chain})")
        if len(files) == LONGEST_LINEAGE:
            raise SpeciesError(str(files[0]), "", "inherits", key, f"a species with at most {LONGEST_LINEAGE} ancestors")
        files.append(file)
        tables = read_toml(file)
        require_text(tables, "inherits", str(file), SpeciesError)
        parent = tables.get("inherits")
        if parent is None:
            return tables
        return _inherited_by(tables, self._tables_of(parent, str(file), files))

    def _tables_of(self, parent: str, file: str, files: list[Path]) -> dict[str, Any]:
        """The complete tables of a species that another one inherits from."""
        if parent in self._defined:
            return self._defined[parent].source
        if parent not in self._files:
            raise SpeciesError(file, "", "inherits", parent, self._names_for(parent))
        return self._resolve(parent, files)

    def _names_for(self, wanted: str) -> str:
        """What an error says about a name that is not known."""
        if not self._files and not self._defined:
            return "none: plugins= was given without the built-in ones; [*paludarium.engine.plugins.BUILT_IN, ...] has them"
        return one_of(wanted, {*self._files, *self._defined})

    def _stamp(self, known: Stamp) -> Stamp:
        stamps = []
        for file, _, _ in known:
            try:
                status = Path(file).stat()
                stamps.append((file, status.st_mtime_ns, status.st_size))
            except OSError:
                stamps.append((file, -1, -1))
        return tuple(stamps)


def read_toml(
    file: Path, error: type[DefinitionError] = SpeciesError, most_bytes: int | None = None, larger: str = ""
) -> dict[str, Any]:
    """The tables of a species file, or of another kind of file with its own limit, or an error that names the line.

    `larger`: what one does who needs more bytes.
    """
    limit = LARGEST_FILE if most_bytes is None else most_bytes
    try:
        with opened(file) as (descriptor, about):
            content = content_of(descriptor, about, limit)
    except OSError as problem:
        raise error(str(file), "", "", reason_of(problem), f"{READABLE} of at most {limit:,} bytes{larger}") from None
    return tables_of(content, str(file), error)


def as_written(key: str, value: Any) -> Any:
    """A value of a spec as the file has it: angles are degrees there."""
    return round(math.degrees(value), DIGITS) if isinstance(value, float) and "_deg" in key else value


def require_text(tables: Mapping[str, Any], key: str, file: str, error: type[DefinitionError]) -> None:
    """Refuse anything but a text of a sane length, or nothing, as one of the plain keys of a file."""
    value = tables.get(key, "")
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise error(file, "", key, value, f"a text of at most {LONGEST_TEXT} characters")


def _inherited_by(tables: dict[str, Any], inherited: dict[str, Any]) -> dict[str, Any]:
    """The complete tables of a species: its own, laid over those that it inherits."""
    names = {**inherited, **tables}
    return {name: _laid_over(inherited.get(name), tables.get(name)) for name in names if name != "inherits"}


def _laid_over(below: Any, above: Any) -> Any:
    if isinstance(below, dict) and isinstance(above, dict):
        return {**below, **above}
    return below if above is None else above
