"""Ponds in the picture: the bed below, the light that passes, waves and ripples."""
