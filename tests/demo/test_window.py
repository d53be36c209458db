"""The demo in a real window: a virtual screen, real keys and mouse, and pictures of what the screen shows.

The same flows run without a window in test_flows.py, on every machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest

from paludarium.tests.demo.virtual_screen import VirtualScreen

SIZE = (640, 400)
START_SECONDS = 600.0  # a limit: kernels may have to be compiled on a busy machine; usually it takes two seconds
STEP_SECONDS = 240.0  # a limit, not a wait: a frame may take a second on a busy machine
MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed here: {', '.join(MISSING)}")


@pytest.fixture(scope="module")
def screen(tmp_path_factory) -> Iterator[VirtualScreen]:
    virtual = VirtualScreen(tmp_path_factory.mktemp("screen"))
    yield virtual
    virtual.close()


class Player:
    """A running demo, and hands to play it with."""

    def __init__(self, virtual: VirtualScreen, folder: Path, *options: str) -> None:
        self.virtual, self.folder = virtual, folder
        self.environment = {**os.environ, "DISPLAY": virtual.name, "SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy"}
        self.errors = (folder / "errors.txt").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "paludarium.game_demo", "--size", f"{SIZE[0]}x{SIZE[1]}", *options], cwd=folder,
            env=self.environment, stdout=subprocess.DEVNULL, stderr=self.errors,
        )  # fmt: skip
        search = ("search", "--onlyvisible", "--all", "--pid", str(self.process.pid))
        self.window = self.wait_for(lambda: self.tell(*search).split()[-1:], START_SECONDS)[0]
        self.tell("windowmove", self.window, "0", "0")
        self.tell("windowfocus", self.window)

    def tell(self, *words: str) -> str:
        return subprocess.run(["xdotool", *words], env=self.environment, capture_output=True, text=True, check=False).stdout

    def wait_for(self, question, seconds: float = STEP_SECONDS):
        """Ask until the answer is something; fail when the demo has ended or time is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process.poll() is None, f"the demo ended: {self.problems()}"
            answer = question()
            if answer:
                return answer
            time.sleep(0.1)
        raise AssertionError(f"nothing happened: {self.problems()}")

    def problems(self) -> str:
        self.errors.seek(0)
        return self.errors.read()

    def title(self) -> str:
        return self.tell("getwindowname", self.window).strip()

    def key(self, name: str) -> None:
        self.tell("key", "--clearmodifiers", name)

    def click(self, x: int, y: int) -> None:
        self.tell("mousemove", str(x), str(y), "click", "1")

    def picture(self) -> np.ndarray:
        """What the demo shows, by its own F12, as (width, height, 3)."""
        before = set(self.folder.glob("*.png"))
        self.key("F12")
        file = self.wait_for(lambda: [f for f in set(self.folder.glob("*.png")) - before if _is_whole(f)])[0]
        return pygame.surfarray.array3d(pygame.image.load(str(file)))

    def settled(self) -> np.ndarray:
        """The picture once it stands still: new ground is painted over several frames."""
        before = self.picture()

        def unchanged() -> list[np.ndarray]:
            nonlocal before
            now, last = self.picture(), before
            before = now
            return [now] if _changed(last, now) < 0.01 else []

        return self.wait_for(unchanged)[0]

    def seen(self) -> np.ndarray:
        """What is on the screen where the window is, looked at from outside."""
        return self.virtual.picture(SIZE)

    def end(self) -> int:
        try:
            return self.process.wait(timeout=STEP_SECONDS)
        finally:
            self.process.kill()
            self.errors.close()


@pytest.fixture
def play(screen, tmp_path):
    """Starts demos; whatever is still running at the end of the test is stopped."""
    players = []

    def start(*options: str) -> Player:
        players.append(Player(screen, tmp_path, *options))
        return players[-1]

    yield start
    for player in players:
        player.process.kill()


def test_from_the_title_into_a_scene_and_back_and_out(play):
    player = play()
    player.wait_for(lambda: player.title() == "Paludarium", START_SECONDS)  # the window comes first, its title after
    player.wait_for(lambda: _rows_of_the_list(player.seen()), START_SECONDS)
    player.key("5")
    player.wait_for(lambda: player.title() == "Paludarium: Drop test", START_SECONDS)
    player.wait_for(lambda: _brightness(player.seen()) > 40.0)
    player.key("Escape")
    player.wait_for(lambda: player.title() == "Paludarium")
    player.wait_for(lambda: _rows_of_the_list(player.seen()))
    player.key("Escape")
    assert player.end() == 0


def test_keys_mouse_help_pause_resize_and_a_clean_end(play):
    player = play("--scene", "drop", "--count", "1")
    player.wait_for(lambda: player.title() == "Paludarium: Drop test", START_SECONDS)
    player.key("space")
    still = player.settled()  # which it never would if a paused world moved
    assert still.shape[:2] == SIZE

    player.click(500, 90)
    fed = player.picture()
    green = _greenness(fed)[470:530, 60:120].max() - _greenness(still)[470:530, 60:120].max()
    assert green > 40, "no food shows where the mouse clicked"

    player.key("h")
    assert _changed(fed, player.picture()) > 0.3, "the help page does not show"
    player.key("Escape")
    assert _changed(fed, player.picture()) < 0.05, "the help page does not go away"

    player.key("space")
    player.key("period")
    player.tell("windowsize", player.window, "800", "500")
    larger = player.wait_for(lambda: _of_size(player.picture(), (800, 500)))[0]
    assert _brightness(larger[700:, 450:]) > 20.0, "the new part of the window is not drawn"

    player.virtual.ask_to_close(int(player.window))
    assert player.end() == 0


def _is_whole(file: Path) -> bool:
    return file.read_bytes()[-8:-4] == b"IEND"


def _brightness(pixels: np.ndarray) -> float:
    return float(pixels.mean())


def _greenness(pixels: np.ndarray) -> np.ndarray:
    """How much more green than red and blue there is; food glows green."""
    colours = pixels.astype(int)
    return colours[..., 1] - np.maximum(colours[..., 0], colours[..., 2])


def _changed(one: np.ndarray, other: np.ndarray) -> float:
    """The share of pixels that differ visibly."""
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 24).mean())


def _of_size(pixels: np.ndarray, size: tuple[int, int]) -> list[np.ndarray]:
    return [pixels] if pixels.shape[:2] == size else []


def _rows_of_the_list(pixels: np.ndarray) -> bool:
    """Whether dark panels with bright words stand in a column at the left, over a brighter scene."""
    column = pixels[40:360, 60:380].mean(axis=2)
    dark, bright = (column < 70).mean(), (column > 190).mean()
    return bool(dark > 0.25 and 0.005 < bright < 0.5 and pixels[500:].mean() > 50)
