"""A server without window or display: it steps a world at a fixed rate and serves it to clients over TCP.

One JSON object per line in both directions. A client sends ``{"order": "goto", "creature": 1, "at": [3, 4]}`` (any verb
of `ORDERS`) or ``{"ask": "state"}``, and is answered; ``{"ask": "watch"}`` makes the server send the state at every
broadcast. Whatever else arrives, an answer says what is wrong with it, and the connection stays. It listens on this machine
only: whoever can connect can give orders. ``python -m paludarium.examples.headless_server [PORT]``
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paludarium import PaludariumError, World

SAVE_EVERY_TICKS = 120
BROADCAST_EVERY_TICKS = 6
LONGEST_LINE = 4096  # bytes; a longer one is refused and passed over
MOST_UNSENT = 1_000_000  # bytes that wait for a watcher who does not read; then it is let go
PORT = 8765

ORDERS: dict[str, Callable[[Any, dict[str, Any]], object]] = {
    "goto": lambda creature, order: creature.goto(order["at"]),
    "flee_from": lambda creature, order: creature.flee_from(order["at"]),
    "control": lambda creature, order: creature.control(order["speed"], order.get("turn", 0.0)),
    "release": lambda creature, _order: creature.release(),
    "sever": lambda creature, order: creature.sever(order["joint"]),
}


class Server:
    """Ticks a world, answers messages, and saves now and then. All of it in one thread: a world is not shared."""

    def __init__(self, world: World, save_file: Path) -> None:
        self.world, self.save_file = world, save_file
        self.watchers: set[asyncio.StreamWriter] = set()

    def tick(self) -> None:
        self.world.step()
        if self.world.tick % SAVE_EVERY_TICKS == 0:
            self.world.save(self.save_file)

    def state(self) -> dict[str, Any]:
        """Everything a client needs to draw, as plain data."""
        creatures = [
            {"serial": c.serial, "name": c.name, "faction": c.faction, "heading": round(c.heading, 3),
             "segments": c.segments.position.round(3).tolist()}
            for c in self.world.creatures.values()
        ]  # fmt: skip
        return {"tick": self.world.tick, "creatures": creatures}

    def answer(self, line: bytes) -> dict[str, Any]:
        """Obey one message. A wrong one is answered with what is wrong, and changes nothing."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as problem:
            return {"error": f"no JSON: {type(problem).__name__}"}
        if not isinstance(message, dict):
            return {"error": "a message is an object with an order or a question"}
        if message.get("ask") in ("state", "watch"):
            return self.state()
        order, serial = message.get("order"), message.get("creature")
        if not isinstance(order, str) or order not in ORDERS:
            return {"error": f"no such order; known: {', '.join(ORDERS)}, or ask for state or watch"}
        if type(serial) is not int or serial not in self.world.creatures:
            return {"error": "no creature has this serial number"}
        try:
            ORDERS[order](self.world.creatures[serial], message)
        except (PaludariumError, ValueError, TypeError, LookupError, ArithmeticError) as problem:
            return {"error": f"{type(problem).__name__}: {problem}"[:LONGEST_LINE]}
        return {"done": order, "tick": self.world.tick}

    async def serve_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (line := await next_line(reader)) is not None:
                answer = self.answer(line) if line else {"error": f"allowed are lines of 1 to {LONGEST_LINE} bytes"}
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
                if b'"watch"' in line and "error" not in answer:
                    self.watchers.add(writer)
        except ConnectionError:  # gone
            pass
        finally:
            self.watchers.discard(writer)
            writer.close()

    def broadcast(self) -> None:
        line = json.dumps(self.state()).encode() + b"\n"
        for writer in tuple(self.watchers):
            if writer.transport.get_write_buffer_size() > MOST_UNSENT:
                self.watchers.discard(writer)
                writer.transport.abort()
            else:
                writer.write(line)

    async def run(self, ticks: int | None = None, rate: float | None = None) -> None:
        """Tick at a rate per second (None: as fast as clients allow), for ever or for so many ticks."""
        while ticks is None or self.world.tick < ticks:
            self.tick()
            if self.world.tick % BROADCAST_EVERY_TICKS == 0:
                self.broadcast()
            await asyncio.sleep(0.0 if rate is None else 1.0 / rate)


async def next_line(reader: asyncio.StreamReader) -> bytes | None:
    """The next line; empty in place of one that is too long, None at the end."""
    too_long = False
    while True:
        try:
            line = await reader.readuntil(b"\n")
            return b"" if too_long else line.strip()
        except asyncio.LimitOverrunError as problem:
            too_long = True
            await reader.readexactly(problem.consumed)
        except asyncio.IncompleteReadError as problem:  # the end, perhaps without an end of line
            return problem.partial.strip() or None


async def listen(server: Server, port: int = 0) -> asyncio.Server:
    return await asyncio.start_server(server.serve_client, "127.0.0.1", port, limit=LONGEST_LINE)


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, **message: Any) -> dict[str, Any]:
    """The whole client: send a line, read a line."""
    writer.write(json.dumps(message).encode() + b"\n")
    await writer.drain()
    answer: dict[str, Any] = json.loads(await reader.readline())
    return answer


def build_world() -> World:
    world = World(seed=5)
    world.spawn("robot", at=(0.0, 0.0))
    world.spawn("pauropod", at=(0.0, 20.0))
    return world


async def serve_two_clients(server: Server) -> None:
    """One client gives orders, the other watches; both talk to a server that goes on ticking."""
    listening = await listen(server)
    port = listening.sockets[0].getsockname()[1]
    player, watcher = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
    ticking = asyncio.create_task(server.run(server.world.tick + SAVE_EVERY_TICKS))
    serial = next(iter(server.world.creatures))
    assert (await ask(*player, order="goto", creature=serial, at=[10.0, 5.0]))["done"] == "goto"
    assert "error" in await ask(*player, order="goto", creature=999, at=[0, 0])
    assert "error" in await ask(*player, order="explode", creature=serial)
    assert "error" in await ask(*player, order="goto", creature=serial, at=["x", None])
    for nonsense in (b"no json", b"[]", b"7", b'{"order": [1]}', b"", b"x" * 3 * LONGEST_LINE):
        player[1].write(nonsense + b"\n")
        assert "error" in json.loads(await player[0].readline())
    first = await ask(*watcher, ask="watch")
    later = [json.loads(await watcher[0].readline()) for _ in range(3)]
    assert [len(state["creatures"]) for state in (first, *later)] == [2] * 4
    assert later[-1]["tick"] > first["tick"]
    await ticking
    for _, writer in (player, watcher):
        writer.close()
    listening.close()
    await asyncio.sleep(0)


def check(world: World) -> None:
    """Clients are served while the world ticks, orders are obeyed, and a saved server continues exactly where it was."""
    with TemporaryDirectory() as folder:
        server = Server(world, Path(folder) / "server.palu")
        asyncio.run(serve_two_clients(server))
        assert next(iter(world.creatures.values())).brain.goal.name == "GOTO"
        assert server.save_file.exists()
        world.save(server.save_file)
        assert World.load(server.save_file).state_hash() == world.state_hash()


async def main(port: int) -> None:
    server = Server(build_world(), Path("server.palu"))
    listening = await listen(server, port)
    print("serving on", listening.sockets[0].getsockname())
    await server.run(rate=server.world.tick_rate)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else PORT))
