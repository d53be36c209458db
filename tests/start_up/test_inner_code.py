"""Inner kernels: no machine code of their own, no version per literal, and the same results as numba's own way."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba import prange

from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code import inner_code, kernel_dispatcher
from paludarium.engine.machine_code.inner_code import InnerLibrary, is_lean


@kernel()
def scaled(values, factor):
    out = np.empty_like(values)
    for i in range(values.size):
        out[i] = values[i] * factor
    return out


@kernel()
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@kernel()
def chosen(kind, x):
    return x if kind == 0 else 2.0 * x if kind == 1 else 3.0 * x


@kernel()
def by_number(x):
    return chosen(0, x) + chosen(1, x) + chosen(2, x) + factorial(4)


@kernel(parallel=True)
def sums(values, out):
    for i in prange(values.size):
        out[i] = scaled(values[i : i + 1], 2)[0] + chosen(1, values[i])


@kernel()
def first_of_three(values):
    if values.size < 3:
        raise ValueError("three are needed")
    return values[0]


@kernel()
def first(values):
    return first_of_three(values)


lean = pytest.mark.skipif(not is_lean(), reason="this version of numba is not among those tested")


def test_the_version_that_the_project_pins_is_among_those_tested():
    """Fails when `python3 dev pin` brings a numba that nobody looked at: see docs/start-up.md."""
    assert is_lean()


@lean
def test_inner_kernels_have_no_machine_code_and_one_version_for_all_whole_numbers():
    def either(kind, x):
        return x if kind == 0 else 2.0 * x

    either = kernel()(either)

    @kernel()
    def both(x):
        return either(0, x) + either(1, x)

    both._cache.disable()  # it is to be compiled here, whatever is kept
    assert both(1.0) == 3.0
    assert either.signatures == []
    assert len(either.inner.signatures) == 1
    (result,) = either.inner.overloads.values()
    assert isinstance(result.library, InnerLibrary)
    assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0


def test_a_kernel_that_kernels_call_can_be_called_from_python_too():
    assert by_number(1.0) == 30.0
    assert chosen(2, 2.0) == 6.0
    assert factorial(5) == 120


def test_parallel_loops_and_arrays_that_are_made_inside():
    out = np.zeros(100)
    sums(np.arange(100.0), out)
    np.testing.assert_array_equal(out, 4.0 * np.arange(100.0))


def test_errors_of_inner_kernels_arrive():
    with pytest.raises(ValueError, match="three are needed"):
        first(np.zeros(2))
    assert first(np.ones(3)) == 1.0


def test_a_hosts_own_compiled_function_links_with_ours():
    @numba.njit
    def host(values):
        return scaled(values, 3.0).sum() + factorial(3)

    assert host(np.arange(4.0)) == 24.0


def test_a_mods_kernel_links_with_kernels_that_came_from_the_pack():
    """In a process of its own, in which the kernel was called from Python first, so that it has no code to link with."""
    script = (
        "import numpy as np\n"
        "from paludarium import World\n"
        "from paludarium.engine.creature import CreaturePool\n"
        "from paludarium.engine.kernel import kernel\n"
        "from paludarium.systems.orders.orders_kernel import forget_the_gone\n"
        "pool = CreaturePool(); pool.claim(1, owner=1)\n"
        "forget_the_gone(pool.spans[:, 0], pool)\n"
        "@kernel()\n"
        "def mine(rows, creatures):\n"
        "    forget_the_gone(rows, creatures)\n"
        "    return rows.size\n"
        "print(mine(pool.spans[:, 0], pool))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.stdout.strip() == "1", done.stderr


def test_numbas_own_way_gives_the_same(monkeypatch):
    def shape(x, y):
        return np.sqrt(x * x + y * y) / (1.0 + x)

    short = kernel()(shape)
    points = np.random.default_rng(3).uniform(0.0, 10.0, (500, 2))
    lean_values = [short(x, y) for x, y in points]
    monkeypatch.setattr(kernel_dispatcher, "is_lean", lambda: False)
    long = kernel()(shape)
    long._cache.disable()

    @kernel()
    def calls(x, y):
        return long(x, y)

    calls._cache.disable()
    assert [calls(x, y) for x, y in points] == lean_values
    assert len(long.inner.signatures) == 1
    assert not isinstance(next(iter(long.inner.overloads.values())).library, InnerLibrary)


def test_the_hosts_numba_is_left_as_it_is():
    """Numbers of symbols, libraries and passes are numba's own again when our kernels are compiled."""
    from numba.core.bytecode import FunctionIdentity
    from numba.core.codegen import JITCodeLibrary
    from numba.core.registry import cpu_target

    assert by_number(2.0) == 36.0
    assert not isinstance(FunctionIdentity._unique_ids, inner_code._Numbers)
    assert cpu_target.target_context.codegen()._library_class is JITCodeLibrary

    @numba.njit
    def host(x):
        return x + 1.0

    host(1.0)
    assert type(host).__name__ == "CPUDispatcher"
    (result,) = host.overloads.values()
    assert type(result.library) is JITCodeLibrary


def test_importing_us_sets_nothing_for_the_hosts_numba():
    script = (
        "import os, numba\n"
        "def settings():\n"
        "    asked = {name: value for name, value in os.environ.items() if name.startswith('NUMBA')}\n"
        "    return asked, {name: str(value) for name, value in vars(numba.config).items() if name.isupper()}\n"
        "before = settings()\n"
        "from paludarium import World\n"
        "World(seed=1).spawn('pauropod')\n"
        "assert settings() == before\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
