"""Write into kernels what the compiler knows of them: annotations, typed casts, and the imports that they need.

Run it after `infer.py`. It changes only what differs, so it can be run again on any tree.

    python -m paludarium.tests.types.annotate types.json              # all kernels
    python -m paludarium.tests.types.annotate types.json --check      # only tell which annotations differ
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paludarium.tests.types.by_hand import BY_HAND
from paludarium.tests.types.sources import ROOT, Module, imported_kernels, read_modules, relative
from paludarium.tests.types.words import Words

WIDTH = 125
IGNORED = "# mypy: ignore-errors\n"
KERNEL_TYPES = "paludarium.engine.kernel_types"
CASTS = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)} | {"float32", "float64"}
ALIASES = {"Array", "Four", "Numbers", "Vector"}
"""Names of `kernel_types` that annotations are made of."""
ARRAY_WORDS = {"size", "shape", "ndim", "T", "dtype", "flat", "copy", "fill", "reshape", "view", "sum", "min", "max"}


@dataclass
class Signature:
    """Annotations of one kernel: a text for each argument and for what it returns."""

    arguments: list[str]
    returns: str
    guessed: bool = False


# -- what is known ---------------------------------------


class Known:
    """Annotations for all kernels: by the compiler where it has met them, else by their names and columns."""

    def __init__(self, modules: dict[str, Module], inferred: dict[str, list[Any]]) -> None:
        self.modules, self.words = modules, Words(modules)
        self.signatures: dict[str, Signature] = {}
        kernels = {f"{module.name}.{node.name}": node for module in modules.values() for node in module.kernels}
        for name, node in kernels.items():
            versions = [each for each in inferred.get(name, ()) if len(each[0]) == len(node.args.args)]
            if versions:
                texts = [self.words.joined([version[0][i] for version in versions]) for i in range(len(node.args.args))]
                self.signatures[name] = Signature(texts, self.words.joined([version[1] for version in versions]))
        self._votes = self._count(kernels)
        met = set(self.signatures)
        for module in modules.values():
            for node in module.kernels:
                if f"{module.name}.{node.name}" not in met:
                    self.signatures[f"{module.name}.{node.name}"] = self._guess(module, node)
        for name, said in BY_HAND.items():
            self._overrule(name, kernels.get(name), said)

    def _overrule(self, name: str, node: ast.FunctionDef | None, said: dict[str, str]) -> None:
        if node is None:
            raise SystemExit(f"by_hand.py tells of {name}, which is no kernel")
        names = [each.arg for each in node.args.args]
        for argument, text in said.items():
            if argument == "return":
                self.signatures[name].returns = text
            else:
                self.signatures[name].arguments[names.index(argument)] = text

    def _count(self, kernels: dict[str, ast.FunctionDef]) -> dict[str, Counter[tuple[str, str]]]:
        """Per name of an argument: how often it is what, in which folder."""
        votes: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        for name, signature in self.signatures.items():
            folder = name.rsplit(".", 2)[0]
            for argument, text in zip(kernels[name].args.args, signature.arguments, strict=True):
                votes[argument.arg][folder, text] += 1
        return votes

    def _guess(self, module: Module, node: ast.FunctionDef) -> Signature:
        """What is written already; else what kernels want that are handed the argument; else what its name says."""
        read, handed = _attributes(node), self._handed_on(module, node)
        arguments = []
        for each in node.args.args:
            said = ast.unparse(each.annotation) if each.annotation is not None else handed.get(each.arg)
            arguments.append(said or self._guess_one(each.arg, read[each.arg], _is_indexed(node, each.arg), module.package))
        returns = "Any" if any(isinstance(each, ast.Return) and each.value for each in ast.walk(node)) else "None"
        return Signature(arguments, ast.unparse(node.returns) if node.returns is not None else returns, guessed=True)

    def _handed_on(self, module: Module, node: ast.FunctionDef) -> dict[str, str]:
        """Per argument that is handed to a kernel whose types are known: what it is there."""
        homes = imported_kernels(module)
        found: dict[str, str] = {}
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                wanted = self.signatures.get(homes.get(call.func.id, f"{module.name}.{call.func.id}"))
                for place, each in enumerate(call.args):
                    if wanted is not None and isinstance(each, ast.Name) and place < len(wanted.arguments):
                        found[each.id] = wanted.arguments[place]
        return found

    def _guess_one(self, argument: str, read: set[str], indexed: bool, folder: str) -> str:
        """What arguments of this name are elsewhere, nearest folder first, if it has what is read of it here."""
        votes = self._votes.get(argument, Counter())
        ordered = sorted(votes, key=lambda each: (-_nearness(each[0], folder), -votes[each], each))
        for _, text in ordered:
            if indexed and text in ("int", "float", "bool"):
                continue
            fields = self.words.fields.get(text)
            if (fields is None and not read - ARRAY_WORDS) or (fields is not None and read <= fields):
                return text
        fitting = [kind for kind, fields in self.words.fields.items() if read - ARRAY_WORDS and read <= fields]
        is_array = indexed or (read and not read - ARRAY_WORDS)
        return fitting[0] if len(fitting) == 1 else "Array" if is_array else "Any"


def _nearness(folder: str, other: str) -> int:
    """How many parts of their names two folders share."""
    pairs = zip(folder.split("."), other.split("."), strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(folder.count("."), other.count(".")) + 1)


def _is_indexed(node: ast.FunctionDef, argument: str) -> bool:
    """Whether elements of an argument are read or written."""
    return any(isinstance(each, ast.Subscript) and getattr(each.value, "id", "") == argument for each in ast.walk(node))


def _attributes(node: ast.FunctionDef) -> dict[str, set[str]]:
    """What is read by name from each argument."""
    read: dict[str, set[str]] = {each.arg: set() for each in node.args.args}
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id in read:
            read[each.value.id].add(each.attr)
    return read


# -- how it is written ---------------------------------------


def signature_lines(node: ast.FunctionDef, signature: Signature, comment: str) -> list[str]:
    """The head of a function, in lines that are filled."""
    pieces = [f"{each.arg}: {text}" for each, text in zip(node.args.args, signature.arguments, strict=True)]
    begin, end = f"def {node.name}(", f") -> {signature.returns}:"
    whole = begin + ", ".join(pieces) + end
    if len(whole) + len(comment) <= WIDTH:
        return [whole + comment]
    skip = "  # fmt: skip"
    allowed = re.search(r"# noqa: \w+", comment)  # a linter wants it in every line
    tail = f"  {allowed.group()}" if allowed else ""
    lines, line, indent = [], begin, " " * len(begin)
    for i, piece in enumerate(pieces):
        last = i == len(pieces) - 1
        room = WIDTH - (len(end) + len(comment) + len(skip) if last else 1 + len(tail))
        joined = line + piece if line in (begin, indent) else f"{line} {piece}"
        if len(joined) > room and line not in (begin, indent):
            lines.append(line + tail)
            joined = indent + piece
        line = joined + ("" if last else ",")
    if len(line + end + skip + comment) > WIDTH:
        return [*lines, f"{line},{tail}", indent[:-4] + end + skip + comment]
    return [*lines, line + end + skip + comment]


def needed_names(signature: Signature) -> set[str]:
    """All names in the annotations."""
    return {word for text in (*signature.arguments, signature.returns) for word in re.findall(r"[A-Za-z_]\w*", text)}


@dataclass
class Rewriting:
    """One module on its way."""

    module: Module
    known: Known
    names: set[str] = field(default_factory=set)

    def text(self) -> str:
        """The module as it should be, but for the order of its imports."""
        module = self.module
        lines = module.text.split("\n")
        for node in sorted(module.kernels, key=lambda each: -each.lineno):
            signature = self.known.signatures[f"{module.name}.{node.name}"]
            self.names |= needed_names(signature)
            first, last = node.lineno - 1, node.body[0].lineno - 2
            while not re.search(r":(\s*#.*)?$", lines[last]):  # blank lines and comments between head and body
                last -= 1
            comment = re.search(r":(\s*#.*)?$", lines[last]).group(1) or ""  # type: ignore[union-attr]
            comment = comment.replace("  # fmt: skip", "")
            lines[first : last + 1] = signature_lines(node, signature, comment)
        text = "\n".join(lines).replace(IGNORED, "", 1)
        text = self._with_casts(text)
        return self._with_imports(text)

    def _with_casts(self, text: str) -> str:
        """Casts by typed names. A cast of which a method is called stays numpy's own: no number has one."""
        text = text.replace("from numpy import float32 as f32\n", f"from {self._near(KERNEL_TYPES)} import float32 as f32\n")
        lines, places = text.split("\n"), []
        tree = ast.parse(text)
        methods = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        casts = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_numpy_cast(node.func) and id(node) not in methods:
                places.append((node.func.lineno, node.func.col_offset, node.func.end_col_offset, node.func.attr))  # type: ignore[attr-defined]
                casts.add(node.func.attr)  # type: ignore[attr-defined]
            elif isinstance(node, ast.Call) and id(node) in methods and getattr(node.func, "id", "") == "f32":
                places.append((node.func.lineno, node.func.col_offset, node.func.end_col_offset, "np.float32"))
        for line, start, stop, name in sorted(places, reverse=True):
            raw = lines[line - 1].encode()
            lines[line - 1] = (raw[:start] + name.encode() + raw[stop:]).decode()
        text = "\n".join(lines)
        if any(name == "np.float32" for *_, name in places) and not re.search(r"^import numpy as np$", text, re.MULTILINE):
            text = _after_future(text, "import numpy as np")
        if casts:
            text = _after_future(text, f"from {self._near(KERNEL_TYPES)} import {', '.join(sorted(casts))}")
        return text

    def _with_imports(self, text: str) -> str:
        """Names of annotations, imported where only type checkers look."""
        tree = ast.parse(text)
        bound = _bound_names(tree)
        lines: list[str] = []
        for name in sorted(self.names - bound):
            if name == "Any":
                text = _after_future(text, "from typing import Any")
            elif name in ALIASES:
                lines.append(f"    from {self._near(KERNEL_TYPES)} import {name}")
            elif name in self.known.words.homes:
                lines.append(f"    from {self._near(self.known.words.homes[name])} import {name}")
        if not lines:
            return text
        if "TYPE_CHECKING" not in bound:
            text = _after_future(text, "from typing import TYPE_CHECKING")
        return _in_checking_block(text, lines)

    def _near(self, name: str) -> str:
        return relative(self.module, name)


def _is_numpy_cast(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "np" and node.attr in CASTS


def _after_future(text: str, line: str) -> str:
    mark = "from __future__ import annotations\n"
    return text.replace(mark, f"{mark}\n{line}\n", 1)


def _bound_names(tree: ast.Module) -> set[str]:
    """Names that a module has already: imported, for type checkers too, or its own."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {each.asname or each.name for each in node.names}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return found


def _in_checking_block(text: str, new: list[str]) -> str:
    tree, lines = ast.parse(text), text.split("\n")
    for node in tree.body:
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            lines[node.body[0].lineno - 1 : node.body[0].lineno - 1] = new
            return "\n".join(lines)
    last = max(node.end_lineno or 1 for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    lines[last:last] = ["", "if TYPE_CHECKING:", *new]
    return "\n".join(lines)


# -- all of it ---------------------------------------


def differences(known: Known) -> list[str]:
    """Kernels whose annotations are not what the compiler found, with place."""
    told = []
    for module in known.modules.values():
        for node in module.kernels:
            signature = known.signatures[f"{module.name}.{node.name}"]
            if signature.guessed:
                continue
            said_of = [(each.arg, each.annotation) for each in node.args.args] + [("return", node.returns)]
            wanted = [*signature.arguments, signature.returns]
            for (name, annotation), text in zip(said_of, wanted, strict=True):
                if annotation is None or ast.unparse(annotation) != ast.unparse(ast.parse(text, mode="eval").body):
                    said = "nothing" if annotation is None else ast.unparse(annotation)
                    place = f"{module.path.relative_to(ROOT)}:{node.lineno}"
                    told.append(f"{place}: {node.name}, {name}: {said}, but it is {text}")
    return told


def tidy(files: list[Path]) -> None:
    """Imports in order, without those that nothing needs any more."""
    command = [sys.executable, "-m", "ruff", "check", "--quiet", "--fix", "--select", "I001,F401", *map(str, files)]
    subprocess.run(command, cwd=ROOT, check=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("types", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing")
    chosen = parser.parse_args()
    inferred = json.loads(chosen.types.read_text(encoding="utf-8"))["kernels"]
    known = Known(read_modules(), inferred)
    told = differences(known)
    if chosen.check:
        print("\n".join(told) or "all annotations are what the compiler finds")
        raise SystemExit(bool(told))
    changed = []
    for module in known.modules.values():
        if module.kernels or "from numpy import float32 as f32" in module.text:
            text = Rewriting(module, known).text()
            if text != module.text:
                module.path.write_text(text, encoding="utf-8")
                changed.append(module.path)
    if changed:
        tidy(changed)
    guessed = sum(each.guessed for each in known.signatures.values())
    print(f"{len(known.signatures)} kernels, {guessed} of them by name; {len(changed)} files written")


if __name__ == "__main__":
    main()
