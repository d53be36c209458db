"""The one table of keys and buttons: it dispatches, and the help page is printed from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygame

from . import gamepad, player_actions
from .mouse import BUTTON_NAMES as MOUSE_NAMES
from .mouse import GESTURES
from .overlay_choice import OVERLAYS

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
    Action((pygame.K_SPACE,), "pause", player_actions.toggle_pause, gamepad.START),
    Action((pygame.K_PERIOD,), "one tick", player_actions.single_step),
    Action((pygame.K_COMMA,), "slower", player_actions.slower, gamepad.LEFT_SHOULDER),
    Action((pygame.K_SLASH,), "faster", player_actions.faster, gamepad.RIGHT_SHOULDER),
    Action((pygame.K_EQUALS, pygame.K_KP_PLUS, pygame.K_PLUS), "nearer", player_actions.zoom_in),
    Action((pygame.K_MINUS, pygame.K_KP_MINUS), "farther", player_actions.zoom_out),
    Action((pygame.K_TAB,), "next creature", player_actions.next_creature, gamepad.Y),
    Action((pygame.K_f,), "follow it with the camera", player_actions.toggle_follow),
    Action((pygame.K_t,), "take it over, or let it go", player_actions.take_over, gamepad.A),
    Action((pygame.K_n,), "one more at the mouse", player_actions.spawn, gamepad.X),
    Action((pygame.K_b,), "many more", player_actions.spawn_many),
    Action((pygame.K_v,), "another species for N and B", player_actions.next_species),
    Action((pygame.K_p,), "throw it up", player_actions.hop),
    Action((pygame.K_x,), "cut it in two", player_actions.sever),
    Action((pygame.K_k,), "kill it", player_actions.kill),
    Action((pygame.K_DELETE,), "take it away", player_actions.remove),
    Action((pygame.K_r,), "rain", player_actions.rain),
    Action((pygame.K_l,), "day, dusk, night", player_actions.change_light),
    Action((pygame.K_i,), "inspector", player_actions.toggle_inspector),
    Action((pygame.K_e,), "what its eyes show there", player_actions.turn_pictures),
    Action((pygame.K_u,), "sliders for it in the inspector", player_actions.toggle_sliders),
    Action((pygame.K_g,), "time per system", player_actions.toggle_times),
    _overlay_action(pygame.K_1, "legs"),
    _overlay_action(pygame.K_2, "antennae"),
    _overlay_action(pygame.K_3, "vision"),
    _overlay_action(pygame.K_4, "water"),
    _overlay_action(pygame.K_5, "contacts"),
    _overlay_action(pygame.K_6, "triangles"),
    _overlay_action(pygame.K_7, "trails"),
    _overlay_action(pygame.K_8, "wakes"),
    Action((pygame.K_m,), "sound", player_actions.change_volume),
    Action((pygame.K_F5,), "save", player_actions.save),
    Action((pygame.K_F9,), "load", player_actions.load),
    Action((pygame.K_F10, pygame.K_c), "record a clip, stop", player_actions.record_clip),
    Action((pygame.K_F12,), "picture", player_actions.screenshot),
    Action((pygame.K_F2, pygame.K_RETURN), "begin again", player_actions.restart),
    Action((pygame.K_h, pygame.K_F1), "this page", player_actions.toggle_help, gamepad.BACK),
    Action((pygame.K_ESCAPE,), "back", player_actions.go_back, gamepad.B),
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
