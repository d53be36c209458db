"""Swimmers out of the water: how wet they are, how they move on land, and what leads them there and back."""
