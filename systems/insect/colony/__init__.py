"""Colonies: nests, trails, what ants carry home, and how they meet."""
