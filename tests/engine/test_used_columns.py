"""Every column of a pool is read somewhere: one that is only declared and saved costs memory and misleads readers."""

from __future__ import annotations

import ast
from pathlib import Path

from paludarium import World

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "components", "systems", "lab", "game_demo", "examples", "benchmarks")
FOR_OTHERS = {"caught_row", "stretched"}
"""Told to families of mods, and to measurements of the tests."""


def stored(tree: ast.Module) -> set[ast.Attribute]:
    """Attributes that are assigned to, or of which some elements are."""
    found = set()
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
        for target in [part for whole in targets for part in (whole.elts if isinstance(whole, ast.Tuple) else [whole])]:
            inner = target
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            if isinstance(inner, ast.Attribute):
                found.add(inner)
    return found


def test_every_column_is_read():
    read: set[str] = set()
    for file in (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        written = stored(tree)
        read |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node not in written}
        read |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    world = World(seed=1)
    for family in list(world.families):
        world.require_family(family)
    unread = {f"{name}.{column}" for name, pool in world.pools.items() for column in pool.columns
              if column not in read | FOR_OTHERS}  # fmt: skip
    assert unread == set()
