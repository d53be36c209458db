"""Cases in a process of their own, so that a crash ends that process and a hang is ended, and both are counted.

The process tells each case when it begins and when it has ended; after a crash or a hang another one goes on behind it.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .outcome import Report, kind_of

SECONDS_PER_CASE = 20.0
"""A case that takes longer hangs."""
SECONDS_TO_START = 300.0
"""For the first case of a process: kernels may have to be compiled."""
START = "the start"
MEMORY_LIMIT = 6 << 30
"""Bytes of address space; what asks for more fails there and not in the machine."""


def run_cases(kind: str, seed: int, count: int, folder: Path, limit: float = SECONDS_PER_CASE) -> Report:
    """Run so many cases of a kind and count how they end."""
    report = Report(kind, seed)
    first = 0
    while first < count:
        for message in _messages(kind, seed, first, count, folder, limit):
            if "ended" in message:
                first = message["ended"] + 1
                case = f"case {first - 1}: {message['case']} -> {message['outcome']}"
                report.add(kind_of(message["outcome"]), case)
            elif message.get("case") == START:
                report.add(f"{message['broke']} before the first case", kind)
                return report
            elif "broke" in message:
                report.add(message["broke"], f"case {first}: {message['case']}")
                first += 1
    return report


def _messages(kind: str, seed: int, first: int, count: int, folder: Path, limit: float) -> Iterator[dict[str, Any]]:
    """What one process tells, and at the end how it broke, if it did."""
    command = [sys.executable, "-m", "paludarium.tests.campaigns.worker", kind, *map(str, (seed, first, count, folder))]
    environment = {**os.environ, "PYTHONFAULTHANDLER": "0"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    assert process.stdout is not None
    case, done, allowed = START, False, [SECONDS_TO_START]
    try:
        for line in _lines(process, allowed):
            if line is None:
                yield {"broke": f"hang: no end within {limit:g} s", "case": case}
                return
            message = json.loads(line)
            if "begins" in message:
                case, allowed[0] = message["begins"], limit
            done = "done" in message
            if not done:
                yield message
        if not done:
            yield {"broke": f"crash: the process ended with {process.wait()}", "case": case}
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _lines(process: Any, allowed: list[float]) -> Iterator[bytes | None]:
    """The lines that a process writes; None when nothing comes for too long."""
    waiting, buffer = selectors.DefaultSelector(), b""
    waiting.register(process.stdout, selectors.EVENT_READ)
    last = time.monotonic()
    while True:
        if not waiting.select(timeout=max(allowed[0] - (time.monotonic() - last), 0.0)):
            yield None
            return
        piece = os.read(process.stdout.fileno(), 1 << 16)
        if not piece:
            return
        buffer += piece
        *complete, buffer = buffer.split(b"\n")
        for line in complete:
            last = time.monotonic()
            yield line
