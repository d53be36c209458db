"""Annotations that say more, or less, than the compiler does: per kernel the arguments that are meant, or "return".

Kernels that no tour meets are annotated by the names of their arguments and by what they hand them to, which cannot tell
what they return.
"""

from __future__ import annotations

BY_HAND: dict[str, dict[str, str]] = {
    "paludarium.lab.insect.switching_kernel.is_inside": {"a": "Numbers", "b": "Numbers", "c": "Numbers"},
    "paludarium.systems.articulated.painter.tube_model_kernel.lay_guides": {"parts": "Array"},
    "paludarium.systems.articulated.painter.tube_model_kernel.station_place": {"return": "float"},
    "paludarium.systems.insect.painter.insect_model_kernel.lay_insect": {
        "return": "tuple[int, float, float, float, float, float]"
    },
    "paludarium.systems.insect.painter.insect_model_kernel.lay_limbs": {"legs": "Array", "antennae": "Array"},
    "paludarium.systems.orders.orders_kernel.follow_paths": {"return": "int"},
    "paludarium.systems.render.creatures.simple_shapes_kernel.put_ellipsoid": {"return": "int"},
    "paludarium.systems.render.creatures.simple_shapes_kernel.put_shapes": {"return": "int"},
    "paludarium.systems.render.creatures.simple_shapes_kernel.put_spots": {"return": "int"},
}
