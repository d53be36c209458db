"""What a job has found so far: a file that only ever grows, one line of JSON per piece, and survives a kill at any moment.

The first line says what is being done; a file of other settings or of another version is refused and left as it is. The open
file is locked, so that two runs cannot write into one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ...engine.errors import PaludariumError
from ...engine.plain_data import is_whole
from .growing_file import Kind, begin, opened_to_grow, text_of

REMEDY = "nothing was changed; give this run another file name, or remove that file"


class LedgerError(PaludariumError):
    """A ledger cannot be read or does not belong to this job; the file stays as it is."""


LEDGER = Kind("the ledger of a job", "run", lambda said: LedgerError(f"{said}; {REMEDY}"))


def any_piece(index: int, value: Any) -> bool:  # noqa: ARG001 - the signature of a check
    """The check of a job that takes whatever it has written."""
    return True


def read_ledger(file: Path, settings: Mapping[str, Any], fits: Callable[[int, Any], bool] = any_piece) -> dict[int, Any]:
    """All whole pieces by their number; nothing if there is no file yet, or one whose first line was not finished.

    fits: whether that can be what the job has found for that piece; a file in which anything else stands is refused.
    """
    if not os.path.exists(file):
        return {}
    return _pieces(text_of(file, LEDGER), file, settings, fits)


def _pieces(text: str, file: Path, settings: Mapping[str, Any], fits: Callable[[int, Any], bool]) -> dict[int, Any]:
    head = _head(settings)
    if head.startswith(text):
        return {}
    if not text.startswith(head):
        raise LedgerError(f"{file} belongs to another job, to other settings or to another version; {REMEDY}")
    found: dict[int, Any] = {}
    for number, line in enumerate(text[len(head) : text.rfind("\n") + 1].splitlines(), 2):
        try:
            index, value = json.loads(line)
            if not is_whole(index) or not fits(index, value):
                raise ValueError
            found[index] = value
        except (ValueError, TypeError, RecursionError, MemoryError):
            raise LedgerError(f"{file}: line {number} is not a piece of work ({line[:60]!r}); {REMEDY}") from None
    return found


@contextmanager
def open_ledger(
    file: Path, settings: Mapping[str, Any], fits: Callable[[int, Any], bool] = any_piece
) -> Iterator[tuple[dict[int, Any], IO[bytes]]]:
    """What is known already, and the file for more lines (`note`): made if it is missing, locked, without a torn last line.

    Example::

        with open_ledger(Path("ant.work"), {"seed": 1}) as (known, handle):
            note(handle, 7, [0.5, 0.25])
    """
    with opened_to_grow(file, LEDGER) as (text, handle):
        known = _pieces(text, file, settings, fits)  # refuses foreign files before a byte is changed
        begin(handle, text, _head(settings))
        yield known, handle


def note(handle: IO[bytes], index: int, value: Any) -> None:
    """Add one piece; from here on it outlives this process."""
    handle.write((json.dumps([index, value]) + "\n").encode())
    handle.flush()


def _head(settings: Mapping[str, Any]) -> str:
    return json.dumps({"paludarium job": dict(settings)}, sort_keys=True) + "\n"
