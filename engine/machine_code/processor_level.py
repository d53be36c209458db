"""What machine code is good for: a Python, a numba, a platform and a level of processor.

Packs are made for a level that most machines of the last ten years reach, not for one processor. Levels of x86-64 are those
of its ABI. Contraction of products and sums is off, so the results are the same to the bit on every level.
"""

from __future__ import annotations

import hashlib
import re
import sys

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np

from ..numba_settings import setting

_V2 = ("cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
LEVELS = {"x86-64-v3": _V3, "x86-64-v2": _V2}
"""What a processor must be able to do for the packs of a level, best level first."""

OTHER_LEVEL = {"aarch64": "generic", "arm64": "apple-m1"}
"""Levels of other processors by the first word of the triple: the oldest that the platform's Python runs on."""

_SETTINGS = (
    "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "USING_SVML", "LLVM_REFPRUNE_PASS",
    "CPU_NAME", "CPU_FEATURES",
)  # fmt: skip
"""Settings of numba that change the machine code."""

_USUAL = {
    "OPT": "_OptLevel(3)", "LOOP_VECTORIZE": "1", "SLP_VECTORIZE": "0", "BOUNDSCHECK": "None", "DEBUGINFO_DEFAULT": "0",
    "LLVM_REFPRUNE_PASS": "1",
}  # fmt: skip


def platform_name() -> str:
    """What machine code needs beside the processor; part of the name of every pack and folder."""
    python = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    versions = f"numba{numba.__version__}-llvmlite{llvmlite.__version__}-numpy{np.__version__.partition('.')[0]}"
    triple = re.sub(r"darwin[\d.]+", "darwin", llvm.get_process_triple())  # code does not depend on the release of macOS
    return f"{python}-{versions}-{triple}"


def levels_here() -> list[str]:
    """The levels that this processor reaches, best first."""
    family = llvm.get_process_triple().partition("-")[0]
    if family != "x86_64":
        return [OTHER_LEVEL[family]] if family in OTHER_LEVEL else []
    features = llvm.get_host_cpu_features()
    return [level for level, needs in LEVELS.items() if all(features.get(need) for need in needs)]


def levels_to_use() -> list[str]:
    """The levels whose packs hold what numba would make here; none if numba was asked for other code than usual."""
    now = settings()
    if any(now[name] != value for name, value in _USUAL.items()):
        return []
    if now["CPU_NAME"] == now["CPU_FEATURES"] == "None":
        return levels_here()
    return [now["CPU_NAME"]] if now["CPU_FEATURES"] == "" else []  # who builds a pack


def settings() -> dict[str, str]:
    """The settings of numba that machine code depends on."""
    return {name: str(setting(name)) for name in _SETTINGS}


def machine_name() -> str:
    """The processor and the settings of numba, for code that is compiled for just this machine."""
    processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()} {sorted(settings().items())}"
    return hashlib.sha256(processor.encode()).hexdigest()[:12]
