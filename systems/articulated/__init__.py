"""Articulated swimmers: strokes, fluid windows, bodies of links, and how they are drawn.

This file is their part of the tick, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World


def build(world: World) -> None:
    """Register the systems of the articulated swimmers; called when the first of them is born."""
    del world
