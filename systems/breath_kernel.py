"""How long an animal has been out of the water."""

from __future__ import annotations

from ..engine.kernel import kernel


@kernel(refcount=False)
def seconds_in_air(before: float, in_air: bool, dt: float) -> float:
    """Return the seconds out of the water a tick later: counted from when the animal was last in it."""
    return before + dt if in_air else 0.0
