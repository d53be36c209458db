"""What tests ask pools."""

from __future__ import annotations

from paludarium.engine.pool import Pool


def live_rows(pool: Pool) -> int:
    """How many rows of a pool are claimed now."""
    return int(pool.spans[:, 1].sum())
