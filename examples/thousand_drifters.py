"""A thousand bodies and one system of our own: how little a world costs beside its kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paludarium import Phase, World
from paludarium.components.segments import SegmentPool
from paludarium.engine.kernel import kernel

from ..engine.kernel_types import int64

if TYPE_CHECKING:
    from ..engine.kernel_types import Array


@kernel()
def drift(spans: Array, velocity: Array, position: Array, dt: float) -> None:
    """Update position from velocity. Thirty microseconds of work: a second thread takes as long to wake up."""
    for k in range(spans.shape[0]):
        first = int64(spans[k, 0])
        for i in range(first, first + spans[k, 1]):
            for c in range(3):
                position[i, c] += velocity[i, c] * dt


class DriftSystem:
    """The whole physics of this world."""

    def __init__(self, world: World) -> None:
        self.segments = world.pool(SegmentPool)

    def process(self, dt: float) -> None:
        drift(self.segments.spans, self.segments.velocity, self.segments.position, dt)


def build(world: World) -> None:
    """The plugin: one system, no built-in ones."""
    world.add_system(DriftSystem, phase=Phase.MOVE)


def build_world(count: int = 1000) -> World:
    world = World(seed=1, plugins=["paludarium.components", build])
    world.define_species("drifter", segments={"count": 18})
    for place in range(count):
        world.spawn("drifter", at=(place % 40 - 20.0, place // 40 - 12.0))
    velocity = world.pool(SegmentPool).velocity
    velocity[:] = (1.0, 0.5, 0.0)
    return world


def check(world: World) -> None:
    """Everybody moved by velocity times time."""
    first = next(iter(world.creatures.values()))
    head = first.segments.position[0]
    assert abs(head[0] - (-20.0 + world.time)) < 1e-9, head


def main() -> None:
    world = build_world()
    world.step(120)
    check(world)
    print(f"{len(world.creatures)} bodies drifted for {world.time:.0f} s")


if __name__ == "__main__":
    main()
