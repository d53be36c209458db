"""Fishes: how they are drawn."""
