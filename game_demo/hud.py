"""Everything over the picture of a session: status, messages, score, help, inspector."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pygame

from . import theme
from .bodies import body_points, reach_of
from .hunt import MEALS_PER_STAGE, STAGE_SEGMENTS, HuntSystem, Outcome, hunt_of
from .inspector import draw_inspector
from .key_bindings import help_rows
from .mouse import ROCK_RADIUS, Grip, push_velocity

if TYPE_CHECKING:
    from .session import Session

KEY_WIDTH = 132
LEAST_FREE = 160  # pixels at the left that the inspector leaves to other panels, or they lie over it
HELP_COLUMN = 356
ARROW_HEAD = 9
BRACKET_MARGIN = 2.2  # units beyond the body; legs and fins are about as long
BRACKET_SHARE = 0.5  # of its reach: small animals have small brackets
BRACKET_ARM = 26.0
PIXELS_PER_PUSH = 1.75  # for each u/s
DANGER = 20.0  # units; nearer than this the big one's distance is written in red
MEAL_BAR = 6
LESSON_MAP = "training"
SCORE_HEIGHT = 88  # pixels at the upper left that the score of a hunt takes
OUTCOME_GAP = 8
HINT_SECONDS = 9.0
HUNT_HINT = ("arrows or W A S D: steer", "eat the green fruit and the small pale ones, and grow",
             "the dark big one eats you, until you are longer than it")  # fmt: skip
POINTER_INSET, POINTER_SIZE, POINTER_RIM = 26, 15.0, 3.0  # pixels
POINTER_LEAST = 0.6  # of its size, when what it points to is far away


def draw(screen: Any, session: Session) -> None:
    """Draw all of it, back to front."""
    _draw_brackets(screen, session)
    _draw_grip(screen, session)
    hunt = hunt_of(session.world)
    if hunt is not None:
        _draw_score(screen, session, hunt)
    _draw_lesson(screen, session)
    inspector = draw_inspector(screen, session) if session.show_inspector else None
    free = screen.get_width() if inspector is None else max(inspector.left, LEAST_FREE)
    if session.show_times:
        session.times.draw(screen, (theme.MARGIN, theme.MARGIN + (SCORE_HEIGHT if hunt is not None else 0)))
    _draw_status(screen, session, free)
    _draw_marks(screen, session, free)
    if hunt is not None and hunt.outcome is not Outcome.RUNNING:
        _draw_outcome(screen, hunt)
    if session.show_help:
        draw_help(screen)


def _draw_lesson(screen: Any, session: Session) -> None:
    if session.world.map.name == LESSON_MAP:  # only then is there anything of searches in memory
        from .lesson import lesson_of
        from .lesson_panel import draw_lesson

        lesson = lesson_of(session.world)
        if lesson is not None:
            draw_lesson(screen, lesson)


def _draw_brackets(screen: Any, session: Session) -> None:
    """Four corners around the selected creature."""
    creature = session.selected
    if creature is None or not creature.in_world:
        return
    points = session.camera.to_screen(body_points(creature)[:, :2])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = min(BRACKET_MARGIN, BRACKET_SHARE * reach_of(creature)) * session.camera.pixels_per_unit
    left, top, right, bottom = low[0] - margin, low[1] - margin, high[0] + margin, high[1] + margin
    arm = min(BRACKET_ARM, (right - left) / 3, (bottom - top) / 3)
    colour = theme.GOOD if session.driving else theme.INK
    for x, y, inward_x, inward_y in ((left, top, arm, arm), (right, top, -arm, arm), (left, bottom, arm, -arm),
                                     (right, bottom, -arm, -arm)):  # fmt: skip
        pygame.draw.lines(screen, colour, False, ((x + inward_x, y), (x, y), (x, y + inward_y)), 2)


def _draw_status(screen: Any, session: Session, free: int) -> None:
    """Who is there and what the selected one does, left of what is beyond the free pixels."""
    world = session.world
    count = len(world.creatures)
    crowd = f"{count} creature{'s' if count != 1 else ''}"
    rows = [(f"{crowd}   {world.time:.1f} s   {session.frame_rate:.0f} fps   H help", theme.INK)]
    creature = session.selected
    if creature is not None and creature.in_world:
        state = "steered by you" if session.driving else creature.doing
        rows.append((f"{creature.name}: {state}, tier {creature.tier}", theme.FAINT))
    if session.message:
        width = free - 4 * theme.MARGIN
        rows += [(line, theme.ACCENT) for line in theme.wrapped(session.message, width)]
    at = (theme.MARGIN, screen.get_height() - theme.MARGIN - theme.LINE * (len(rows) + 1))
    theme.lines(screen, at, rows, most=free - 2 * theme.MARGIN)


def _draw_marks(screen: Any, session: Session, free: int) -> None:
    """Paused, time scale, recording: at the upper edge."""
    clock, marks = session.world.clock, []
    if session.recorder.running:
        marks.append((f"REC {session.recorder.seconds:.1f} s", theme.BAD))
    if clock.paused:
        marks.append(("PAUSED", theme.ACCENT))
    if clock.scale != 1.0:
        marks.append((f"time x {clock.scale:g}", theme.SKY))
    wide = sum(theme.badge_width(text) + theme.MARGIN // 2 for text, _ in marks)
    x = max(min(screen.get_width() // 2 - 60, free - wide - theme.MARGIN), 0)
    for text, colour in marks:
        x = theme.badge(screen, (x, theme.MARGIN), text, colour)


def _draw_score(screen: Any, session: Session, hunt: HuntSystem) -> None:
    board = hunt.board
    stage, meals = int(board.stage[0]), int(board.meals[0])
    rows = [(f"score {board.score[0]}   {STAGE_SEGMENTS[stage]} segments", theme.INK)]
    hunter, player = hunt.hunter, hunt.player
    near = hunter.distance_to(player) if hunter is not None and player is not None else math.inf
    if hunt.is_largest:
        rows.append(("you are the larger one now: catch it!", theme.GOOD))
    else:
        rows.append((f"next skin: {meals} of {MEALS_PER_STAGE} meals", theme.FAINT))
        where = f"{near:.0f} units away" if math.isfinite(near) else "gone"
        rows.append((f"the big one: {where}", theme.BAD if near < DANGER else theme.FAINT))
    rect = theme.lines(screen, (theme.MARGIN, theme.MARGIN), rows)
    theme.bar(screen, pygame.Rect(rect.x, rect.bottom + 4, rect.width, MEAL_BAR),
              1.0 if hunt.is_largest else meals / MEALS_PER_STAGE, theme.GOOD)  # fmt: skip
    if hunter is not None and hunt.outcome is Outcome.RUNNING:
        _draw_pointer(screen, session, hunter.position[:2], theme.GOOD if hunt.is_largest else theme.BAD, near)
    if session.world.time < HINT_SECONDS and not session.show_help:
        _draw_hint(screen)


def _draw_hint(screen: Any) -> None:
    """What the game is about, for as long as one reads it."""
    pictures = [theme.words(line, theme.INK, theme.NORMAL) for line in HUNT_HINT]
    rect = pygame.Rect(0, 0, max(picture.get_width() for picture in pictures) + 3 * theme.MARGIN,
                       theme.LINE * len(pictures) + 2 * theme.MARGIN)  # fmt: skip
    rect.midbottom = (screen.get_width() // 2, screen.get_height() * 9 // 10)
    theme.panel(screen, rect, blurred=True)
    for place, picture in enumerate(pictures):
        screen.blit(picture, picture.get_rect(midtop=(rect.centerx, rect.y + theme.MARGIN + theme.LINE * place)))


def _draw_pointer(screen: Any, session: Session, place: Any, colour: theme.Colour, distance: float) -> None:
    """A wedge at the edge of the picture towards what is beyond it; larger when it is nearer."""
    inner = screen.get_rect().inflate(-2 * POINTER_INSET, -2 * POINTER_INSET)
    target = pygame.Vector2(*session.camera.to_screen(place))
    if inner.collidepoint(target) or min(inner.size) <= 0:
        return
    middle = pygame.Vector2(inner.center)
    way = (target - middle).normalize()
    reach = min(inner.width / 2 / max(abs(way.x), 1e-6), inner.height / 2 / max(abs(way.y), 1e-6))
    size = POINTER_SIZE * min(max(DANGER / max(distance, 1.0), POINTER_LEAST), 1.5)
    tip, aside = middle + reach * way, pygame.Vector2(-way.y, way.x)
    for grown, ink in ((POINTER_RIM, theme.PANEL), (0.0, colour)):
        base = tip - (1.6 * size + grown) * way
        corners = (tip + 1.5 * grown * way, base + (size + grown) * aside, base - (size + grown) * aside)
        pygame.draw.polygon(screen, ink, corners)


def _draw_outcome(screen: Any, hunt: HuntSystem) -> None:
    """The end of a game: how it ended, the score, and how to play again."""
    won, board = hunt.outcome is Outcome.WON, hunt.board
    title = theme.words("You are the big one" if won else "Eaten", theme.GOOD if won else theme.BAD, _big(screen), True)
    size = STAGE_SEGMENTS[int(board.stage[0])]
    rows = [
        theme.words(f"score {board.score[0]}", theme.INK, theme.LARGE, True),
        theme.words(f"you grew to {size} of {STAGE_SEGMENTS[-1]} segments", theme.FAINT, theme.NORMAL),
        theme.words("Enter or Space: play again      Esc: title", theme.ACCENT, theme.NORMAL),
    ]
    height = title.get_height() + sum(row.get_height() + OUTCOME_GAP for row in rows) + 3 * theme.MARGIN
    rect = pygame.Rect(0, 0, max(picture.get_width() for picture in (title, *rows)) + 60, height)
    rect.center = (screen.get_width() // 2, screen.get_height() * 3 // 10)  # above the middle, where the end can be seen
    rect.clamp_ip(screen.get_rect())
    theme.panel(screen, rect, blurred=True)
    y = rect.y + theme.MARGIN
    for picture in (title, *rows):
        screen.blit(picture, picture.get_rect(midtop=(rect.centerx, y)))
        y += picture.get_height() + OUTCOME_GAP


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
    velocity = push_velocity(session, grip)
    way = pygame.Vector2(float(velocity[0]), -float(velocity[1])) * PIXELS_PER_PUSH
    if way.length() < 1.0:
        return
    start = pygame.Vector2(grip.start)
    end, ahead = start + way, way.normalize()
    aside = pygame.Vector2(-ahead.y, ahead.x)
    pygame.draw.line(screen, theme.ACCENT, start, end, 4)
    corners = [end + ARROW_HEAD * ahead, end + ARROW_HEAD * aside, end - ARROW_HEAD * aside]
    pygame.draw.polygon(screen, theme.ACCENT, corners)
