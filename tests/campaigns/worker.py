"""The process that runs cases: ``python -m paludarium.tests.campaigns.worker KIND SEED FIRST COUNT FOLDER``.

Whatever a file says, nothing may be written while it is read, and nothing may be imported that it names. The interpreter
itself is asked (`sys.addaudithook`), so no way around is missed.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .batches import MEMORY_LIMIT
from .extremes import Extremes
from .file_cases import KINDS, TRAPS
from .living_saves import LivingSaves
from .outcome import LOADED, REFUSED, what_became_of

CHANGES = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.chmod", "os.link", "os.symlink", "os.truncate",
           "os.system", "os.exec", "os.fork", "os.posix_spawn", "subprocess.Popen", "shutil.rmtree", "socket.connect",
           "socket.bind"}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Watch:
    """Hears of everything that a case does to the outside while it is switched on."""

    def __init__(self) -> None:
        self.on, self.seen = False, ""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on or self.seen:
            return
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING and not _is_cache(arguments[0]):
            self.seen = "wrote a file"
        elif event in CHANGES and not _is_cache(arguments[0] if arguments else ""):
            self.seen = f"did {event}"
        elif event == "import" and arguments[0].partition(".")[0] in TRAPS:
            self.seen = "imported what the file names"


def _is_cache(path: Any) -> bool:
    """Compiled kernels and byte code are kept by the machinery, whatever a file says."""
    text = str(path)
    return "__pycache__" in text or "cache" in text.lower() or text == "/dev/null"


def main(kind: str, seed: int, first: int, count: int, folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    told = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what is printed is not a message
    place = Path(tempfile.mkdtemp(dir=folder))
    os.chdir(place)
    kinds = {**KINDS, "extremes of keys": Extremes, "saves, lived in": LivingSaves}
    campaign, watch = kinds[kind](place), Watch()
    for number in range(first, count):
        campaign.number = number
        case = campaign.case(np.random.default_rng([seed, number]))
        print(json.dumps({"begins": case.text}), file=told)
        watch.seen, watch.on = "", campaign.quiet
        outcome = what_became_of(case.attempt)
        watch.on = False
        if watch.seen and outcome in (LOADED, REFUSED):
            outcome = watch.seen
        print(json.dumps({"ended": number, "case": case.text, "outcome": outcome}), file=told)
    print(json.dumps({"done": True}), file=told)
    told.flush()
    shutil.rmtree(place, ignore_errors=True)
    os._exit(0)  # whatever a case may have left running


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
