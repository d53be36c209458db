"""A server without window or display: it steps a world, answers questions as plain data, and saves now and then."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paludarium import World

SAVE_EVERY_TICKS = 120


class Server:
    """What a network layer would call: ``tick`` at a fixed rate, ``state`` for every client, ``order`` from them."""

    def __init__(self, world: World, save_file: Path) -> None:
        self.world, self.save_file = world, save_file

    def tick(self) -> None:
        self.world.step()
        if self.world.tick % SAVE_EVERY_TICKS == 0:
            self.world.save(self.save_file)

    def state(self) -> str:
        """Everything a client needs to draw, as JSON."""
        creatures: list[dict[str, Any]] = [
            {"name": c.name, "heading": round(c.heading, 3), "segments": c.segments.position.round(3).tolist()}
            for c in self.world.creatures.values()
        ]
        return json.dumps({"tick": self.world.tick, "creatures": creatures})

    def order(self, serial: int, x: float, y: float) -> None:
        self.world.creatures[serial].goto((x, y))


def build_world() -> World:
    world = World(seed=5)
    world.spawn("robot", at=(0.0, 0.0))
    world.spawn("pauropod", at=(0.0, 20.0))
    return world


def check(world: World) -> None:
    """A saved server continues exactly where it was."""
    with TemporaryDirectory() as folder:
        server = Server(world, Path(folder) / "server.palu")
        server.order(next(iter(world.creatures)), 10.0, 5.0)
        for _ in range(SAVE_EVERY_TICKS):
            server.tick()
        assert len(json.loads(server.state())["creatures"]) == 2
        world.save(server.save_file)
        assert World.load(server.save_file).state_hash() == world.state_hash()


def main() -> None:
    world = build_world()
    check(world)
    print("served", world.tick, "ticks")


if __name__ == "__main__":
    main()
