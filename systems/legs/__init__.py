"""Legs of any family: where their joints are in the world."""
