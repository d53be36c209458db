"""Every citation in brackets, such as ``[walking 7]``, leads to an anchor of docs/references.md or of a study's page."""

from __future__ import annotations

import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PLACES = ("README.md", "assets", "benchmarks", "components", "docs", "engine", "examples", "game_demo", "lab",
          "systems", "tests")  # fmt: skip
STUDIES = {page.stem for page in (DOCS / "studies").glob("*.md")}

ANCHOR = re.compile(r'<a id="([^"]+)">')
BRACKETS = re.compile(r"\[([^\[\]]+)\](?!\()")  # with "(" behind it, it is a link of a page
# What a citation begins with, also one of an unknown source or in a form that is not used here: a word and a place,
# a name with a year, a study, a digest.
CITING = re.compile(
    rf"({'|'.join(sorted(STUDIES))}) ((E-)?\d|[A-K]\b)"
    r"|[a-z][\w-]* (E-)?\d[\d.,; E-]*$"
    r"|[A-Z][a-zA-Z]+\d\d[a-z]?\b"
    r"|[A-Z][a-zA-Z]+\b.*\b(1[89]|20)\d\d\b"
    r"|.*\b(study|digest|thesis)\b"
)
PLACE = re.compile(r"(?:(eq|Fig|[Tt]ab|App)\. )?((?:\d+|[A-Z])(?:[.-](?:\d+|[A-Z]\b))*)")  # kind, label


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(ANCHOR.findall(page.read_text(encoding="utf-8")))


def fault(citation: str) -> str:
    """Why a text in brackets is no valid citation; empty if it is one, or is none at all."""
    citation = " ".join(citation.split())
    if not CITING.match(citation):
        return ""
    for source in citation.split("; "):
        key, _, places = source.partition(" ")
        found = fault_of_study(key, places) if key in STUDIES else fault_of_publication(key, places)
        if found:
            return f"[{citation}]: {found}"
    return ""


def fault_of_study(key: str, places: str) -> str:
    named = places.split(", ")
    if all(re.fullmatch(r"\d+-\d+", place) for place in named):  # "2-4": both ends
        named = [end for place in named for end in place.split("-")]
    missing = [place for place in named if place not in anchors(DOCS / "studies" / f"{key}.md")]
    return f"docs/studies/{key}.md has no anchor for {missing}" if missing else ""


def fault_of_publication(key: str, places: str) -> str:
    if key not in anchors(DOCS / "references.md"):
        return f"docs/references.md has no {key!r}"
    named = False  # "eq. A.22, A.23": the second place is of the kind of the first
    for place in places.split(", ") if places else ():
        parts = PLACE.fullmatch(place)
        if parts is None or (parts[2][0].isalpha() and not (parts[1] or named)):
            return f"{place!r} is neither a section nor eq., Fig., Tab. or App."
        named = parts[1] is not None or named
    return ""


def prose(file: Path) -> str:
    """What a file says to readers: comments and strings of a module, all of any other file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return text
    if "[" not in text:
        return ""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(t.string.lstrip("# ") for t in tokens if t.type in (tokenize.COMMENT, tokenize.STRING))


def files(place: str) -> list[Path]:
    """One file, or those of a folder that have something to read; not this one, whose examples are wrong on purpose."""
    if (ROOT / place).is_file():
        return [ROOT / place]
    found = (file for kind in ("py", "toml", "md") for file in (ROOT / place).rglob(f"*.{kind}"))
    return sorted(file for file in found if "__pycache__" not in file.parts and file != Path(__file__).resolve())


@pytest.mark.parametrize("place", PLACES)
def test_citations_lead_somewhere(place):
    texts = ((file, cited) for file in files(place) for cited in BRACKETS.findall(prose(file)))
    assert [f"{file.relative_to(ROOT)}: {wrong}" for file, cited in texts if (wrong := fault(cited))] == []


def test_the_kernels_do_cite():
    """Guards the test above against finding nothing."""
    cited = [text for file in files("systems") for text in BRACKETS.findall(prose(file)) if CITING.match(text)]
    assert len(cited) > 50


@pytest.mark.parametrize("citation", [
    "walking 7", "numerics 1.1", "myriapoda 1.16, E-55", "Fang15", "Fang15 4.3.1", "Fang15 eq. A.22, A.23", "Fang15 App. B",
    "Fang15 Fig. C.3-C.5", "Fang15 6, App. B, C", "Tu99 Tab. 4.2", "Guo15 tab. D.1", "Tu99 7.5, 7.7",
    "artificial-fishes A.5, 5", "fish 3", "insect 2-4", "insect-framework 3.7",
    "Hoerner65 3-9", "Fang15 4.1; myriapoda E-36; walking 3", "Zhao05; Tsai02",
])  # fmt: skip
def test_known_citations_pass(citation):
    assert CITING.match(citation)
    assert fault(citation) == ""


@pytest.mark.parametrize("citation", [
    "walking 70", "walking 7, more", "numerics 1.9", "myriapoda E-99", "myriapoda 1.16, E-99", "Fang16 3.1", "Fang15 B.31",
    "Fang15 4.1; walking 70", "Fang15 Fig 6.1", "Fang15 section 4", "Tu99 table 4.2", "Tu99 app. A", "artificial-fishes A.9",
    "fish 9", "insect 2-14", "insect-framework 3.70", "Fang15 4.1, walking 3", "digest E-3", "walking-study 7",
    "look study 5", "dancing 7", "Perlin 2002", "Fang's thesis",
])  # fmt: skip
def test_unknown_citations_fail(citation):
    assert fault(citation) != ""


@pytest.mark.parametrize("text", ["0.5, 1.5", "row, Memory.TURN", "gait", "i:i+9", "u/s", "FILE", "3, 4", "low, high"])
def test_other_brackets_are_left_alone(text):
    assert fault(text) == ""
