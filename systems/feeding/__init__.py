"""Eating: who reaches which food, and what it is worth."""
