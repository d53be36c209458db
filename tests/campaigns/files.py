"""The campaigns of damaged files, and that of extreme keys: cases in a process of their own."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .batches import run_cases
from .file_cases import KINDS
from .outcome import Report

ALL_KINDS = (*KINDS, "extremes of keys")


def run(seed: int, count: int, kind: str = "species files") -> Report:
    """So many damaged files of one kind."""
    with tempfile.TemporaryDirectory() as folder:
        return run_cases(kind, seed, count, Path(folder))
