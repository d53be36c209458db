"""Bring a rendered picture into a pygame window; the only module here that knows pygame, and only when called."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]


def show(pixels: NDArray[np.uint32], surface: Any, at: tuple[int, int] = (0, 0)) -> None:
    """Copy packed 0xRRGGBB pixels into a pygame Surface, clipped to it.

    A 32-bit surface with the usual channel order is written directly; others go through a conversion.

    Example::

        renderer.draw(scene, camera, time)
        show(renderer.pixels, pygame.display.get_surface())
    """
    import pygame

    pixels = pixels[max(-at[1], 0) :, max(-at[0], 0) :]
    at = (max(at[0], 0), max(at[1], 0))
    width = min(pixels.shape[1], surface.get_width() - at[0])
    height = min(pixels.shape[0], surface.get_height() - at[1])
    if width <= 0 or height <= 0:
        return
    if surface.get_bitsize() == 32 and surface.get_masks()[:3] == (0xFF0000, 0xFF00, 0xFF):
        target = pygame.surfarray.pixels2d(surface)
        opaque = np.uint32(surface.get_masks()[3] & 0xFFFFFFFF)
        picture = pixels[:height, :width]
        target[at[0] : at[0] + width, at[1] : at[1] + height] = (picture | opaque if opaque else picture).T
        return
    own = pygame.Surface((width, height), 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
    show(pixels, own)
    surface.blit(own, at)


def canvas(surface: Any, at: tuple[int, int], size: tuple[int, int]) -> NDArray[np.uint32] | None:
    """The (height, width) pixels of a rectangle of a Surface if a picture can be drawn straight into them, else None.

    The surface is locked until the array is gone: nothing can be blitted onto it meanwhile.

    Example::

        pixels = canvas(pygame.display.get_surface(), (0, 0), (1280, 720))
    """
    import pygame

    (left, top), (width, height) = at, size
    if surface.get_bitsize() != 32 or surface.get_masks() != (0xFF0000, 0xFF00, 0xFF, 0):
        return None
    if left < 0 or top < 0 or left + width > surface.get_width() or top + height > surface.get_height():
        return None
    pixels: NDArray[np.uint32] = pygame.surfarray.pixels2d(surface).T[top : top + height, left : left + width]
    return pixels if pixels.flags.c_contiguous and pixels.dtype == np.uint32 else None


def draw_lines(surface: Any, points: list[Any], colour: Colour, width: int) -> None:
    """An open line through screen points on a pygame Surface."""
    import pygame

    pygame.draw.lines(surface, colour, False, points, width)


def draw_circle(surface: Any, center: tuple[int, int], radius: int, colour: Colour, width: int = 0) -> None:
    """A ring, or with width 0 a disc, on a pygame Surface."""
    import pygame

    pygame.draw.circle(surface, colour, center, radius, width)


def is_image(thing: Any) -> bool:
    """Whether something is a pygame Surface."""
    import pygame

    return isinstance(thing, pygame.Surface)


def blit_turned(surface: Any, image: Any, center: tuple[int, int], angle: float, zoom: float) -> None:
    """Blit an image turned counter-clockwise by an angle (radians) and zoomed, around a screen point."""
    import pygame

    turned = pygame.transform.rotozoom(image, math.degrees(angle), zoom)
    surface.blit(turned, turned.get_rect(center=center))
