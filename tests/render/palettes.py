"""Looks of myriapods for tests of the renderer: rows of colours and numbers, as those of species have them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paludarium.systems.myriapod.painter.colour_row import (
    ANTENNA_BASE,
    ANTENNA_TIP,
    ANTENNA_WIDTH,
    APPEARANCE_FIELDS,
    EYES,
    FEMUR,
    FLANK,
    FORCIPULES,
    GLOSS,
    HEAD,
    LEG_WIDTH,
    PLATE,
    RIM_GAIN,
    RINGS,
    TAIL_LEGS,
    TAPER,
    TARSUS,
    TIBIA,
    TISSUE,
    WIDTH,
)
from paludarium.systems.render.scene.light import linear

_COLOURS = {"plate": PLATE, "tissue": TISSUE, "femur": FEMUR, "tibia": TIBIA, "tarsus": TARSUS, "head": HEAD,
            "antenna_base": ANTENNA_BASE, "antenna_tip": ANTENNA_TIP}  # fmt: skip
_NUMBERS = {"width": WIDTH, "leg_width": LEG_WIDTH, "gloss": GLOSS, "rim": RIM_GAIN, "forcipules": FORCIPULES,
            "tail_legs": TAIL_LEGS, "rings_per_segment": RINGS, "antenna_width": ANTENNA_WIDTH, "taper": TAPER,
            "eyes": EYES, "flank": FLANK}  # fmt: skip

_CENTIPEDE: dict[str, str | float] = {
    "width": 1.0, "leg_width": 1.0, "gloss": 0.62, "rim": 0.16, "forcipules": 1.0, "tail_legs": 1.0,
    "rings_per_segment": 1.0, "antenna_width": 1.0, "taper": 0.16, "eyes": 1.0, "flank": 1.0,
}  # fmt: skip
_MILLIPEDE: dict[str, str | float] = {
    **_CENTIPEDE, "gloss": 0.85, "rim": 0.30, "forcipules": 0.0, "tail_legs": 0.0, "rings_per_segment": 2.0,
    "taper": 0.25, "leg_width": 0.55, "antenna_width": 0.8, "flank": 0.0,
}  # fmt: skip
# Colours of [look 5].
PALETTES: dict[str, dict[str, str | float]] = {
    "rust": {**_CENTIPEDE, "plate": "#8C3C22", "tissue": "#24120F", "femur": "#B5702A", "tibia": "#DDA23A",
             "tarsus": "#EBC05A", "head": "#7A2A18", "antenna_base": "#A8562A", "antenna_tip": "#DDA048"},
    "maroon": {**_CENTIPEDE, "plate": "#6A2E26", "tissue": "#1C1112", "femur": "#A8682C", "tibia": "#CF963A",
               "tarsus": "#DDB45A", "head": "#8A3E20", "antenna_base": "#9A522C", "antenna_tip": "#CF9448"},
    "olive": {**_CENTIPEDE, "plate": "#5B4A22", "tissue": "#17150F", "femur": "#B79A3E", "tibia": "#D9C05A",
              "tarsus": "#E4D27E", "head": "#8A4A1E", "antenna_base": "#9A7A34", "antenna_tip": "#D0B25A"},
    "black_millipede": {**_MILLIPEDE, "plate": "#2B2426", "tissue": "#151214", "femur": "#8E3B2A", "tibia": "#A54A34",
                        "tarsus": "#B5563A", "head": "#201A1C", "antenna_base": "#8E3B2A", "antenna_tip": "#B5563A"},
    "brown_millipede": {**_MILLIPEDE, "plate": "#3A2A20", "tissue": "#1A1310", "femur": "#9A5A34", "tibia": "#AE6A3C",
                        "tarsus": "#C08048", "head": "#2A201A", "antenna_base": "#A8602A", "antenna_tip": "#C88A3A"},
    "robot": {**_CENTIPEDE, "plate": "#8F979C", "tissue": "#24282C", "femur": "#3C444C", "tibia": "#C8782A",
              "tarsus": "#2A2E32", "head": "#A4ACB0", "antenna_base": "#50585E", "antenna_tip": "#D8842E",
              "gloss": 0.9, "forcipules": 0.0, "tail_legs": 0.0, "taper": 0.0, "flank": 0.0},
    "smooth": {**_CENTIPEDE, "plate": "#4E6E7C", "tissue": "#2A3C44", "femur": "#4A6A74", "tibia": "#5E8088",
               "tarsus": "#7A9AA0", "head": "#466672", "antenna_base": "#4A6A74", "antenna_tip": "#7A9AA0",
               "forcipules": 0.0, "tail_legs": 0.0, "flank": 0.0},
}  # fmt: skip


def appearance_row(palette: str = "rust", **changes: str | float) -> NDArray[np.float32]:
    """One row of the appearance table: a named palette with single entries replaced.

    Colours are display hex strings, everything else a number (1 = as drawn in the concept).

    Example::

        appearance_row("rust", plate="#703018", leg_width=1.2)
    """
    row = np.zeros(APPEARANCE_FIELDS, dtype=np.float32)
    for name, value in {**PALETTES[palette], **changes}.items():
        if name in _COLOURS:
            row[_COLOURS[name] : _COLOURS[name] + 3] = linear(str(value))
        elif name in _NUMBERS:
            row[_NUMBERS[name]] = float(value)
        else:
            raise ValueError(f"unknown appearance entry {name!r}; known: {sorted([*_COLOURS, *_NUMBERS])}")
    return row
