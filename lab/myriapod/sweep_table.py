"""The table of a sweep on disk: a CSV file that only ever grows, one line per sample, and survives a kill at any moment.

The lines before the column names say what was measured. A file of other settings, of another species or of another version
is refused and left as it is. The open file is locked, so two sweeps cannot write into one; the lock ends with its process.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from ...engine.errors import PaludariumError
from ..jobs.growing_file import Kind, begin, opened_to_grow, text_of

TITLE = "# paludarium sweep table, format 1"
COLUMNS = "index,frequency_per_s,shift_rad,speed_u_per_s,power,settled,seconds"
LISTED = 60
"""Characters of a value shown in a message."""


class SweepFileError(PaludariumError):
    """A table cannot be read or does not belong to this sweep; the file stays as it is."""


_REMEDY = "nothing was changed; give the new sweep another file name"
TABLE = Kind("a sweep table", "sweep", lambda said: SweepFileError(f"{said}; {_REMEDY}"))


class Line(NamedTuple):
    """One sample as it stands in the file."""

    number: int
    frequency: float
    shift: float
    speed: float
    power: float
    settled: bool
    seconds: float

    def text(self) -> str:
        """The line, with every digit of its numbers."""
        values = (self.number, *map(repr, self[1:5]), int(self.settled), repr(self.seconds))
        return ",".join(map(str, values)) + "\n"


def header(settings: Mapping[str, Any]) -> str:
    """What stands above the first sample: title, one line per setting, column names."""
    lines = [TITLE, *(f"# {name}: {json.dumps(value)}" for name, value in settings.items()), COLUMNS]
    return "\n".join(lines) + "\n"


def read_settings(file: Path) -> dict[str, Any]:
    """The settings a table was measured with."""
    return _settings(text_of(file, TABLE), file)


def read_lines(file: Path, settings: Mapping[str, Any]) -> list[Line]:
    """All whole samples of a table; nothing if there is no file yet. The file must have been made with these settings.

    A last line without an end is what a kill in the middle of writing leaves behind; it is not a sample.
    """
    if not os.path.exists(file):
        return []
    return _lines(text_of(file, TABLE), file, settings)


def _lines(text: str, file: Path, settings: Mapping[str, Any]) -> list[Line]:
    head = header(settings)
    if head.startswith(text):  # killed while it wrote the header, or an empty file
        return []
    _compare(_settings(text, file), settings, file)
    if not text.startswith(head):
        raise SweepFileError(f"{file}: its first lines were changed; {_REMEDY}")
    whole = text[len(head) : text.rfind("\n") + 1]
    found: dict[int, Line] = {}
    for number, line in enumerate(whole.splitlines(), head.count("\n") + 1):
        sample = _parse(line, file, number)
        if sample.number in found:
            raise SweepFileError(f"{file}: line {number} holds sample {sample.number} a second time; {_REMEDY}")
        found[sample.number] = sample
    return list(found.values())


@contextmanager
def appending(file: Path, settings: Mapping[str, Any]) -> Iterator[IO[bytes]]:
    """The table opened for new lines at its end: made if it is missing, locked, and without a torn last line.

    Example::

        with appending(Path("swimmer.csv"), settings) as handle:
            append(handle, line)
    """
    with opened_to_grow(file, TABLE) as (text, handle):
        _lines(text, file, settings)  # refuses foreign files before a byte is changed
        begin(handle, text, header(settings))
        yield handle


def append(handle: IO[bytes], line: Line) -> None:
    """Add one sample; from here on it outlives this process."""
    handle.write(line.text().encode())
    handle.flush()


def _settings(text: str, file: Path) -> dict[str, Any]:
    lines = text.splitlines()
    if not lines or lines[0] != TITLE or COLUMNS not in lines:
        raise SweepFileError(f"{file} is not a sweep table of this format ({TITLE[2:]!r}); {_REMEDY}")
    try:
        pairs = (line[2:].split(": ", 1) for line in lines[1 : lines.index(COLUMNS)])
        return {name: json.loads(value) for name, value in pairs}
    except ValueError:
        raise SweepFileError(f"{file}: its first lines were changed; {_REMEDY}") from None


def _compare(stored: Mapping[str, Any], wanted: Mapping[str, Any], file: Path) -> None:
    plain = json.loads(json.dumps(dict(wanted)))
    for name in dict.fromkeys([*plain, *stored]):
        if stored.get(name) != plain.get(name):
            here, there = _difference(plain.get(name), stored.get(name), name)
            raise SweepFileError(f"{file} belongs to another sweep: there {there}, here {here}; {_REMEDY}")


def _difference(here: Any, there: Any, name: str) -> tuple[str, str]:
    """The first difference between two settings, in words."""
    if isinstance(here, dict) and isinstance(there, dict):
        key = next(key for key in {**here, **there} if here.get(key) != there.get(key))
        return _difference(here.get(key), there.get(key), f"{name}.{key}")
    return _shown(name, here), _shown(name, there)


def _shown(name: str, value: Any) -> str:
    text = f"{name} = {json.dumps(value)}"
    return text if len(text) <= LISTED else text[: LISTED - 3] + "..."


def _parse(line: str, file: Path, number: int) -> Line:
    try:
        index, frequency, shift, speed, power, settled, seconds = line.split(",")
        numbers = (float(frequency), float(shift), float(speed), float(power))
        return Line(int(index), *numbers, bool(int(settled)), float(seconds))
    except ValueError:
        raise SweepFileError(f"{file}: line {number} is not a sample ({line[:LISTED]!r}); {_REMEDY}") from None
