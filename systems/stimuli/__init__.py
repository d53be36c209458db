"""What draws animals near or drives them away."""

from .stimuli import Stimuli, Stimulus

__all__ = ["Stimuli", "Stimulus"]
