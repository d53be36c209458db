"""The rules of the house: who may import whom, who may talk, how long a module may be."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from paludarium.tests.reach import reads, unread

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("engine", "components", "systems", "lab", "game_demo")
LIBRARY = LAYERS[:-1]
WITHOUT_LAB = LAYERS[:3]
"""What may not know that there is a laboratory."""
LONGEST_MODULE = 400
LAB_BY_NAME = re.compile(r"\.*(paludarium\.)?lab([.:].*)?")
"""A string that is the name of a module of the laboratory, or begins one."""
MOST_ARGUMENTS = 12
"""Of a kernel that Python calls, or that runs in parallel: more of them want bundles."""
FAMILIES = ("myriapod", "fish", "insect", "articulated")
REGISTRATION = ("components/__init__.py", "systems/__init__.py")
"""Where families are made known."""
READERS = ("engine", "components", "systems", "game_demo", "examples")
"""What may be the reason for a public name: what only the laboratory or the tests read belongs to them."""
READ_BY_NOTHING = {
    "build": "the entry point of a plugin, called by the name of its module",
    "cpu_seconds_so_far": "what a run of the tests says at its end; the number is kept where kernels are compiled",
}
"""Public names that may go without a reader, and why."""
SAME_MEANING = {"__init__", "__main__", "system", "family", "painter", "muscles", "headless_walk"}
"""Base names that may come several times: a system beside its kernels, a part and the system that moves it."""


@cache
def tree_of(file: Path) -> ast.Module:
    """The source of a module, parsed once for all tests."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """Everything in the source of a module."""
    return tuple(ast.walk(tree_of(file)))


def modules(*folders: str) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py") if "__pycache__" not in file.parts)


@cache
def runtime_imports(file: Path) -> set[str]:
    """Absolute dotted names that a module imports when it runs; blocks for type checkers are left out."""
    package = file.relative_to(ROOT).parts[:-1]
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            found.add(".".join([*base, *(node.module.split(".") if node.module else [])]).removeprefix("paludarium."))
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree_of(file))
    return found


@pytest.mark.parametrize("place, layer", list(enumerate(LAYERS)))
def test_imports_run_one_way(place, layer):
    above = LAYERS[place + 1 :]
    for file in modules(layer):
        for name in runtime_imports(file):
            assert name.split(".")[0] not in above, f"{file.relative_to(ROOT)} imports {name}"


def lines_that_name_the_lab(source: str, package: tuple[str, ...]) -> list[int]:
    """Where a module imports the laboratory: at once, late, for type checkers only, or by a string that names it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base += node.module.split(".") if node.module else []
            names = [".".join([*base, alias.name]) for alias in node.names]
        elif isinstance(node, ast.Attribute):
            names = [ast.unparse(node)] if node.attr == "lab" else []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and LAB_BY_NAME.fullmatch(node.value):
            names = ["lab"]
        if any(name.removeprefix("paludarium.").split(".")[0] == "lab" for name in names):
            found.append(node.lineno)
    return found


def test_nothing_that_runs_in_a_tick_knows_the_lab():
    for file in modules(*WITHOUT_LAB):
        lines = lines_that_name_the_lab(file.read_text(encoding="utf-8"), file.relative_to(ROOT).parts[:-1])
        assert not lines, f"{file.relative_to(ROOT)} names lab in lines {lines}"


@pytest.mark.parametrize("wrong", [
    "from ...lab.insect import walker", "from ...lab import jobs", "from ... import lab", "import paludarium.lab.jobs",
    "from paludarium.lab.fish.reference_fish import Stroke", "from paludarium import lab",
    "def late():\n    from ...lab import jobs", "if TYPE_CHECKING:\n    from ...lab.insect.walker import Walker",
    "import_module('paludarium.lab.insect.walker')", "import_module('.lab.jobs', 'paludarium')",
    "import_module('...lab', __package__)", "import_module(f'paludarium.lab.{name}')",
    "__import__('paludarium.' + 'lab')", "CALL = 'lab.jobs.cluster:Cluster'", "import paludarium\npaludarium.lab.jobs",
])  # fmt: skip
def test_every_way_to_name_the_lab_is_found(wrong):
    assert lines_that_name_the_lab(wrong, ("systems", "insect"))


@pytest.mark.parametrize("right", [
    "from ...components.insect import trunk", "from .label import text", "label = 'labrum'", "labels.laboratory",
    "'a lab of its own'",
])  # fmt: skip
def test_other_names_are_not_the_lab(right):
    assert not lines_that_name_the_lab(right, ("systems", "insect"))


def test_pygame_is_imported_by_the_renderer_and_the_demo_only():
    for file in modules(*LIBRARY):
        if file.relative_to(ROOT).as_posix() != "systems/render/output/pygame_surface.py":
            assert "pygame" not in {name.split(".")[0] for name in runtime_imports(file)}, file


def test_pymunk_is_imported_by_props_only():
    for file in modules(*LAYERS):
        if file.relative_to(ROOT).as_posix() != "engine/props.py":
            assert "pymunk" not in {name.split(".")[0] for name in runtime_imports(file)}, file


def test_the_library_prints_nothing():
    for file in modules(*LIBRARY):
        for node in nodes_of(file):
            assert not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"), file


def test_no_kernel_uses_fastmath_and_nobody_pickles():
    for file in modules(*LIBRARY):
        assert "pickle" not in {name.split(".")[0] for name in runtime_imports(file)}, file
        if file.name != "kernel.py":
            assert "fastmath=" not in file.read_text(encoding="utf-8"), file


def test_modules_are_short():
    for file in modules(*LAYERS, "examples", "benchmarks", "tests"):
        lines = len(file.read_text(encoding="utf-8").splitlines())
        assert lines <= LONGEST_MODULE, f"{file.relative_to(ROOT)} has {lines} lines"


def test_no_branch_tests_a_species_name():
    names = {file.stem for file in (ROOT / "assets" / "species").glob("*.toml")}
    for file in modules(*LIBRARY):
        for node in nodes_of(file):
            if isinstance(node, ast.Compare):
                words = {child.value for child in ast.walk(node) if isinstance(child, ast.Constant)}
                assert not (words & names - {"millipede", "robot"}), f"{file.relative_to(ROOT)}:{node.lineno}"


def family_of(file: Path) -> str | None:
    """The family whose folder a module lies in."""
    parts = file.relative_to(ROOT).parts
    return parts[1] if len(parts) > 2 and parts[1] in FAMILIES else None


def test_no_family_folder_imports_anothers_and_nothing_shared_imports_one():
    for file in modules("components", "systems", "lab"):
        if file.relative_to(ROOT).as_posix() in REGISTRATION:
            continue
        for name in runtime_imports(file):
            parts = name.split(".")
            imported = parts[1] if len(parts) > 1 and parts[0] in ("components", "systems", "lab") else None
            if imported in FAMILIES:
                assert imported == family_of(file), f"{file.relative_to(ROOT)} imports {name}"


def looked_up(node: ast.AST) -> list[ast.AST]:
    """What a node looks up or compares: the key of a subscript, the sides of a comparison, the argument of ``get``."""
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    is_get = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("get", "pop", "part", "spec")
    return node.args if is_get else []


def test_the_engine_knows_no_part_by_name():
    from paludarium import World

    parts = set(World(seed=0).parts)
    for file in modules("engine"):
        for node in nodes_of(file):
            for key in looked_up(node):
                words = {child.value for child in ast.walk(key) if isinstance(child, ast.Constant)}
                assert not words & parts, f"{file.relative_to(ROOT)}:{node.lineno}"


def test_no_two_modules_share_a_base_name():
    seen: dict[str, Path] = {}
    for file in modules(*LAYERS, "benchmarks"):
        if file.stem not in SAME_MEANING:
            assert file.stem not in seen, f"{file.relative_to(ROOT)} and {seen[file.stem].relative_to(ROOT)}"
            seen[file.stem] = file


def kernel_decorator(node: ast.AST) -> str | None:
    """How a function is compiled, as written; None if it is not."""
    if isinstance(node, ast.FunctionDef):
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "kernel":
                return ast.unparse(decorator)
    return None


def names_used_by_python(tree: ast.AST) -> set[str]:
    """Names that code outside compiled functions reads."""
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if kernel_decorator(node) is not None:
            return
        if isinstance(node, ast.Name):
            found.add(node.id)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found


def test_kernels_that_python_calls_or_that_run_in_parallel_take_few_arguments():
    trees = {file: tree_of(file) for file in modules(*LIBRARY)}
    called = set().union(*(names_used_by_python(tree) for tree in trees.values()))
    for file, tree in trees.items():
        for node in ast.walk(tree):
            how = kernel_decorator(node)
            if how is not None and (node.name in called or "parallel" in how):
                count = len(node.args.args)
                assert count <= MOST_ARGUMENTS, f"{file.relative_to(ROOT)}: {node.name} takes {count} arguments"


def test_compiled_modules_say_so_in_their_name():
    for file in modules("components", "systems", "lab"):
        compiled = [node for node in nodes_of(file) if kernel_decorator(node)]
        assert not compiled or file.stem.endswith("_kernel"), file.relative_to(ROOT)


def test_numbas_private_words_are_said_in_one_module():
    for file in modules(*LAYERS):
        if file.relative_to(ROOT).as_posix() != "engine/kernel.py":
            assert "_nrt" not in file.read_text(encoding="utf-8"), file.relative_to(ROOT)


def sources_of(*files: Path) -> dict[str, str]:
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def test_every_public_name_has_a_reader_or_a_page():
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (*ROOT.glob("docs/**/*.md"), ROOT / "README.md"))
    code = " ".join(re.findall(r"```.*?```|`[^`\n]+`", pages, re.DOTALL))
    public = {("", name) for name in (*re.findall(r"\w+", code), *READ_BY_NOTHING)}
    readers = sources_of(ROOT / "__init__.py", *modules(*READERS))
    hands_on = frozenset(path for path in readers if path.endswith("/__init__.py") and path not in REGISTRATION)
    found = unread(sources_of(*modules(*WITHOUT_LAB)), reads(readers, hands_on) | public)
    assert not found, found


@pytest.mark.parametrize("source", [
    "def name():\n    return name()", "name = 1", "A, B = range(2)", "name: int = 1", "class name:\n    name = 1",
    "__all__ = ['name']\nname = 1",
])  # fmt: skip
def test_names_without_a_reader_are_found(source):
    readers = {"engine/one.py": source, "engine/__init__.py": "from .one import name, A", "engine/two.py": "other.name = A"}
    assert unread({"engine/one.py": source}, reads(readers, frozenset({"engine/__init__.py"})))


@pytest.mark.parametrize("reader", [
    "from .one import name", "from paludarium.engine.one import name as other", "from . import one\none.name",
    "from . import name", "STEP = 'one:name'", "def late():\n    from .one import name",
])  # fmt: skip
def test_every_way_to_read_a_name_is_found(reader):
    readers = {"engine/one.py": "name = 1", "engine/__init__.py": "from .one import name", "engine/two.py": reader}
    assert not unread({"engine/one.py": "name = 1"}, reads(readers, frozenset({"engine/__init__.py"})))


@pytest.mark.parametrize("source", ["name = 1\nTWICE = 2 * name", "def name(): ...\nCALLS = ('name',)", "_name = 1"])
def test_names_that_their_own_module_reads_are_read(source):
    module = {"engine/one.py": source}
    assert not any("name" in each for each in unread(module, reads(module, frozenset())))
