"""Which columns a step of the tick reads and writes, found in the source of its system, its kernels and all they call.

Types come from annotations and from what constructors assign, so a kernel's `segments: SegmentPool` is enough. Each body is
read once from top to bottom, both ways of every branch: what is found may happen, in some tick of some world.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache

from ...systems.tick import FAMILIES, MODES, Step
from .registered import family_functions, verbs
from .source import Found, FunctionNode, by_position, columns_of, find, is_pool, is_static, method_of, module_of, setter_of
from .values import Argument, Code, Column, Effect, Items, Scratch, Thing, Type, annotated, item_of, with_scratch

BRAINS = "brain.system:BrainSystem"
WORLD = "paludarium.engine.world.World"
CREATURE, FAMILY = "paludarium.engine.creature.Creature", "paludarium.engine.families.Family"
ASKED_BY_TYPE = ("pool", "resource", "add_pool")
"""Calls of the world that return what their argument names."""
NAMED_COLUMN = ("view", "live")
"""Calls of a pool that return the column that their last argument names."""
CHANGING = ("fill", "sort", "put")
"""Methods that write into their array."""
SAME_RECORD = ("packed", "repacked")
"""Functions that return the record that they are given."""
MENDING = "make_finite"
"""The call of a pool that puts 0 in place of invalid numbers, in any of its columns."""
INVALID = "invalid numbers"
"""What stands for the columns that `MENDING` writes."""


@dataclass
class Effects:
    """What a function reads and writes: columns of pools, and which of its arguments."""

    reads: set[Effect] = field(default_factory=set)
    writes: set[Effect] = field(default_factory=set)
    writes_to: set[str] = field(default_factory=set)
    returns: Type = None


@cache
def effects_of(step: Step) -> Effects:
    """The effects of a step's system. BrainSystem asks all modes, so what they do is its effect, too.

    The animals in the step of a family are of that family: of what families do each in its own way, only its own counts.
    """
    reader = Reader(step.whose if step.whose in FAMILIES else None)
    effects = reader.effects(*_method(step.place, "process"))
    if step.place == BRAINS:
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

    def __init__(self, family: str | None = None) -> None:
        self.family = family
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
            body.effects.returns = body.returned
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
        self.returned: Type = None
        self.names: dict[str, Type] = {}
        for argument in (*by_position(function), *function.node.args.kwonlyargs):
            known = annotated(function, argument.annotation)
            self.names[argument.arg] = Argument(argument.arg) if known is None else known
        if owner is not None and not is_static(function):
            self.names[by_position(function)[0].arg] = Thing(owner)

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
        elif isinstance(node, ast.Return) and node.value is not None:
            self.returned = with_scratch(self.returned, self._type(node.value))
            return
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
        elif isinstance(target, ast.Attribute):
            base = self._type(target.value)
            if base == Thing(self.owner or self.function):
                self.own[target.attr] = value
            elif isinstance(base, Thing) and isinstance(base.kind.node, ast.ClassDef):
                setter = setter_of(base.kind, target.attr)
                if setter is not None:
                    self._run(setter, base.kind, [value], {})

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
                return known.each if isinstance(known, Items) else known if isinstance(known, Column | Argument) else None
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
            if isinstance(base, Items):
                return {"get": base.each, "pop": base.each, "values": (base.each,)}.get(asked.attr)
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
        returned = [self._run(found, None, given, named) for found in code.functions]
        last = code.functions[-1]
        assert isinstance(last.node, FunctionNode)
        return given[-1] if last.node.name in SAME_RECORD and given else returned[-1]

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
        if kind.name == FAMILY:
            handed_in = family_functions(name, self.reader.family)
            return self._functions(Code(handed_in), given, named) if handed_in else None
        if name == MENDING and is_pool(kind):
            self.effects.writes.add((kind.node.name, INVALID))
        method = method_of(kind, name) if isinstance(kind.node, ast.ClassDef) else None
        if method is None and kind.name == CREATURE and name in verbs():
            return self._run(verbs()[name], None, [Thing(kind), *given], named)
        return None if method is None or is_pool(kind) else self._run(method, kind, given, named)

    def _run(self, found: Found, owner: Found | None, given: list[Type], named: dict[str, Type]) -> Type:
        """Take over what a function does, and return what it returns."""
        assert isinstance(found.node, FunctionNode)
        words = [argument.arg for argument in by_position(found)][owner is not None and not is_static(found) :]
        effects = self.reader.effects(found, owner)
        self._take_over(effects, {**dict(zip(words, given, strict=False)), **named})
        return with_scratch(annotated(found, found.node.returns), effects.returns)

    def _take_over(self, other: Effects, given: dict[str, Type]) -> None:
        scratch = {known.kind.node.name for known in given.values() if isinstance(known, Scratch)}
        self.effects.reads |= {effect for effect in other.reads if effect[0] not in scratch}
        self.effects.writes |= {effect for effect in other.writes if effect[0] not in scratch}
        for name in other.writes_to:
            self._write(given.get(name))
