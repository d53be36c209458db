"""The contact sheet: one row for each world, its pictures from left to right in the order of time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from paludarium.systems.render.output.image import rgb_bytes

from .scenes import MAPS, PICTURE_SHRINK, SIZE

SHEET = Path(__file__).resolve().parents[2] / "docs" / "images" / "worlds.png"
WIDTH, HEIGHT = SIZE[0] // PICTURE_SHRINK, SIZE[1] // PICTURE_SHRINK
COLOURS = 256


def save_sheet(path: Path, name: str, pictures: list[Any]) -> None:
    """Put the pictures of one world into its row of the sheet."""
    older = np.zeros((len(MAPS) * HEIGHT, 0, 3), np.uint8)
    if path.exists():
        with Image.open(path) as file:
            found = np.asarray(file.convert("RGB"))
        older = found if len(found) == len(older) else older
    width = max(len(pictures) * WIDTH, older.shape[1])  # a world that was watched for less has fewer pictures
    sheet = np.zeros((len(older), width, 3), np.uint8)
    sheet[:, : older.shape[1]] = older
    top = MAPS.index(name) * HEIGHT
    for place, pixels in enumerate(pictures):
        sheet[top : top + HEIGHT, place * WIDTH : (place + 1) * WIDTH] = rgb_bytes(pixels).reshape(HEIGHT, WIDTH, 3)
    Image.fromarray(sheet).quantize(COLOURS).save(path, optimize=True)
