"""Ponds and what moves in them."""
