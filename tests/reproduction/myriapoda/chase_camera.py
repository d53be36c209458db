"""The source's camera that follows a body from behind, without its sway. [Fang15 App. E]

Rebuilt for its check alone: pictures of the game look straight down (`Camera`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

STIFFNESS = 10.0  # 1/s, k [Fang15 App. E]
DISTANCE = 30.0  # u, d: behind the middle of the body [myriapoda 1.21]
TURN_ABOVE = math.radians(20.0)  # alpha_tau: a body that swings less is not followed around [myriapoda 1.21]
TURN_UNTIL = math.radians(2.0)  # once it turns, it turns until it looks along the body [myriapoda 1.21]
TURN_RATE = math.radians(90.0)  # rad/s [myriapoda 1.21]
RAISED, TILTED = 0.6, math.radians(30.0)  # of the distance, and down: how the final view is lifted above the body


class ChaseCamera:
    """A camera behind a body: it turns only when the body really turns, and keeps its distance by a spring.

    Example::

        camera = ChaseCamera(creature.position, creature.heading)
        for _ in range(600):
            world.step()
            camera.update(creature.position, creature.heading, world.clock.tick_seconds)
        eye, towards = camera.view()
    """

    def __init__(self, position: ArrayLike, heading: float, distance: float = DISTANCE) -> None:
        self.distance, self.heading, self._turning = distance, float(heading), False
        self.position: NDArray[np.float64] = np.asarray(position, dtype=np.float64) - distance * self.forward

    @property
    def forward(self) -> NDArray[np.float64]:
        """Where the camera looks, in the plane."""
        return np.array([math.cos(self.heading), math.sin(self.heading), 0.0])

    def update(self, position: ArrayLike, heading: float, dt: float) -> None:
        """Follow a body that is at `position` and looks along `heading` for a time step."""
        apart = math.remainder(heading - self.heading, 2.0 * math.pi)
        self._turning = abs(apart) > (TURN_UNTIL if self._turning else TURN_ABOVE)
        if self._turning:
            self.heading += math.copysign(min(TURN_RATE * dt, abs(apart)), apart)
        offset = np.asarray(position, dtype=np.float64) - self.position
        along = float(offset @ self.forward)
        # [Fang15 App. E], with the sign that closes the distance [myriapoda E-15]; it moves along its heading only, so what
        # lies to the side is taken up by the same spring [myriapoda 1.21]
        share = min(STIFFNESS * dt, 1.0)
        self.position += share * (float(np.linalg.norm(offset)) - self.distance) * self.forward
        self.position += share * (offset - along * self.forward)

    def view(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where the eye is and the direction it looks along: raised above the body and tilted down to it."""
        eye = self.position + np.array([0.0, 0.0, RAISED * self.distance])
        return eye, math.cos(TILTED) * self.forward - np.array([0.0, 0.0, math.sin(TILTED)])
