"""Game controllers: sticks steer, buttons are keys under another name. Any number of pads may come and go."""

from __future__ import annotations

from typing import Any

import pygame

DEAD_ZONE = 0.25  # of the stick's way
STICK_X, STICK_Y, LOOK_X, LOOK_Y = 0, 1, 3, 4

A, B, X, Y, LEFT_SHOULDER, RIGHT_SHOULDER, BACK, START = range(8)
"""Buttons in the order that most pads report them."""

BUTTON_NAMES = ("A", "B", "X", "Y", "LB", "RB", "Back", "Start")


class Gamepad:
    """What the sticks of all pads say at the moment.

    Example::

        pad.handle(event)
        ahead, turn = pad.stick
    """

    def __init__(self) -> None:
        self._axes: dict[int, float] = {}
        self._pads: dict[int, Any] = {}  # pygame forgets a pad without a reference to it

    def handle(self, event: Any) -> None:
        """Take in one event; those of other devices are passed over."""
        if event.type == pygame.JOYAXISMOTION:
            self._axes[event.axis] = float(event.value)
        elif event.type == pygame.JOYDEVICEADDED:
            self._plug_in(event.device_index)
        elif event.type == pygame.JOYDEVICEREMOVED:
            self._pads.pop(event.instance_id, None)
            self._axes.clear()

    @property
    def stick(self) -> tuple[float, float]:
        """Ahead and to the left, each -1..1, of the left stick."""
        return -self._axis(STICK_Y), -self._axis(STICK_X)

    @property
    def look(self) -> tuple[float, float]:
        """Right and up, each -1..1, of the right stick."""
        return self._axis(LOOK_X), -self._axis(LOOK_Y)

    def _axis(self, number: int) -> float:
        value = self._axes.get(number, 0.0)
        return value if abs(value) > DEAD_ZONE else 0.0

    def _plug_in(self, index: int) -> None:
        try:
            pad = pygame.joystick.Joystick(index)
        except pygame.error:  # gone again before we looked
            return
        self._pads[pad.get_instance_id()] = pad
