"""Checks of the walking and swimming rules run twice: with our defaults, and with the rules exactly as published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from paludarium.tests.reproduction.criteria import PROFILE


@pytest.fixture(params=["steady", "published"])
def profile(request: pytest.FixtureRequest, record_property: Callable[[str, Any], None]) -> str:
    """The profile of the ``[gait]`` or ``[muscles]`` table; the page has one column for each."""
    record_property(PROFILE, request.param)
    return str(request.param)
