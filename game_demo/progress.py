"""A progress bar for the terminal: one line that is redrawn, or plain lines when the output is no terminal."""

from __future__ import annotations

import shutil
import sys
from time import monotonic

REDRAW_SECONDS = 0.05


class Progress:
    """Show how far something long has come.

    Example::

        with Progress("recording", total=120) as bar:
            for frame in range(120):
                bar.advance(f"frame {frame}")
    """

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.done = title, max(total, 1), 0
        self._live = sys.stderr.isatty()
        self._drawn = 0.0
        self._label = ""

    def __enter__(self) -> Progress:
        return self

    def advance(self, label: str = "", steps: int = 1) -> None:
        self.done += steps
        self._label = label
        if self._live and (monotonic() - self._drawn > REDRAW_SECONDS or self.done >= self.total):
            self._draw()

    def __exit__(self, *_problem: object) -> None:
        if self._live and self._drawn:
            sys.stderr.write("\r\x1b[K")
        elif not self._live and self.done:
            sys.stderr.write(f"{self.title}: {self.done} of {max(self.total, self.done)} done\n")
        sys.stderr.flush()

    def _draw(self) -> None:
        self._drawn = monotonic()
        width = shutil.get_terminal_size().columns
        share = min(self.done / self.total, 1.0)
        filled = int(share * 24)
        line = f"{self.title} [{'#' * filled}{'.' * (24 - filled)}] {share:4.0%} {self._label}"
        sys.stderr.write("\r\x1b[K" + line[: width - 1])
        sys.stderr.flush()
