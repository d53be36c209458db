"""Whether the criterion of a source holds: said for the page by those checks in which it may not.

A test asserts what we measure; the page also says whether that is what the source or the digest asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PROPERTY = "criterion"
PROFILE = "profile"
"""The property that says for which column of the page a test has measured."""


def criterion(record_property: Callable[[str, Any], None], *, holds: bool, why_not: str) -> None:
    """Write down whether the source's criterion holds; the page gives the reason where it does not.

    Example::

        criterion(record_property, holds=worst < 0.05, why_not="tops that curve more than the body can bend")
    """
    record_property(PROPERTY, "yes" if holds else f"no: {why_not}")
