"""`paludarium sweep` as a user types it."""

import subprocess
import sys

import pytest

from paludarium.game_demo.__main__ import main
from paludarium.game_demo.sweep_command import axis, clock

ANIMAL = "[segments]\ncount = 4\n[tissue]\n[body]\n[muscles]\n[appearance]\n"


@pytest.fixture
def words(tmp_path):
    animal = tmp_path / "eel.toml"
    animal.write_text(ANIMAL)
    return ["sweep", "--species", str(animal), "--frequencies", "1:3:3", "--shifts", "40:90:4", "--seconds", "1",
            "--longest", "3", "--output", str(tmp_path / "eel.csv")]  # fmt: skip


def test_one_command_writes_table_line_and_plots(words, tmp_path, capsys):
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "12 samples" in printed
    assert "per hour" in printed
    assert (tmp_path / "eel.png").read_bytes().startswith(b"\x89PNG")
    assert 'inherits = "eel"' in (tmp_path / "eel_line.toml").read_text()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["eel.csv", "eel.png", "eel.toml", "eel_line.toml"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "12 of 12 samples are in" in printed
    assert "per hour" not in printed


def test_without_matplotlib_the_table_is_written_and_one_line_tells(words, tmp_path):
    code = f"import sys; sys.modules['matplotlib'] = None\nfrom paludarium.game_demo.__main__ import main\nmain({words!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'paludarium[sweep]'" in done.stdout
    assert "Traceback" not in done.stderr
    assert (tmp_path / "eel_line.toml").exists()
    assert not (tmp_path / "eel.png").exists()


@pytest.mark.parametrize(("more", "named"), [
    (["--frequencies", "1-3"], "LOW:HIGH:COUNT"), (["--frequencies", "3:1:5"], "LOW < HIGH"),
    (["--shifts", "40:90:1"], "2 to 1000"), (["--shifts", "40:90:3:4"], "allowed"),
    (["--shifts", "10:90:3"], "0.3142 to 1.728"),
    (["--frequencies", "1:nan:3"], "LOW < HIGH"), (["--species", "swimer"], "did you mean 'swimmer'"),
    (["--seconds", "9"], "not above the second"), (["--threads", "0"], "1 to"),
    (["--output", "eel.txt"], ".csv"), (["--output", "/proc/none/eel.csv"], "/proc/none/eel.csv"),
])  # fmt: skip
def test_wrong_values_say_what_is_allowed(words, more, named, capsys):
    assert main([*words, *more]) == 2
    assert named in capsys.readouterr().err


def test_animal_that_cannot_swim_is_refused(words, tmp_path, capsys):
    (tmp_path / "stick.toml").write_text(ANIMAL.replace("[muscles]\n", ""))
    assert main([*words, "--species", str(tmp_path / "stick.toml")]) == 2
    assert "'stick' has no [muscles]" in capsys.readouterr().err
    assert not (tmp_path / "eel.csv").exists()


def test_table_of_another_animal_is_refused_and_kept(words, tmp_path, capsys):
    file = tmp_path / "eel.csv"
    assert main([*words, "--no-plots"]) == 0
    before = file.read_bytes()
    assert main([*words, "--species", "swimmer"]) == 2
    problem = capsys.readouterr().err
    assert 'there species = "eel", here species = "swimmer"' in problem
    assert "another file name" in problem
    assert file.read_bytes() == before


def test_help_explains_files_and_going_on(capsys):
    with pytest.raises(SystemExit) as done:
        main(["sweep", "--help"])
    assert done.value.code == 0
    text = capsys.readouterr().out
    for word in ("--scheduler", "LOW:HIGH:COUNT", "Ctrl-C", "FILE_line.toml", "paludarium[sweep]"):
        assert word in text


def test_axes_and_times_read_as_typed():
    assert axis("--shifts", "18:99:4") == [18.0, 45.0, 72.0, 99.0]
    assert [clock(s) for s in (5, 130, 9000)] == ["5 s", "2 min", "2.5 h"]
