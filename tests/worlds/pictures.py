"""The contact sheet: one row for each world, its pictures from left to right in the order of time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from paludarium.systems.render.output.image import rgb_bytes

from .scenes import MAPS, PICTURE_SECONDS, PICTURE_SHRINK, SIZE

SHEET = Path(__file__).resolve().parents[2] / "docs" / "images" / "worlds.png"
WIDTH, HEIGHT = SIZE[0] // PICTURE_SHRINK, SIZE[1] // PICTURE_SHRINK
COLOURS = 256


def save_sheet(path: Path, name: str, pictures: list[Any]) -> None:
    """Put the pictures of one world into its row of the sheet."""
    sheet = np.zeros((len(MAPS) * HEIGHT, len(PICTURE_SECONDS) * WIDTH, 3), np.uint8)
    if path.exists():
        with Image.open(path) as old:
            if old.size == (sheet.shape[1], sheet.shape[0]):
                sheet[:] = np.asarray(old.convert("RGB"))
    top = MAPS.index(name) * HEIGHT
    for place, pixels in enumerate(pictures):
        sheet[top : top + HEIGHT, place * WIDTH : (place + 1) * WIDTH] = rgb_bytes(pixels).reshape(HEIGHT, WIDTH, 3)
    Image.fromarray(sheet).quantize(COLOURS).save(path, optimize=True)
