"""Images of the host's that ride on segments, drawn over the finished picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..scene.camera import Camera
from .pygame_surface import blit_turned, is_image

SPRITE_SCALE = 18.0  # px per unit at which an image is shown in its own size
LARGEST_SPRITE = 2048.0  # px; a larger one would fill the picture anyway
SMALLEST_SPRITE = 1.0  # px


def draw_sprites(surface: Any, camera: Camera, sprites: Iterable[tuple[Any, Any, float]]) -> None:
    """Blit (image, world position, angle) triples, turned and zoomed with the world.

    Images are pygame surfaces that look to the right (east) at angle 0; anything else is passed over.

    Example::

        draw_sprites(screen, camera, [(hat, head_position, head_angle)])
    """
    zoom = camera.pixels_per_unit / SPRITE_SCALE
    for image, position, angle in sprites:
        if not is_image(image):
            continue
        x, y = camera.to_screen(position[:2])
        size = zoom * max(image.get_size())
        reach = 1.5 * size
        if not (math.isfinite(x) and math.isfinite(y) and SMALLEST_SPRITE <= size <= LARGEST_SPRITE):
            continue
        if -reach < x < surface.get_width() + reach and -reach < y < surface.get_height() + reach:
            blit_turned(surface, image, (round(x), round(y)), angle, zoom)
