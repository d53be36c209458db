"""Nobody waits in silence: one line by default, one hook for hosts."""

from __future__ import annotations

import os
import subprocess
import sys

BEGIN = """
import sys, paludarium
from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code import compile_news
@kernel()
def add_one(x):
    return x + 1.0
@kernel()
def add_two(x):
    return add_one(add_one(x))
"""


def run(code: str, tmp_path) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", BEGIN + code], capture_output=True, text=True, env=settings, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_after_a_second_one_line_says_what_happens_and_that_it_happens_once(tmp_path):
    done = run("compile_news.PATIENCE = 0.0\nadd_two(1.0)\nadd_one(1.0)", tmp_path)
    (line,) = done.stderr.splitlines()
    assert line.startswith("paludarium: compiling for this machine, this once: ")
    assert "of at most 2 kernels" in line
    assert done.stdout == ""


def test_who_waits_less_than_a_second_hears_nothing(tmp_path):
    assert run("compile_news.PATIENCE = 1000.0\nadd_two(1.0)", tmp_path).stderr == ""


def test_a_host_can_draw_it_and_take_it_back(tmp_path):
    done = run(
        "compile_news.PATIENCE = 0.0\n"
        "seen = []\n"
        "take_back = paludarium.on_compile(seen.append)\n"
        "add_two(1.0)\n"
        "assert [(one.name, one.done, one.most) for one in seen] == [('add two', 0, 2), ('add one', 0, 2)], seen\n"
        "assert all(one.seconds >= 0.0 for one in seen)\n"
        "take_back()\n"
        "add_one(1.0)\n"
        "assert len(seen) == 2\n",
        tmp_path,
    )
    assert len(done.stderr.splitlines()) == 1, "the line is back when the host no longer listens"


def test_the_line_can_be_silenced(tmp_path):
    assert run("compile_news.PATIENCE = 0.0\npaludarium.on_compile(None)\nadd_two(1.0)", tmp_path).stderr == ""


def test_a_stream_that_is_closed_is_no_reason_to_fail(tmp_path):
    run("compile_news.PATIENCE = 0.0\nsys.stderr.close()\nadd_two(1.0)\nsys.stderr = None\nadd_one(1.0)", tmp_path)
