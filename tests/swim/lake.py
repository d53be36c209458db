"""A world that is all still water, for tests of muscles: a stand-in for the water sampler."""

from paludarium import World
from paludarium.components.segments import SegmentPool

EEL = {"segments": {"count": 8}, "tissue": {}, "body": {}, "muscles": {}}


class Lake:
    """Still water of one level everywhere; a segment is submerged when its centre is below."""

    def __init__(self, world):
        self.segments, self.level = world.pool(SegmentPool), 50.0

    def process(self, dt):  # noqa: ARG002 - as all systems
        s = self.segments
        s.water_level[: s.end] = self.level
        s.submerged[: s.end] = s.position[: s.end, 2] < self.level


def lake_world() -> World:
    world = World(seed=1, map="flat")
    world.add_system(Lake, before="MuscleSystem")
    world.define_species("eel", **EEL)
    return world
