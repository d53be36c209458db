"""Which campaigns there are, with their seeds and counts: the short form of every test run and the long one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from . import api_sequences, determinism, files, heavy, killed_saves, killed_trainings, madhouse, shores, soak
from .outcome import Report

SEED = 13
SECONDS_TO_LIVE = 600.0
"""For 600 ticks at twenty times the usual pace, on a machine that has other things to do."""


class Campaign(NamedTuple):
    name: str
    claim: str
    run: Callable[[int, int], Report]
    short: int
    long: int


def _files(kind: str, claim: str, short: int, long: int) -> Campaign:
    return Campaign(kind, claim, partial(files.run, kind=kind), short, long)


CAMPAIGNS = {campaign.name: campaign for campaign in (
    _files("species files", "a damaged species file works or is refused", 60, 3000),
    _files("map files", "a damaged map works or is refused", 60, 3000),
    _files("saves, damaged", "a damaged save is refused", 40, 3000),
    _files("saves, sealed", "a save that was changed and sealed again works or is refused", 40, 3000),
    Campaign("saves, lived in", "a sealed save that loads lives for 600 ticks without an error and without crawling",
             partial(files.run, kind="saves, lived in", limit=SECONDS_TO_LIVE), 8, 800),
    _files("recordings", "a recording writes, loads and imports nothing, whatever it says", 60, 3000),
    _files("OBJ meshes", "a damaged mesh works or is refused", 40, 2000),
    _files("extremes of keys", "every key works or is refused at its ends, and is refused beyond them", 0, 3000),
    Campaign("sequences of calls", "refused calls change nothing, nothing becomes NaN, saves keep the hash",
             api_sequences.run, 6, 400),
    Campaign("kills while saving", "a save that is killed leaves the old file or the new one", killed_saves.run, 15, 300),
    Campaign("kills while training", "a training that was killed goes on to the result of one that was left alone",
             killed_trainings.run, 4, 60),
    Campaign("heavy mode", "a copy that is saved and loaded before every tick does the same in it", heavy.run, 40, 100_000),
    Campaign("madhouse", "a mad mod is named, the world ticks on, and what sleeps comes back", madhouse.run, 11, 500),
    Campaign("determinism", "threads, pictures, saves and packs do not change a hash", determinism.run, 0, 240),
    Campaign("shores", "from any place on a map with water two lengths away within a minute", shores.run, 10, 200),
    Campaign("soak", "memory and time per tick do not grow; tissue is rarely disturbed", soak.run, 0, 96_000),
)}  # fmt: skip
