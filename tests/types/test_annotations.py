"""Annotations of kernels are what the compiler infers: it takes minutes to ask it, so only slow runs do."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from paludarium.tests.types.annotate import CASTS, IGNORED, Known, differences
from paludarium.tests.types.sources import read_modules

LEAST_SHARE = 0.95
"""Of all kernels that have to be met: what is not met is not compared."""


@pytest.mark.slow
def test_annotations_are_what_the_compiler_infers(tmp_path: Path) -> None:
    file = tmp_path / "types.json"
    subprocess.run([sys.executable, "-m", "paludarium.tests.types.infer", str(file)], check=True, timeout=3600)
    told = json.loads(file.read_text(encoding="utf-8"))
    assert not told["failed"]
    assert len(told["kernels"]) >= LEAST_SHARE * (len(told["kernels"]) + len(told["missing"])), told["missing"]
    assert not differences(Known(read_modules(), told["kernels"]))


def test_every_kernel_is_annotated() -> None:
    for module in read_modules().values():
        assert IGNORED not in module.text, module.path
        for node in module.kernels:
            assert node.returns is not None, f"{module.path}:{node.lineno}"
            assert all(each.annotation for each in node.args.args), f"{module.path}:{node.lineno}"


def test_kernels_cast_by_typed_names() -> None:
    """To type checkers numpy's own casts make no numbers; where a method of one is called it is meant to be numpy's."""
    for module in read_modules().values():
        for kernel in module.kernels:
            methods = {id(node.value) for node in ast.walk(kernel) if isinstance(node, ast.Attribute)}
            for node in ast.walk(kernel):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and id(node) not in methods:
                    is_cast = node.func.attr in CASTS and getattr(node.func.value, "id", "") == "np"
                    assert not is_cast, f"{module.path}:{node.lineno}"
