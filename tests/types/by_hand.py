"""Annotations that say more, or less, than the compiler does: per kernel the arguments that are meant, or "return"."""

from __future__ import annotations

BY_HAND: dict[str, dict[str, str]] = {}
