"""Hooks in the tick: lines are reeled, hooks hang in the flow, and what is caught is pulled along. There are few of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.segments import SegmentPool
from ...engine.pool import NO_OWNER
from .hooks import LONGEST_LINE, HookPool

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

LEAN = 0.15
"""Seconds: how far a line leans in a current, as a share of its length per u/s."""
STEEPEST = 0.5
"""Of the line: it never leans farther."""
FOLLOWS = 4.0
"""Per second: how fast a hook goes to where its line hangs."""
SLACK = 0.2
"""Units that a catch may be away from the hook before the line pulls."""
PULL = 60.0
"""Per s^2: acceleration of the catch per unit that it is farther away than that."""
DAMPING = 10.0
"""Per second: acceleration against its way relative to the hook."""
AT_THE_MOUTH, HEADS_WEIGHT = 0.3, 5.0
"""Share of the force that acts at the head, the rest by mass, and its limit as a multiple of the head's own share: a long
body would be torn from its head otherwise."""


class HooksSystem:
    """Update hooks and push what hangs on them."""

    def __init__(self, world: World) -> None:
        self._world, self._hooks, self._segments = world, world.pool(HookPool), world.pool(SegmentPool)

    def process(self, dt: float) -> None:
        pool, rows = self._hooks, self._hooks.spans[:, 0]
        if not rows.size:
            return
        self._hang(rows, dt)
        pool.pull[rows] = 0.0
        for row in rows[pool.caught[rows] != NO_OWNER].tolist():
            self._pull(row)

    def _hang(self, rows: Array, dt: float) -> None:
        """Move hooks to where their lines hang, at the surface where all of them is in."""
        pool, water = self._hooks, self._world.water
        top, depth = pool.line_top[rows], water.depth(pool.line_top[rows, :2])
        top[:, 2] = np.where(depth > 0.0, water.surface(top[:, :2]), top[:, 2])
        line = np.clip(pool.line[rows] - pool.reel_speed[rows] * dt, 0.0, np.minimum(np.maximum(depth, 0.0), LONGEST_LINE))
        lean = LEAN * self._world.sea.flow(np.ascontiguousarray(pool.position[rows]))
        steep = np.linalg.norm(lean, axis=1, keepdims=True)
        lean *= line[:, None] * np.minimum(1.0, STEEPEST / np.maximum(steep, STEEPEST))
        wanted = top + lean
        wanted[:, 2] -= np.sqrt(np.maximum(line**2 - (lean**2).sum(axis=1), 0.0))
        before = pool.position[rows]
        after = before + (wanted - before) * np.minimum(1.0, FOLLOWS * dt)
        after[:, 2] = np.where(pool.reel_speed[rows] != 0.0, wanted[:, 2], after[:, 2])
        pool.line_top[rows], pool.line[rows] = top, line
        pool.position[rows], pool.velocity[rows] = after, (after - before) / dt

    def _pull(self, row: int) -> None:
        """Pull what hangs on a hook; one that has left the world hangs there no more."""
        pool, segments = self._hooks, self._segments
        creature = self._world.creatures.get(int(pool.caught[row]))
        if creature is None or not creature.rows["segments"].size:
            pool.caught[row] = pool.caught_row[row] = NO_OWNER
            return
        own = creature.rows["segments"]
        way = pool.position[row] - segments.position[own.start]
        distance = float(np.linalg.norm(way))
        if distance <= SLACK:
            return
        wanted = PULL * (1.0 - SLACK / distance) * way + DAMPING * (pool.velocity[row] - segments.velocity[own.start])
        size = float(np.linalg.norm(wanted))
        pool.pull[row] = wanted * min(1.0, float(pool.strength[row]) / max(size, 1e-12))
        mass = segments.mass[own.slice]
        total = float(mass.sum())
        head = min(AT_THE_MOUTH, HEADS_WEIGHT * float(mass[0]) / total)
        segments.push[own.slice, :3] += (1.0 - head) * mass[:, None] * pool.pull[row]
        segments.push[own.start, :3] += head * total * pool.pull[row]
