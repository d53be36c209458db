"""What the player sees of a swimming lesson: the generation, the best, and how the objective went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from . import theme
from .lesson import GENERATIONS, PUPILS

if TYPE_CHECKING:
    from .lesson import LessonSystem

PLOT = (230, 70)
"""Pixels."""
WORST = 0.3
"""Of the objective at the top of the plot: first tries are far worse."""
BEST = -0.6
DOT = 2


def draw_lesson(screen: Any, lesson: LessonSystem) -> int:
    """Draw the panel at the upper left; return how high it is."""
    history = lesson.best
    share = min(int(lesson.board.ticks[0]) / lesson.try_ticks, 1.0)
    best = f"best: {-history[-1]:.3f}" if history else "none has swum yet"
    rows = [
        ("the lesson is over" if lesson.over else f"generation {len(history) + 1} of {GENERATIONS}", theme.INK),
        (f"{best} (lengths in two strokes, less what is wrong)", theme.FAINT),
    ]
    rect = theme.lines(screen, (theme.MARGIN, theme.MARGIN), rows)
    theme.bar(screen, pygame.Rect(rect.x, rect.bottom + 4, rect.width, 5), share, theme.GOOD)
    ground = pygame.Rect(rect.x, rect.bottom + 14, *PLOT)
    theme.panel(screen, ground)
    scores = np.asarray(lesson.board.scores[0, : int(lesson.board.tries[0])]).reshape(-1, PUPILS)
    for generation, values in enumerate(scores):
        x = ground.left + 6 + generation * (ground.width - 12) / (GENERATIONS - 1)
        for value in values:
            pygame.draw.circle(screen, theme.FAINT, (round(x), round(_height(ground, value))), DOT - 1)
    if len(history) > 1:
        line = [(round(ground.left + 6 + i * (ground.width - 12) / (GENERATIONS - 1)), round(_height(ground, value)))
                for i, value in enumerate(history)]  # fmt: skip
        pygame.draw.lines(screen, theme.GOOD, False, line, 2)
    return ground.bottom


def _height(ground: pygame.Rect, value: float) -> float:
    """Where a score is drawn: better is higher."""
    share = (WORST - min(max(value, BEST), WORST)) / (WORST - BEST)
    return ground.bottom - 6 - share * (ground.height - 12)
