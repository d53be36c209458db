"""The worlds of examples, for scenes.

Examples import `paludarium` by name, as games do. A checker that reads our folders as they lie takes the `World` from there
for another class than ours. It is told here, once, that they are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ..engine.world import World
from ..examples import crowd, thousand_drifters, walking_swarm

crowd_world = cast("Callable[..., World]", crowd.build_world)
drifting_world = cast("Callable[..., World]", thousand_drifters.build_world)
walking_world = cast("Callable[..., World]", walking_swarm.build_world)
