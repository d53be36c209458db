"""Keys: what changes the machine code changes them, and nothing else does."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections import namedtuple
from enum import IntEnum
from types import ModuleType

import numpy as np
import pytest
from numba import types

from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code.function_key import UnsayableError, entry_key, function_key

PLAIN = """
    GAIN = 2.0

    def helper(x):
        return GAIN * x

    def area(x, y=1.0):
        if x > 0.0:
            return helper(x) * y
        return 0.0
"""


def key_of(text: str, name: str = "area", file: str = "one.py", **globals_: object) -> str:
    """The key of a function in a module of this text."""
    space: dict[str, object] = {"__name__": "garden", **globals_}
    exec(compile(textwrap.dedent(text), file, "exec"), space)
    return function_key(space[name])


def test_comments_doc_strings_and_places_change_nothing():
    commented = PLAIN.replace("def helper(x):", "# why\n\n\n    def helper(x):  # what")
    documented = PLAIN.replace("def area(x, y=1.0):", 'def area(x, y=1.0):\n        """An area."""')
    other_words = documented.replace("An area.", "The area, in square units.")
    assert len({key_of(text) for text in (PLAIN, commented, documented, other_words)}) == 1
    assert key_of(PLAIN) == key_of(PLAIN, file="/somewhere/else/two.py")


def test_a_doc_string_changes_nothing_where_the_code_returns_nothing():
    """There the constant None changes its place in the code when a doc string comes or goes."""
    bare = "def area(x):\n    x[0] = 1.5\n"
    assert key_of(bare) == key_of('def area(x):\n    "Says something."\n    x[0] = 1.5\n')


@pytest.mark.parametrize("old, new", [
    ("GAIN = 2.0", "GAIN = 2.5"), ("GAIN * x", "GAIN + x"), ("y=1.0", "y=2.0"), ("x > 0.0", "x > 1.0"),
    ("x > 0.0", "x < 0.0"), ("return 0.0", "return -0.0"),
    ("GAIN = 2.0", "GAIN = 2"), ("return helper(x) * y", "return y * helper(x)"),
])  # fmt: skip
def test_what_is_compiled_in_changes_the_key(old, new):
    assert key_of(PLAIN) != key_of(PLAIN.replace(old, new))


def test_constants_beyond_the_first_256_count_too():
    many = "def area(x):\n" + "".join(f"    x += {k}.25\n" for k in range(400)) + "    return x\n"
    assert key_of(many) != key_of(many.replace("399.25", "399.5"))
    assert key_of(many) == key_of(many.replace("def area(x):\n", 'def area(x):\n    "doc"\n'))


def test_arrays_enums_and_attributes_of_modules_are_said():
    class Side(IntEnum):
        LEFT = 0

    class Other(IntEnum):
        LEFT = 1

    text = "def area(x):\n    return x * TABLE[0] + Side.LEFT + shapes.WIDTH\n"

    def key(table, side, width):
        shapes = ModuleType("shapes")
        shapes.WIDTH = width
        side.__qualname__ = "Side"
        return key_of(text, TABLE=np.array(table), Side=side, shapes=shapes)

    assert key([1.0, 2.0], Side, 3.0) == key([1.0, 2.0], Side, 3.0)
    assert len({key([1.0, 2.0], Side, 3.0), key([1.0, 2.5], Side, 3.0), key([1.0, 2.0], Other, 3.0),
                key([1.0, 2.0], Side, 3.5)}) == 4  # fmt: skip


def test_what_a_closure_holds_is_said():
    text = "def make(n):\n    def area(x):\n        return n * x\n    return area\nfirst, second = make(2.0), make(3.0)\n"
    assert key_of(text, "first") != key_of(text, "second")


def test_an_unknown_kind_of_global_is_named():
    class Strange:
        pass

    with pytest.raises(UnsayableError, match=r"garden\.area reads strange: a value of kind .*Strange"):
        key_of("def area(x):\n    return strange\n", strange=Strange())


def test_functions_that_call_each_other_and_themselves_have_keys():
    text = "def area(x):\n    return x if x < 1 else other(x)\ndef other(x):\n    return area(x - 1)\n"
    assert key_of(text) != key_of(text.replace("x - 1", "x - 2"))


def test_two_functions_of_one_name_in_one_kernel_are_refused():
    text = (
        "def make(n):\n    def part(x):\n        return n * x\n    return part\n"
        "a, b = make(2.0), make(3.0)\ndef area(x):\n    return a(x) + b(x)\n"
    )
    with pytest.raises(UnsayableError, match="both called"):
        key_of(text)


def plain(x):
    return x


def test_options_and_types_are_part_of_an_entry():
    keys = {entry_key(plain, options, types) for options in ({}, {"nogil": True}) for types in ("a", "b")}
    assert len(keys) == 4


def test_every_kernel_of_ours_has_a_key_of_its_own():
    """With no address in it: the same in another process."""
    script = (
        "import sys, hashlib\n"
        "from paludarium import World\n"
        "world = World(seed=1); world.require_family('myriapod'); world.picture\n"
        "from paludarium.engine.kernel import KERNELS\n"
        "from paludarium.engine.machine_code.function_key import function_key\n"
        "keys = [function_key(one.py_func) for one in KERNELS]\n"
        "assert len(set(keys)) == len(keys) > 400, len(keys)\n"
        "print(hashlib.sha256(''.join(sorted(keys)).encode()).hexdigest())\n"
    )
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout != ""


def test_a_callee_that_becomes_part_of_its_callers_changes_their_keys():
    text = PLAIN.replace("def helper", "@kernel(**options)\n    def helper")
    plain, inlined = (key_of(text, kernel=kernel, options=options) for options in ({}, {"inline": True}))
    assert plain != inlined


def test_fields_of_records_among_the_arguments_are_said():
    """numba calls both `Pair(float64 x 2)`, and a kernel that reads `pair.a` does not mention the class."""

    def area(pair):
        return pair.a

    def key(*fields, within=False):
        kind = types.NamedUniTuple(types.float64, 2, namedtuple("Pair", fields))
        return entry_key(area, {}, [types.Tuple((types.int64, kind)) if within else kind])

    assert key("a", "b") == key("a", "b")
    assert len({key("a", "b"), key("b", "a"), key("a", "b", within=True), key("b", "a", within=True)}) == 4
