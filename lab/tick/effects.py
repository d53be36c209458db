"""Which columns a step of the tick reads and writes, found in the source of its system, its kernels and all they call.

Types come from annotations and from what constructors assign, so a kernel's `segments: SegmentPool` is enough. Each body is
read once from top to bottom, both ways of every branch: what is found may happen, in some tick of some world.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ...systems.tick import MODES
from .source import Found, FunctionNode, columns_of, find, is_pool, method_of, module_of

BRAINS = "brain.system:BrainSystem"
WORLD = "paludarium.engine.world.World"
ASKED_BY_TYPE = ("pool", "resource", "add_pool")
"""Calls of the world that return what their argument names."""
NAMED_COLUMN = ("view", "live")
"""Calls of a pool that return the column that their last argument names."""
CHANGING = ("fill", "sort", "put")
"""Methods that write into their array."""
SAME_RECORD = ("packed", "repacked")
"""Functions that return the record that they are given."""
Effect = tuple[str, str]
"""Pool and column."""


@dataclass(frozen=True)
class Thing:
    """An object of one of our classes."""

    kind: Found


@dataclass(frozen=True)
class Column:
    """A column of a pool, or rows of it."""

    effect: Effect


@dataclass(frozen=True)
class Argument:
    """An array that the caller handed in."""

    name: str


@dataclass(frozen=True)
class Scratch:
    """A pool that was made for a calculation beside the world: what happens to it is no effect of the step."""

    kind: Found


@dataclass(frozen=True)
class Code:
    """One of some functions."""

    functions: tuple[Found, ...]


Type = Thing | Scratch | Column | Argument | Code | tuple["Type", ...] | None


@dataclass
class Effects:
    """What a function reads and writes: columns of pools, and which of its arguments."""

    reads: set[Effect] = field(default_factory=set)
    writes: set[Effect] = field(default_factory=set)
    writes_to: set[str] = field(default_factory=set)


def effects_of(place: str) -> Effects:
    """The effects of a system's `process`, by ``module:Class`` below the package's systems.

    BrainSystem asks all modes, so what they do is its effect, too.
    """
    reader = Reader()
    effects = reader.effects(*_method(place, "process"))
    if place == BRAINS:
        for mode in MODES:
            for name in ("is_on", "decide"):
                of_mode = reader.effects(*_method(mode.place, name))
                effects = Effects(effects.reads | of_mode.reads, effects.writes | of_mode.writes)
    return effects


def _method(place: str, name: str) -> tuple[Found, Found]:
    """A method of a class that a row of the tick names, and the class."""
    module, _, kind = place.partition(":")
    there = module_of(f"paludarium.systems.{module}")
    assert there is not None, place
    owner = Found(there, there.classes[kind])
    method = method_of(owner, name)
    assert method is not None, place
    return method, owner


class Reader:
    """Reads functions and remembers what it found in each."""

    def __init__(self) -> None:
        self._known: dict[tuple[ast.AST, ast.AST | None], Effects] = {}
        self._attributes: dict[ast.AST, dict[str, Type]] = {}
        self._under_way: set[ast.AST] = set()

    def effects(self, function: Found, owner: Found | None = None) -> Effects:
        """The effects of a function, or of a method of the class `owner`."""
        key = (function.node, None if owner is None else owner.node)
        if key not in self._known:
            self._known[key] = Effects()  # what a function finds of itself while it is being read adds nothing
            body = Body(self, function, owner)
            body.read(function.node.body)
            self._known[key] = body.effects
        return self._known[key]

    def attribute(self, kind: Found, name: str) -> Type:
        """What ``object.name`` is: a column, a field, a property, or what a constructor assigned."""
        assert isinstance(kind.node, ast.ClassDef)
        if name in columns_of(kind):
            return Column((kind.node.name, name))
        for node in kind.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
                return annotated(kind, node.annotation)
        method = method_of(kind, name)
        if method is not None:
            assert isinstance(method.node, FunctionNode)
            return annotated(method, method.node.returns)
        return self._assigned(kind).get(name)

    def _assigned(self, kind: Found) -> dict[str, Type]:
        """What `__init__` assigns to names of `self`."""
        if kind.node not in self._attributes:
            self._attributes[kind.node] = {}
            built = method_of(kind, "__init__")
            if built is not None and built.node not in self._under_way:
                self._under_way.add(built.node)
                body = Body(self, built, kind)
                assert isinstance(built.node, FunctionNode)
                body.read(built.node.body)
                self._attributes[kind.node] = body.own
        return self._attributes[kind.node]


class Body:
    """One function while it is being read."""

    def __init__(self, reader: Reader, function: Found, owner: Found | None) -> None:
        assert isinstance(function.node, FunctionNode)
        self.reader, self.function, self.owner, self.effects = reader, function, owner, Effects()
        self.own: dict[str, Type] = {}
        """Attributes of `self` that were assigned here."""
        self.names: dict[str, Type] = {}
        for argument in (*function.node.args.args, *function.node.args.kwonlyargs):
            known = annotated(function, argument.annotation)
            self.names[argument.arg] = Argument(argument.arg) if known is None else known
        if owner is not None:
            self.names[function.node.args.args[0].arg] = Thing(owner)

    def read(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            value = self._type(node.value)
            for target in node.targets:
                self._assign(target, value)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign):
            value = self._type(node.value) if node.value is not None else None
            if isinstance(node, ast.AugAssign):
                self._type(node.target)
            elif value is None:
                value = annotated(self.function, node.annotation)
            self._assign(node.target, value)
        elif isinstance(node, ast.For):
            items = self._type(node.iter)
            self._assign(node.target, item_of(items))
        elif isinstance(node, FunctionNode | ast.ClassDef | ast.Import | ast.ImportFrom):
            return
        for name, child in ast.iter_fields(node):
            if name in ("body", "orelse", "finalbody"):
                self.read(child)
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For):
                continue
            elif isinstance(child, ast.expr):
                self._type(child)
            elif isinstance(child, list):
                self._parts(child)

    def _parts(self, nodes: list[ast.AST]) -> None:
        """Context managers, handlers of exceptions, cases, and what `del` takes."""
        for node in nodes:
            if isinstance(node, ast.expr):
                self._type(node)
            elif isinstance(node, ast.withitem):
                self._type(node.context_expr)
            elif isinstance(node, ast.ExceptHandler | ast.match_case):
                self.read(node.body)

    def _assign(self, target: ast.expr, value: Type) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            values = value if isinstance(value, tuple) and len(value) == len(target.elts) else (None,) * len(target.elts)
            for part, known in zip(target.elts, values, strict=True):
                self._assign(part, known)
        elif isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Subscript):
            self._type(target.slice)
            self._write(self._type(target.value, read=False))
        elif isinstance(target, ast.Attribute) and self._type(target.value) == Thing(self.owner or self.function):
            self.own[target.attr] = value

    def _write(self, known: Type) -> None:
        if isinstance(known, Column):
            self.effects.writes.add(known.effect)
        elif isinstance(known, Argument):
            self.effects.writes_to.add(known.name)

    def _type(self, node: ast.expr, *, read: bool = True) -> Type:
        """What an expression is; whatever it reads is noted."""
        match node:
            case ast.Name():
                return self.names[node.id] if node.id in self.names else self._function(node.id)
            case ast.Attribute():
                return self._attribute(node, read)
            case ast.Subscript():
                self._type(node.slice)
                known = self._type(node.value, read=read)
                return known if isinstance(known, Column | Argument) else None
            case ast.Tuple() | ast.List():
                return tuple(self._type(part) for part in node.elts)
            case ast.Call():
                return self._call(node)
            case ast.IfExp():
                self._type(node.test)
                first, second = self._type(node.body), self._type(node.orelse)
                return second if first is None else first
            case ast.NamedExpr():
                self._assign(node.target, known := self._type(node.value))
                return known
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                return self._comprehension(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._type(child)
        return None

    def _function(self, name: str) -> Type:
        found = find(self.function.module, name)
        return Code((found,)) if found is not None and isinstance(found.node, FunctionNode) else None

    def _comprehension(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp) -> Type:
        for part in node.generators:
            items = self._type(part.iter)
            self._assign(part.target, item_of(items))
            for test in part.ifs:
                self._type(test)
        if isinstance(node, ast.DictComp):
            self._type(node.key)
            self._type(node.value)
            return None
        return (self._type(node.elt),)

    def _attribute(self, node: ast.Attribute, read: bool) -> Type:
        base = self._type(node.value)
        if not isinstance(base, Thing):
            return base if isinstance(base, Column | Argument) and node.attr in ("T", "flat") else None
        known = self.own.get(node.attr) if base == Thing(self.owner or self.function) else None
        known = self.reader.attribute(base.kind, node.attr) if known is None else known
        if isinstance(known, Column) and read and known.effect[0] != "Pool":  # any pool is none in particular
            self.effects.reads.add(known.effect)
        self._property(base.kind, node.attr)
        return base if node.attr == "bundle" and is_pool(base.kind) else known

    def _property(self, kind: Found, name: str) -> None:
        """Reading a property runs it."""
        method = method_of(kind, name) if isinstance(kind.node, ast.ClassDef) else None
        marks = [] if method is None else method.node.decorator_list
        if method is not None and any(isinstance(mark, ast.Name) and mark.id == "property" for mark in marks):
            self._take_over(self.reader.effects(method, kind), {})

    def _call(self, node: ast.Call) -> Type:
        given = self._given(node.args)
        named = {word.arg: self._type(word.value) for word in node.keywords if word.arg}
        if "out" in named:
            self._write(named["out"])
        asked = node.func
        if isinstance(asked, ast.Attribute):
            base = self._type(asked.value)
            if isinstance(base, Thing):
                return self._method(base.kind, asked.attr, node, given, named)
            if asked.attr in CHANGING:
                self._write(base)
            return base if isinstance(base, Column | Argument) and asked.attr in ("reshape", "view", "ravel") else None
        known = self._type(asked)
        if isinstance(known, Code):
            return self._functions(known, given, named)
        if not isinstance(asked, ast.Name):
            return None
        found = find(self.function.module, asked.id)
        if asked.id == "zip":
            return (tuple(item_of(items) for items in given),)
        if found is None:
            return None
        return Scratch(found) if is_pool(found) else Thing(found)

    def _given(self, arguments: list[ast.expr]) -> list[Type]:
        """What the arguments of a call are; ``*pools`` are as many as there are."""
        given: list[Type] = []
        for argument in arguments:
            known = self._type(argument.value if isinstance(argument, ast.Starred) else argument)
            given += known if isinstance(argument, ast.Starred) and isinstance(known, tuple) else [known]
        return given

    def _functions(self, code: Code, given: list[Type], named: dict[str, Type]) -> Type:
        """Call any of some functions."""
        for found in code.functions:
            self._run(found, None, given, named)
        last = code.functions[-1]
        assert isinstance(last.node, FunctionNode)
        return given[-1] if last.node.name in SAME_RECORD and given else annotated(last, last.node.returns)

    def _method(self, kind: Found, name: str, node: ast.Call, given: list[Type], named: dict[str, Type]) -> Type:
        first = node.args[0] if node.args else None
        if kind.name == WORLD and name in ASKED_BY_TYPE and isinstance(first, ast.Name):
            asked = find(self.function.module, first.id)
            return None if asked is None else Thing(asked)
        if name in NAMED_COLUMN and is_pool(kind) and isinstance(node.args[-1], ast.Constant):
            known = self.reader.attribute(kind, str(node.args[-1].value))
            if isinstance(known, Column):
                self.effects.reads.add(known.effect)
            return known
        method = method_of(kind, name) if isinstance(kind.node, ast.ClassDef) else None
        if method is None or is_pool(kind):
            return None
        assert isinstance(method.node, FunctionNode)
        self._run(method, kind, given, named)
        return annotated(method, method.node.returns)

    def _run(self, found: Found, owner: Found | None, given: list[Type], named: dict[str, Type]) -> None:
        assert isinstance(found.node, FunctionNode)
        words = [argument.arg for argument in found.node.args.args][owner is not None :]
        self._take_over(self.reader.effects(found, owner), {**dict(zip(words, given, strict=False)), **named})

    def _take_over(self, other: Effects, given: dict[str, Type]) -> None:
        scratch = {known.kind.node.name for known in given.values() if isinstance(known, Scratch)}
        self.effects.reads |= {effect for effect in other.reads if effect[0] not in scratch}
        self.effects.writes |= {effect for effect in other.writes if effect[0] not in scratch}
        for name in other.writes_to:
            self._write(given.get(name))


def item_of(items: Type) -> Type:
    """What a loop over something gets each time: of functions any one of them, otherwise as the first."""
    if not isinstance(items, tuple) or not items:
        return None
    codes = [item for item in items if isinstance(item, Code)]
    return Code(tuple(found for code in codes for found in code.functions)) if len(codes) == len(items) else items[0]


def annotated(where: Found, annotation: ast.expr | None) -> Type:
    """The class that an annotation names, if it is ours; of tuples, those of the parts."""
    match annotation:
        case ast.Name():
            found = find(where.module, annotation.id)
            ours = found is not None and isinstance(found.node, ast.ClassDef) and found.node.name != "Array"
            return Thing(found) if found is not None and ours else None
        case ast.Constant(value=str(text)):
            return annotated(where, ast.parse(text, mode="eval").body)
        case ast.BinOp():
            left = annotated(where, annotation.left)
            return annotated(where, annotation.right) if left is None else left
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            return tuple(annotated(where, part) for part in parts)
    return None
