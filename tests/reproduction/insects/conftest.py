"""Checks that the walker of the game has too run twice: with it, and with the model as published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from paludarium.tests.reproduction.criteria import PROFILE


@pytest.fixture(params=["steady", "published"])
def profile(request: pytest.FixtureRequest, record_property: Callable[[str, Any], None]) -> str:
    """Which ant is measured; the page has one column for each."""
    record_property(PROFILE, request.param)
    return str(request.param)
