"""The one error of the terrain package."""

from __future__ import annotations

from ..errors import PaludariumError


class TerrainError(PaludariumError, ValueError):
    """A terrain could not be built or queried; the message says what is wrong and what is allowed."""
