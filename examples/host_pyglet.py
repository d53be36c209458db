"""Another engine, another loop: pyglet draws our creatures by plain state access, without our renderer and without pygame.

``python -m paludarium.examples.host_pyglet``; the mouse leads the swarm.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from paludarium import LegState, World
from paludarium.components.legs import LegPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.props import FoodPool

SIZE = (960, 540)
PIXELS_PER_UNIT = 14.0
SWARM = 6
GROUND = (0.23, 0.20, 0.15, 1.0)
TISSUE, PLATE, HEAD = (70, 34, 24), (176, 84, 46), (120, 46, 28)
LEG, FOOT, FEELER, FRUIT = (222, 172, 80), (250, 246, 230), (235, 200, 130), (200, 60, 70)


class Swarm:
    """The part of the game that has nothing to do with pyglet: a world, and lines to draw from its columns."""

    def __init__(self) -> None:
        self.world = World(seed=11, precision="float32")
        self.creatures = self.world.spawn("pauropod", count=SWARM, spread=14.0)
        self.world.add_food((6.0, 3.0))

    def update(self, seconds: float) -> None:
        self.world.update(seconds)

    def lead(self, x: float, y: float) -> None:
        self.creatures[0].goto(self.to_world(x, y))
        for other in self.creatures[1:]:
            other.follow(self.creatures[0])

    def to_screen(self, points: np.ndarray) -> np.ndarray:
        """World (n, 2 or 3) to pixels (n, 2); pyglet's y goes up, as the world's does."""
        return np.asarray(points)[:, :2] * PIXELS_PER_UNIT + np.array(SIZE) / 2.0

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        return (x - SIZE[0] / 2.0) / PIXELS_PER_UNIT, (y - SIZE[1] / 2.0) / PIXELS_PER_UNIT

    def bodies(self) -> list[np.ndarray]:
        """One chain of pixels per creature, head first."""
        return [self.to_screen(creature.segments.position) for creature in self.creatures if creature.in_world]

    def feelers(self) -> list[np.ndarray]:
        """One chain of pixels per antenna, root to tip."""
        return [self.to_screen(points) for c in self.creatures if c.in_world for points in c.antennae.points]

    def food(self) -> np.ndarray:
        return self.to_screen(self.world.pool(FoodPool).live("position"))

    def legs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All legs of all creatures at once: (n, 2) carriers and feet in pixels, (n,) whether the foot stands."""
        legs, segments = self.world.pool(LegPool), self.world.pool(SegmentPool)
        carriers = segments.position[legs.live("segment_row")]
        return self.to_screen(carriers), self.to_screen(legs.live("tip")), legs.live("state") == LegState.STANCE


def play(seconds: float | None = None) -> Swarm:
    """Open a pyglet window and run its own loop; `seconds` ends it."""
    import pyglet

    swarm, window = Swarm(), pyglet.window.Window(*SIZE, caption="paludarium in pyglet")
    pyglet.gl.glClearColor(*GROUND)

    @window.event
    def on_draw() -> None:
        window.clear()
        batch = pyglet.graphics.Batch()
        kept = add_shapes(pyglet.shapes, batch, swarm)  # a shape that nobody holds is not drawn
        batch.draw()
        del kept

    @window.event
    def on_mouse_motion(x: float, y: float, _dx: float, _dy: float) -> None:
        swarm.lead(x, y)

    pyglet.clock.schedule_interval(swarm.update, 1.0 / 60.0)
    if seconds is not None:
        pyglet.clock.schedule_once(lambda _dt: pyglet.app.exit(), seconds)
    pyglet.app.run()
    window.close()
    return swarm


def add_shapes(shapes: Any, batch: Any, swarm: Swarm) -> list[Any]:
    """Food, legs, feelers and bodies as pyglet shapes, from the ground up."""
    width = 0.55 * PIXELS_PER_UNIT
    kept = [shapes.Circle(*point, 0.4 * PIXELS_PER_UNIT, color=FRUIT, batch=batch) for point in swarm.food()]
    for start, end, standing in zip(*swarm.legs(), strict=True):
        kept.append(shapes.Line(*start, *end, 2, color=LEG, batch=batch))
        if standing:
            kept.append(shapes.Circle(*end, 2, color=FOOT, batch=batch))
    for feeler in swarm.feelers():
        kept += [shapes.Line(*a, *b, 1.5, color=FEELER, batch=batch) for a, b in zip(feeler, feeler[1:], strict=False)]
    for chain in swarm.bodies():
        kept += [shapes.Line(*a, *b, 1.2 * width, color=TISSUE, batch=batch) for a, b in zip(chain, chain[1:], strict=False)]
        kept += [shapes.Circle(*point, width, color=PLATE, batch=batch) for point in chain[1:]]
        kept.append(shapes.Circle(*chain[0], 1.15 * width, color=HEAD, batch=batch))
    return kept


def build_world() -> World:
    """For the tests: the game's own loop without a window, a frame of which takes a sixtieth of a second."""
    swarm = Swarm()
    swarm.lead(SIZE[0] * 0.75, SIZE[1] / 2.0)
    for _ in range(60):
        swarm.update(1.0 / 60.0)
    chains, (hips, feet, standing) = swarm.bodies(), swarm.legs()
    assert len(chains) == SWARM
    assert hips.shape == feet.shape == (sum(2 * len(c.legs) for c in swarm.creatures), 2)
    assert np.hypot(*(feet - hips).T).max() < 3.0 * PIXELS_PER_UNIT  # every leg is drawn at its own body
    assert standing.any()
    assert len(swarm.feelers()) == 2 * SWARM
    assert len(swarm.food()) == 1
    np.testing.assert_allclose(swarm.to_world(*chains[0][0]), swarm.creatures[0].position[:2], atol=1e-9)
    return swarm.world


def check(world: World) -> None:
    """The leader goes where the mouse was, and the others follow it."""
    leader, *others = world.creatures.values()
    assert leader.brain.goal.name == "GOTO"
    assert all(other.brain.goal.name == "FOLLOW" for other in others)
    before = leader.distance_to((17.1, 0.0))
    world.step(240)
    assert leader.distance_to((17.1, 0.0)) < max(before - 3.0, 2.0)


if __name__ == "__main__":
    play(float(sys.argv[1]) if len(sys.argv) > 1 else None)
