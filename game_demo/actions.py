"""The one table of keys and buttons: it dispatches, and the help page is printed from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygame

from . import deeds, gamepad
from .hands import BUTTON_NAMES as MOUSE_NAMES
from .hands import GESTURES
from .overlays import OVERLAYS

if TYPE_CHECKING:
    from .session import Session


@dataclass(frozen=True)
class Action:
    """A deed, the keys and the gamepad button that do it, and what the help page says."""

    keys: tuple[int, ...]
    help: str
    do: Callable[[Session], None]
    button: int | None = None

    @property
    def names(self) -> str:
        """The keys as the help page writes them."""
        return " ".join(_key_name(key) for key in self.keys[:2])


def _overlay_action(key: int, name: str) -> Action:
    return Action((key,), f"show {OVERLAYS[name].help}", lambda session: session.toggle_overlay(name))


ACTIONS: tuple[Action, ...] = (
    Action((pygame.K_SPACE,), "pause", deeds.toggle_pause, gamepad.START),
    Action((pygame.K_PERIOD,), "one tick", deeds.single_step),
    Action((pygame.K_COMMA,), "slower", deeds.slower, gamepad.LEFT_SHOULDER),
    Action((pygame.K_SLASH,), "faster", deeds.faster, gamepad.RIGHT_SHOULDER),
    Action((pygame.K_EQUALS, pygame.K_KP_PLUS, pygame.K_PLUS), "nearer", deeds.zoom_in),
    Action((pygame.K_MINUS, pygame.K_KP_MINUS), "farther", deeds.zoom_out),
    Action((pygame.K_TAB,), "next creature", deeds.next_creature, gamepad.Y),
    Action((pygame.K_f,), "follow it with the camera", deeds.toggle_follow),
    Action((pygame.K_t,), "take it over, or let it go", deeds.take_over, gamepad.A),
    Action((pygame.K_n,), "one more at the mouse", deeds.spawn, gamepad.X),
    Action((pygame.K_b,), "many more", deeds.spawn_many),
    Action((pygame.K_v,), "another species for N and B", deeds.next_species),
    Action((pygame.K_p,), "throw it up", deeds.hop),
    Action((pygame.K_x,), "cut it in two", deeds.sever),
    Action((pygame.K_k,), "kill it", deeds.kill),
    Action((pygame.K_DELETE,), "take it away", deeds.remove),
    Action((pygame.K_r,), "rain", deeds.rain),
    Action((pygame.K_l,), "day, dusk, night", deeds.change_light),
    Action((pygame.K_i,), "inspector", deeds.toggle_inspector),
    Action((pygame.K_g,), "time per system", deeds.toggle_times),
    _overlay_action(pygame.K_1, "legs"),
    _overlay_action(pygame.K_2, "antennae"),
    _overlay_action(pygame.K_3, "vision"),
    _overlay_action(pygame.K_4, "water"),
    _overlay_action(pygame.K_5, "contacts"),
    Action((pygame.K_m,), "sound", deeds.change_volume),
    Action((pygame.K_F5,), "save", deeds.save),
    Action((pygame.K_F9,), "load", deeds.load),
    Action((pygame.K_F10, pygame.K_c), "record a clip, stop", deeds.record_clip),
    Action((pygame.K_F12,), "picture", deeds.screenshot),
    Action((pygame.K_F2, pygame.K_RETURN), "begin again", deeds.restart),
    Action((pygame.K_h, pygame.K_F1), "this page", deeds.toggle_help, gamepad.BACK),
    Action((pygame.K_ESCAPE,), "back", deeds.go_back, gamepad.B),
)

BY_KEY = {key: action for action in ACTIONS for key in action.keys}
BY_BUTTON = {action.button: action for action in ACTIONS if action.button is not None}

STEERING = (
    ("arrows WASD", "steer your creature, or the view"),
    ("left stick", "the same with a gamepad"),
    ("wheel", "nearer, farther"),
)


def help_rows() -> list[tuple[str, str]]:
    """Every key, mouse gesture and button, as (what to press, what it does)."""
    rows = [(action.names, action.help) for action in ACTIONS]
    rows += [(f"{MOUSE_NAMES[g.button]} on {g.target}", g.help) for g in GESTURES.values()]
    rows += [*STEERING]
    rows += [(f"pad {gamepad.BUTTON_NAMES[button]}", action.help) for button, action in sorted(BY_BUTTON.items())]
    return rows


def _key_name(key: int) -> str:
    name = pygame.key.name(key) or KEY_NAMES.get(key, "")  # before a window exists pygame knows no names
    return KEY_NAMES.get(key, name.upper() if len(name) <= 3 else name.capitalize())


KEY_NAMES = {pygame.K_SPACE: "Space", pygame.K_ESCAPE: "Esc", pygame.K_RETURN: "Enter", pygame.K_DELETE: "Del",
             pygame.K_TAB: "Tab", pygame.K_PERIOD: ".", pygame.K_COMMA: ",", pygame.K_SLASH: "/", pygame.K_EQUALS: "+",
             pygame.K_MINUS: "-", pygame.K_KP_PLUS: "Keypad+", pygame.K_KP_MINUS: "Keypad-"}  # fmt: skip
