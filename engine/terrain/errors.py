"""The one error of the terrain package."""


class TerrainError(ValueError):
    """A terrain could not be built or queried; the message says what is wrong and what is allowed."""
