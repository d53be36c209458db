"""The campaigns of damaged files, and that of extreme keys: cases in a process of their own."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .batches import SECONDS_PER_CASE, run_cases
from .outcome import Report


def run(seed: int, count: int, kind: str = "species files", limit: float = SECONDS_PER_CASE) -> Report:
    """So many damaged files of one kind; a case that takes longer than the limit hangs."""
    with tempfile.TemporaryDirectory() as folder:
        return run_cases(kind, seed, count, Path(folder), limit)
