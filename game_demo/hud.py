"""Everything over the picture of a session: status, messages, score, help, inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame

from . import theme
from .actions import help_rows
from .hands import ROCK_RADIUS, Grip, push_impulse
from .hunt import MEALS_PER_STAGE, STAGE_SEGMENTS, HuntSystem, Outcome, hunt_of
from .inspector import draw_inspector, mode_name

if TYPE_CHECKING:
    from .session import Session

KEY_WIDTH = 132
HELP_COLUMN = 356
ARROW_HEAD = 9
BRACKET_MARGIN = 2.2  # units; legs are about as long
BRACKET_ARM = 26.0
PIXELS_PER_PUSH = 1.2


def draw(screen: Any, session: Session) -> None:
    """Draw all of it, back to front."""
    _draw_brackets(screen, session)
    _draw_grip(screen, session)
    hunt = hunt_of(session.world)
    if hunt is not None:
        _draw_score(screen, hunt)
    if session.show_inspector:
        draw_inspector(screen, session)
    if session.show_times:
        session.times.draw(screen, (theme.MARGIN, theme.MARGIN))
    _draw_status(screen, session)
    _draw_marks(screen, session)
    if hunt is not None and hunt.outcome is not Outcome.RUNNING:
        _draw_outcome(screen, hunt)
    if session.show_help:
        draw_help(screen)


def _draw_brackets(screen: Any, session: Session) -> None:
    """Four corners around the selected creature."""
    creature = session.selected
    if creature is None or not creature.alive:
        return
    points = session.camera.to_screen(creature.segments.position[:, :2])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = BRACKET_MARGIN * session.camera.pixels_per_unit
    left, top, right, bottom = low[0] - margin, low[1] - margin, high[0] + margin, high[1] + margin
    arm = min(BRACKET_ARM, (right - left) / 3, (bottom - top) / 3)
    colour = theme.GOOD if session.driving else theme.INK
    for x, y, inward_x, inward_y in ((left, top, arm, arm), (right, top, -arm, arm), (left, bottom, arm, -arm),
                                     (right, bottom, -arm, -arm)):  # fmt: skip
        pygame.draw.lines(screen, colour, False, ((x + inward_x, y), (x, y), (x, y + inward_y)), 2)


def _draw_status(screen: Any, session: Session) -> None:
    world = session.world
    count = len(world.creatures)
    crowd = f"{count} creature{'s' if count != 1 else ''}"
    rows = [(f"{crowd}   {world.time:.1f} s   {session.frame_rate:.0f} fps   H help", theme.INK)]
    creature = session.selected
    if creature is not None and creature.alive:
        state = "dead" if creature.dead else mode_name(creature).lower() if "brain" in creature.rows else "no brain"
        driven = ", yours" if session.driving else ""
        rows.append((f"{creature.name}: {state}{driven}, {creature.tier}", theme.FAINT))
    if session.message:
        width = screen.get_width() - 4 * theme.MARGIN
        rows += [(line, theme.ACCENT) for line in theme.wrapped(session.message, width)]
    theme.lines(screen, (theme.MARGIN, screen.get_height() - theme.MARGIN - theme.LINE * (len(rows) + 1)), rows)


def _draw_marks(screen: Any, session: Session) -> None:
    """Paused, time scale, recording: at the upper edge."""
    clock, marks = session.world.clock, []
    if session.recorder.running:
        marks.append((f"REC {session.recorder.seconds:.1f} s", theme.BAD))
    if clock.paused:
        marks.append(("PAUSED", theme.ACCENT))
    if clock.scale != 1.0:
        marks.append((f"time x {clock.scale:g}", theme.SKY))
    x = screen.get_width() // 2 - 60
    for text, colour in marks:
        x = theme.badge(screen, (x, theme.MARGIN), text, colour)


def _draw_score(screen: Any, hunt: HuntSystem) -> None:
    board = hunt.board
    stage, meals = int(board.stage[0]), int(board.meals[0])
    rows = [(f"score {board.score[0]}   {STAGE_SEGMENTS[stage]} segments", theme.INK)]
    if hunt.is_largest:
        rows.append(("you are the larger one now: catch it!", theme.GOOD))
    else:
        rows.append((f"next skin: {meals} of {MEALS_PER_STAGE} meals", theme.FAINT))
        hunter, player = hunt.hunter, hunt.player
        if hunter is not None and player is not None:
            near = hunter.distance_to(player)
            rows.append((f"the big one is {near:.0f} units away", theme.BAD if near < 20.0 else theme.FAINT))
    theme.lines(screen, (theme.MARGIN, theme.MARGIN), rows)


def _draw_outcome(screen: Any, hunt: HuntSystem) -> None:
    won = hunt.outcome is Outcome.WON
    title = theme.words("You are the big one" if won else "Eaten", theme.GOOD if won else theme.BAD, _big(screen), True)
    below = theme.words(f"score {hunt.board.score[0]}   Enter: again   Esc: title", theme.INK, theme.NORMAL)
    rect = pygame.Rect(0, 0, max(title.get_width(), below.get_width()) + 60, title.get_height() + 60)
    rect.center = screen.get_rect().center
    theme.panel(screen, rect, blurred=True)
    screen.blit(title, title.get_rect(midtop=(rect.centerx, rect.y + 14)))
    screen.blit(below, below.get_rect(midbottom=(rect.centerx, rect.bottom - 14)))


def _big(screen: Any) -> int:
    return max(min(theme.HUGE, screen.get_width() // 14), theme.NORMAL)


def draw_help(screen: Any) -> None:
    """All keys, gestures and buttons, in as many columns as the window has room for."""
    rows = help_rows()
    width, height = screen.get_size()
    columns = max(min((width - 2 * theme.MARGIN) // HELP_COLUMN, 3), 1)
    per_column = -(-len(rows) // columns)
    line = min(theme.LINE, max((height - 4 * theme.MARGIN) // per_column, 4))
    size = theme.SMALL if line >= theme.SMALL + 2 else max(line - 1, 5)
    wide, high = columns * HELP_COLUMN + theme.MARGIN, per_column * line + 3 * theme.MARGIN
    rect = pygame.Rect(0, 0, min(wide, width), min(high, height))
    rect.center = screen.get_rect().center
    theme.panel(screen, rect, blurred=True)
    key_width = KEY_WIDTH * size // theme.SMALL
    for place, (key, text) in enumerate(rows):
        x = rect.x + theme.MARGIN + place // per_column * HELP_COLUMN
        y = rect.y + theme.MARGIN + place % per_column * line
        screen.blit(theme.words(key, theme.ACCENT, size, True), (x, y))
        screen.blit(theme.words(text, theme.INK, size), (x + key_width, y))


def _draw_grip(screen: Any, session: Session) -> None:
    """While something is held: the arrow of a push, or the outline of a rock at its new place."""
    grip = session.hands.grip
    if grip is None or not grip.moved:
        return
    if grip.creature is not None and grip.gesture.target == "creature":
        _draw_arrow(screen, session, grip)
    elif grip.prop is not None and grip.prop.exists and grip.gesture.target == "rock" and grip.gesture.button == 1:
        half = session.world.props.obstacles.half_size[grip.prop.rows.start]
        radius = float(half[0]) if half[0] > 0.0 else ROCK_RADIUS
        pygame.draw.circle(screen, theme.ACCENT, grip.at, radius * session.camera.pixels_per_unit, 2)


def _draw_arrow(screen: Any, session: Session, grip: Grip) -> None:
    impulse = push_impulse(session, grip)
    way = pygame.Vector2(float(impulse[0]), -float(impulse[1])) * PIXELS_PER_PUSH
    if way.length() < 1.0:
        return
    start = pygame.Vector2(grip.start)
    end, ahead = start + way, way.normalize()
    aside = pygame.Vector2(-ahead.y, ahead.x)
    pygame.draw.line(screen, theme.ACCENT, start, end, 4)
    corners = [end + ARROW_HEAD * ahead, end + ARROW_HEAD * aside, end - ARROW_HEAD * aside]
    pygame.draw.polygon(screen, theme.ACCENT, corners)
