"""A demo without a window, driven by posted events: what every test of the flows needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame

from paludarium.game_demo.scenes import Settings
from paludarium.game_demo.session import Session
from paludarium.game_demo.window import Demo

FRAME = 1.0 / 60.0
SIZE = (320, 200)
ALIKE = 8  # frames; two chunks of ground in view are painted in three


def open_demo(folder: Path, scene: str | None, size: tuple[int, int] = SIZE, **settings: Any) -> Demo:
    """A demo in a scene, or on the title screen; close it when done."""
    return Demo(size, None if scene is None else Settings(scene, **settings), folder=folder)


def session_of(demo: Demo) -> Session:
    assert isinstance(demo.place, Session)
    return demo.place


def frames(demo: Demo, count: int = 1) -> None:
    for _ in range(count):
        demo.frame(FRAME)


def settled(demo: Demo, most: int = 600) -> Any:
    """The picture of a paused world once all its ground is painted: more frames alike than a piece of it takes."""
    before, alike = None, 0
    for _ in range(most):
        demo.frame(FRAME)
        now = pygame.surfarray.array3d(demo.screen)
        alike = alike + 1 if before is not None and (now == before).all() else 0
        if alike == ALIKE:
            return now
        before = now
    raise AssertionError("the picture does not come to rest")


def press(demo: Demo, *keys: int) -> None:
    """Press and let go of keys, each within a frame of its own."""
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key))
        demo.frame(FRAME)


def hold(demo: Demo, key: int, count: int) -> None:
    """Hold a key for so many frames."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
    frames(demo, count)
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key))
    frames(demo)


def drag(demo: Demo, start: tuple[int, int], end: tuple[int, int], button: int = 1) -> None:
    """Press, move in four steps, let go. With start and end alike it is a click."""
    _mouse(pygame.MOUSEMOTION, start, rel=(0, 0), buttons=(0, 0, 0))
    _mouse(pygame.MOUSEBUTTONDOWN, start, button=button)
    before = start
    for step in range(1, 5):
        at = tuple(round(a + (b - a) * step / 4) for a, b in zip(start, end, strict=True))
        if at != before:
            _mouse(pygame.MOUSEMOTION, at, rel=(at[0] - before[0], at[1] - before[1]), buttons=(1, 0, 0))
        before = at
    _mouse(pygame.MOUSEBUTTONUP, end, button=button)
    demo.frame(FRAME)


def click(demo: Demo, at: tuple[int, int], button: int = 1) -> None:
    drag(demo, at, at, button)


def _mouse(kind: int, pos: Any, **values: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, pos=pos, **values))
