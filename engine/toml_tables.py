"""The tables of a TOML file of unknown origin: how deep it goes is looked at before it is parsed, and all errors are ours.

The parser makes a table for every part of a dotted key, again for every part before it: one key of 10,000 parts takes
seconds and hundreds of megabytes. Nothing of ours needs more than a few.
"""

from __future__ import annotations

import re
import tomllib
from itertools import accumulate
from typing import Any

from .errors import DefinitionError

MOST_PARTS = 8
"""Of a dotted key, as in ``terrain.mesh.vertices``; ours have three."""
DEEPEST = 8
"""Lists and inline tables within each other; ours are four deep."""
READABLE = "a readable TOML file"

_TEXT_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}+(?!"))*+"{0,5}+'  # up to five quotes end a text: two of them belong to it
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{0,5}+"
    r'|"(?:[^"\\\n]++|\\.)*+"?+'
    r"|'[^'\n]*+'?+"
    r"|#[^\n]*+",
    re.DOTALL,
)
_NO_STRUCTURE = re.compile(r"[^.=,\n{}\[\]]++")
_NO_BRACKETS = re.compile(r"[^{}\[\]]++")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def tables_of(content: bytes, file: str, error: type[DefinitionError]) -> dict[str, Any]:
    """The tables that the content of a file stands for, or an error that names the file.

    Example::

        tables_of(b"[area]\\nwidth_u = 60", "arena.toml", MapError)
    """
    try:
        text = content.decode("utf-8")
        too_much = _too_much(text)
        if too_much:
            raise error(file, "", "", *too_much)
        return tomllib.loads(text)
    except error:
        raise
    except ValueError as problem:  # of the decoder, of the parser, or a number with too many digits
        raise error(file, "", "", str(problem), READABLE) from None
    except RecursionError:
        raise error(file, "", "", "nested too deeply", READABLE) from None
    except MemoryError:
        raise error(file, "", "", "more than fits into memory", READABLE) from None


def _too_much(text: str) -> tuple[str, str] | None:
    """What is beyond the limits, and what is allowed; None if nothing is. Reads the text once, whatever it holds.

    Where this takes something for a text or a comment that the parser does not, the parser has stopped before.
    """
    structure = _NO_STRUCTURE.sub("", _TEXT_OR_COMMENT.sub("", text))
    if "." * MOST_PARTS in structure:
        return "a key with too many dots", f"a key of at most {MOST_PARTS} parts"
    brackets = _NO_BRACKETS.sub("", structure)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > DEEPEST:
        return "nested too deeply", f"at most {DEEPEST} lists and tables within each other"
    return None
