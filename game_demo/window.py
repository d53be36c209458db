"""The demo in a window: the title screen, the scenes, and the way between them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import pygame

from ..engine.errors import PaludariumError
from ..engine.machine_code.compile_news import on_compile
from ..engine.world import World
from . import theme
from .gamepad import Gamepad
from .scenes import SCENES, Settings, build_scene
from .session import Session
from .sounds import Sounds
from .title import BACKGROUND_SCENE, Title
from .tour import rehearse

Place = TypeVar("Place", Title, Session)

FRAME_RATE = 60
LONGEST_FRAME = 0.25  # seconds; a longer one was a pause of the machine, not of the world
SETTLE_TICKS = 90  # the title's animals are on their feet when the curtain opens


class Demo:
    """One window. `run` goes on until it is closed; `frame` is one turn of the loop.

    Example::

        demo = Demo((1280, 720), Settings("hunt"))
        demo.run()
    """

    def __init__(self, size: tuple[int, int], settings: Settings | None, *, seed: int = 7, ticks: int | None = None,
                 folder: Path | None = None) -> None:
        self.seed, self.ticks_left = seed, ticks
        self.folder = folder or Path()
        self.running, self._rehearsed = True, False
        os.environ.setdefault("SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR", "0")  # a window among windows, not a full screen
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")  # 0.6 ms a frame; through a software OpenGL 9 ms
        pygame.display.init()
        pygame.font.init()
        pygame.joystick.init()
        self.sounds, self.pad = Sounds.open(), Gamepad()
        pygame.display.set_caption("Paludarium")
        self.screen = pygame.display.set_mode(size, pygame.RESIZABLE)
        self.clock = pygame.time.Clock()
        self.place: Title | Session = self._open_title() if settings is None else self._open_session(settings)

    def run(self) -> int:
        """Play until the window is closed or the ticks are over."""
        try:
            while self.running:
                self.frame(min(self.clock.tick(FRAME_RATE) / 1000.0, LONGEST_FRAME))
        finally:
            self.close()
        return 0

    def frame(self, seconds: float) -> None:
        """Events in, world on, picture out. While the world goes on, other threads paint the moment before."""
        start = perf_counter()
        for event in pygame.event.get():
            self._handle(event)
        self.place.begin(self.screen)
        ticks = self.place.update(seconds)
        if isinstance(self.place, Session):
            self.place.frame_rate = self.clock.get_fps()
        self.place.draw(self.screen, seconds)
        pygame.display.flip()
        self.place.frame_took(perf_counter() - start)
        if self.ticks_left is not None:
            self.ticks_left -= ticks
            self.running = self.running and self.ticks_left > 0
        if self.place.next is not None:
            self._go(self.place.next)

    def close(self) -> None:
        self.place.world.picture.finish()  # so that no thread paints into a window that is gone
        if isinstance(self.place, Session):
            self.place.close()
        self.sounds.close()
        theme.forget_fonts()
        pygame.joystick.quit()
        pygame.font.quit()
        pygame.display.quit()

    def _handle(self, event: Any) -> None:
        self.pad.handle(event)
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.VIDEORESIZE:
            self.screen = pygame.display.get_surface()
            self.place.resize(self.screen.get_size())
        else:
            self.place.handle(event)

    def _go(self, where: Settings | str) -> None:
        """Change places; a scene that cannot be built leaves the player on the title screen with the reason."""
        if where == "quit":
            self.running = False
        elif isinstance(where, Settings):
            try:
                self.place = self._open_session(where)
            except PaludariumError as problem:
                self.place = self._open_title()
                self.place.message = str(problem)
        else:
            self.place = self._open_title()

    def _open_title(self) -> Title:
        settings = Settings(BACKGROUND_SCENE, self.seed)
        title = self._built(settings, SETTLE_TICKS, lambda world: Title(world, self.screen.get_size(), self.seed))
        pygame.display.set_caption("Paludarium")
        return title

    def _open_session(self, settings: Settings) -> Session:
        session = self._built(
            settings, 1,
            lambda world: Session(settings, world, self.screen.get_size(), self.sounds, self.pad, self.folder),
        )  # fmt: skip
        pygame.display.set_caption(f"Paludarium: {SCENES[settings.scene].title}")
        return session

    def _built(self, settings: Settings, ticks: int, opened: Callable[[World], Place]) -> Place:
        """Build a world, and the place it is shown in, behind a loading page that tells when kernels have to be compiled."""
        name = SCENES[settings.scene].title if settings.scene in SCENES else settings.scene
        self._show_loading(f"{name} ...")

        take_back = on_compile(
            lambda progress: self._show_loading(
                f"{name} ...   compiling for this machine, this once: {progress.done} of at most {progress.most}"
            )
        )
        try:
            world, size = build_scene(settings), self.screen.get_size()
            world.step(ticks)
            place = opened(world)
            world.picture.frame(place.camera, size, still=True)  # all ground in view is painted behind the page
            world.draw(pygame.Surface(size, 0, self.screen), place.camera)
            if not self._rehearsed:
                rehearse(world)
                self._rehearsed = True
            return place
        finally:
            take_back()

    def _show_loading(self, text: str) -> None:
        pygame.event.pump()  # a window that does not answer for long is offered to be killed
        self.screen.fill(theme.PANEL)
        picture = theme.words(text, theme.INK, theme.LARGE)
        self.screen.blit(picture, picture.get_rect(center=self.screen.get_rect().center))
        pygame.display.flip()


def play(size: tuple[int, int], settings: Settings | None, seed: int, ticks: int | None) -> int:
    """Open a window and run until it is closed or the ticks are over."""
    return Demo(size, settings, seed=seed, ticks=ticks).run()
