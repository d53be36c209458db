"""What every check of a source shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest


def plain(value: Any) -> Any:
    """A measured value without numpy: test processes exchange plain numbers only."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.fixture
def record_property(record_property: Callable[[str, Any], None]) -> Callable[[str, Any], None]:
    """As pytest's own, for numbers of numpy too."""
    return lambda name, value: record_property(name, plain(value))
