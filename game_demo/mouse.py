"""The mouse: what it can take hold of, and what happens then. One table dispatches and explains."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from ..components.segments import Segments
from ..engine.errors import PaludariumError
from ..engine.growths import GROWTH_KINDS
from ..engine.props import OBSTACLE_KINDS, Prop
from .bodies import SMALLEST_REACH, body_points, mass_at, part_of

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array
    from ..engine.world import World
    from .session import Session

LEFT, MIDDLE, RIGHT = 1, 2, 3
BUTTON_NAMES = {LEFT: "Left", MIDDLE: "Middle", RIGHT: "Right"}

CLICK_PIXELS = 5.0  # a press that moves less is a click
GRAB_PIXELS = 8.0  # how near to a thing the mouse must be
ROCK_RADIUS = 1.6  # units
PUSH_PER_UNIT = 6.2  # u/s that the pushed segment would get if it were alone, per unit dragged
FASTEST_PUSH = 75.0  # u/s
LIFT = 0.35  # upward share of a push, so that a body does not stick to the ground
WHEEL_ZOOM = 1.15


@dataclass
class Grip:
    """What the mouse holds from press to release."""

    gesture: Gesture
    start: tuple[int, int]
    at: tuple[int, int]
    prop: Prop | None = None
    creature: Creature | None = None
    segment: int = 0
    moved: bool = False


@dataclass(frozen=True)
class Gesture:
    """One thing the mouse does with one kind of target."""

    button: int
    target: str
    help: str
    press: Callable[[Session, Grip, Array], None] = field(default=lambda _session, _grip, _point: None)
    drag: Callable[[Session, Grip, tuple[int, int]], None] = field(default=lambda _session, _grip, _rel: None)
    release: Callable[[Session, Grip, Array], None] = field(default=lambda _session, _grip, _point: None)


class Hands:
    """The mouse in one session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.grip: Grip | None = None
        self.at: tuple[float, float] | None = None  # where the mouse was seen last

    def handle(self, event: Any) -> None:
        """Take in one mouse event; wrong places are told, nothing is raised."""
        self.at = getattr(event, "pos", self.at)
        try:
            if event.type == pygame.MOUSEWHEEL:
                self.session.camera.zoom(WHEEL_ZOOM**event.y, around=self.at)
            elif event.type == pygame.MOUSEBUTTONDOWN and event.button in BUTTON_NAMES and self.grip is None:
                self._press(event)
            elif event.type == pygame.MOUSEMOTION and self.grip is not None:
                self._move(event)
            elif event.type == pygame.MOUSEBUTTONUP and self.grip is not None and event.button == self.grip.gesture.button:
                grip, self.grip = self.grip, None
                grip.at = event.pos
                grip.gesture.release(self.session, grip, self.session.camera.to_world(event.pos))
        except PaludariumError as problem:  # a rock inside a creature, food beyond the edge: tell, go on
            self.session.say(str(problem))

    @property
    def point(self) -> Array:
        """The place on the map under the mouse; the middle of the view before it has come into the window."""
        camera = self.session.camera
        return camera.center.copy() if self.at is None else camera.to_world(self.at)

    def _press(self, event: Any) -> None:
        point = self.session.camera.to_world(event.pos)
        target, grip = self._what_is_at(point)
        gesture = GESTURES.get((event.button, target)) or GESTURES[event.button, "ground"]
        self.grip = Grip(gesture, event.pos, event.pos, **grip)
        gesture.press(self.session, self.grip, point)

    def _move(self, event: Any) -> None:
        grip = self.grip
        assert grip is not None
        grip.at = event.pos
        grip.moved = grip.moved or math.dist(grip.start, event.pos) > CLICK_PIXELS
        if grip.moved:
            grip.gesture.drag(self.session, grip, event.rel)

    def _what_is_at(self, point: Array) -> tuple[str, dict[str, Any]]:
        world, within = self.session.world, GRAB_PIXELS / self.session.camera.pixels_per_unit
        for creature in [*world.hit(point, within), *self._bodiless_at(point, within)]:
            offsets = body_points(creature)[:, :2] - point
            return "creature", {"creature": creature, "segment": int(np.argmin((offsets**2).sum(axis=1)))}
        for prop in world.props.at(point, within):
            return "food" if prop.kind == "food" else "rock", {"prop": prop}
        return "ground", {}

    def _bodiless_at(self, point: Array, within: float) -> list[Creature]:
        """Creatures that have no segments which could be hit, but are somewhere, too."""
        near = self.session.world.near(point, within + SMALLEST_REACH)
        return [creature for creature in near if part_of(creature, Segments) is None]


def push_velocity(session: Session, grip: Grip) -> Array:
    """The velocity that letting go now would give to a segment alone: longer drags push harder, up to a limit."""
    scale = session.camera.pixels_per_unit
    way = np.array([grip.at[0] - grip.start[0], grip.start[1] - grip.at[1]]) / scale
    speed = min(PUSH_PER_UNIT * float(np.hypot(*way)), FASTEST_PUSH)
    direction = way / max(float(np.hypot(*way)), 1e-9)
    return np.array([*(speed * direction), LIFT * speed])


def move_prop(session: Session, prop: Prop, point: Array) -> Prop:
    """The same thing at another place. If it cannot be there, it stays where it was."""
    world = session.world
    moved = world.add_food(point, prop.amount) if prop.kind == "food" else _put_up_again(world, prop.rows.start, point)
    prop.remove()
    return moved


def _put_up_again(world: World, row: int, point: Array) -> Prop:
    """An obstacle like that of a row, at another place; a coral stays one."""
    pool = world.props.obstacles
    half, kind, look = pool.half_size[row].copy(), OBSTACLE_KINDS[pool.kind[row]], int(pool.look[row])
    height, heading = 2 * float(half[2]), float(pool.heading[row])
    if not look:
        return world.add_obstacle(kind, point, float(half[0]), size=2 * half[:2], height=height, heading=heading)
    colour, seed = "#{:02X}{:02X}{:02X}".format(*pool.colour[row].tolist()), int(pool.seed[row])
    coral: Prop = world.add_coral(
        GROWTH_KINDS[look - 1], point, float(half[0]), height=height, heading=heading, colour=colour, seed=seed
    )
    return coral


def _select(session: Session, grip: Grip, _point: Array) -> None:
    session.select(grip.creature)


def _push(session: Session, grip: Grip, _point: Array) -> None:
    if grip.moved and grip.creature is not None and grip.creature.in_world:
        grip.creature.push(mass_at(grip.creature, grip.segment) * push_velocity(session, grip), grip.segment)
        session.sounds.play("thud")


def _new_food(session: Session, grip: Grip, point: Array) -> None:
    grip.prop = session.world.add_food(point)


def _carry_food(session: Session, grip: Grip, _way: tuple[int, int]) -> None:
    if grip.prop is not None and grip.prop.exists:  # a creature may eat it out of the player's hand
        grip.prop = move_prop(session, grip.prop, session.camera.to_world(grip.at))


def _drop_rock(session: Session, grip: Grip, point: Array) -> None:
    if grip.moved and grip.prop is not None and grip.prop.exists:
        move_prop(session, grip.prop, point)


def _new_rock(session: Session, grip: Grip, point: Array) -> None:
    if not grip.moved:
        session.world.add_obstacle("sphere", point, ROCK_RADIUS)


def _remove(_session: Session, grip: Grip, _point: Array) -> None:
    if not grip.moved and grip.prop is not None:
        grip.prop.remove()


def _pan(session: Session, _grip: Grip, way: tuple[int, int]) -> None:
    session.pan(way)


GESTURES: dict[tuple[int, str], Gesture] = {
    (gesture.button, gesture.target): gesture
    for gesture in (
        Gesture(LEFT, "creature", "selects it; drag and let go: push", press=_select, release=_push),
        Gesture(LEFT, "food", "drag it", drag=_carry_food),
        Gesture(LEFT, "rock", "drag it", release=_drop_rock),
        Gesture(LEFT, "ground", "food, and drag it", press=_new_food, drag=_carry_food),
        Gesture(RIGHT, "food", "takes it away", drag=_pan, release=_remove),
        Gesture(RIGHT, "rock", "takes it away", drag=_pan, release=_remove),
        Gesture(RIGHT, "ground", "a rock; drag: move the view", drag=_pan, release=_new_rock),
        Gesture(MIDDLE, "ground", "drag: move the view", drag=_pan),
    )
}
