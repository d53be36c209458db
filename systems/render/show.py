"""Bring a rendered picture into a pygame window; the only module here that knows pygame, and only when called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def show(pixels: NDArray[np.uint32], surface: Any, at: tuple[int, int] = (0, 0)) -> None:
    """Copy packed 0xRRGGBB pixels into a pygame Surface, clipped to it.

    A 32-bit surface with the usual channel order is written directly; others go through a conversion.

    Example::

        renderer.draw(scene, camera, time)
        show(renderer.pixels, pygame.display.get_surface())
    """
    import pygame

    width, height = min(
        pixels.shape[1], surface.get_width() - at[0]), min(pixels.shape[0], surface.get_height() - at[1],
    )  # fmt: skip
    if width <= 0 or height <= 0:
        return
    if surface.get_bitsize() == 32 and surface.get_masks()[:3] == (0xFF0000, 0xFF00, 0xFF):
        target = pygame.surfarray.pixels2d(surface)
        opaque = np.uint32(surface.get_masks()[3] & 0xFFFFFFFF)
        picture = pixels[:height, :width]
        target[at[0] : at[0] + width, at[1] : at[1] + height] = (picture | opaque if opaque else picture).T
        return
    picture = pygame.Surface((width, height), 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
    show(pixels, picture)
    surface.blit(picture, at)
