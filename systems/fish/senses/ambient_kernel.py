"""How bright and how warm the water is at a place."""

# mypy: ignore-errors
from __future__ import annotations

from ....engine.kernel import kernel

BRIGHTNESS, TEMPERATURE = 0, 1  # rows of the table


@kernel()
def ambient_at(ambient, field, x, y, z):
    """Return brightness or temperature at a place, 0 to 1: a value and its change per unit along each axis."""
    value = ambient[field, 0] + ambient[field, 1] * x + ambient[field, 2] * y + ambient[field, 3] * z
    return min(max(value, 0.0), 1.0)
