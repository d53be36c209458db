"""The one error of the water package."""

from __future__ import annotations

from ..errors import PaludariumError


class WaterError(PaludariumError, ValueError):
    """A pond could not be made or was given something impossible; the message says what and what is allowed."""
