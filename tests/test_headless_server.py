"""The headless server answers whatever a client sends: wrong messages with an error, and the connection stays."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

from paludarium.examples.headless_server import LONGEST_LINE, Server, build_world, listen

WRONG = [
    b"", b"   ", b"no json", b"{", b'{"order": "goto"', b"\xff\xfe\x00", b"null", b"true", b"7", b"NaN", b'"goto"', b"[]",
    b"[" * 2000, b'{"a":' * 800, b"1" * 4000, b"{}", b'{"ask": "everything"}', b'{"ask": ["state"]}', b'{"ask": {"a": 1}}',
    b'{"order": "explode", "creature": 1}', b'{"order": ["goto"], "creature": 1}', b'{"order": null, "creature": 1}',
    b'{"order": "goto", "creature": 99, "at": [0, 0]}', b'{"order": "goto", "creature": "1", "at": [0, 0]}',
    b'{"order": "goto", "creature": true, "at": [0, 0]}', b'{"order": "goto", "creature": [1], "at": [0, 0]}',
    b'{"order": "goto", "creature": 1}', b'{"order": "goto", "creature": 1, "at": 3}',
    b'{"order": "goto", "creature": 1, "at": []}',
    b'{"order": "goto", "creature": 1, "at": [NaN, 0]}', b'{"order": "goto", "creature": 1, "at": [1e999, 0]}',
    b'{"order": "goto", "creature": 1, "at": [[1], 0]}', b'{"order": "goto", "creature": 1, "at": {"x": 1, "y": 2}}',
    b'{"order": "control", "creature": 1}', b'{"order": "control", "creature": 1, "speed": "fast"}',
    b'{"order": "control", "creature": 1, "speed": Infinity}', b'{"order": "control", "creature": 1, "speed": [1, 2]}',
    b'{"order": "sever", "creature": 1, "joint": "x"}', b'{"order": "sever", "creature": 1, "joint": 99}',
    b'{"order": "sever", "creature": 1, "joint": -1e300}', b'{"order": "sever", "creature": 1, "joint": null}',
    b"x" * (LONGEST_LINE + 1), b"x" * (10 * LONGEST_LINE),
]  # fmt: skip


@pytest.fixture
def server(tmp_path) -> Server:
    return Server(build_world(), tmp_path / "server.palu")


async def answers(server: Server, lines: list[bytes]) -> list[dict]:
    """What a client hears that sends all these lines over one connection, and then asks for the state."""
    listening = await listen(server)
    reader, writer = await asyncio.open_connection("127.0.0.1", listening.sockets[0].getsockname()[1], limit=10**6)
    heard = []
    for line in [*lines, b'{"ask": "state"}']:
        writer.write(line + b"\n")
        heard.append(json.loads(await reader.readline()))
    writer.close()
    listening.close()
    await asyncio.sleep(0)
    return heard


def test_wrong_messages_are_answered_with_an_error_and_change_nothing(server):
    before = server.world.state_hash()
    *errors, state = asyncio.run(answers(server, WRONG))
    for line, answer in zip(WRONG, errors, strict=True):
        assert set(answer) == {"error"}, line
        assert len(answer["error"]) <= LONGEST_LINE
    assert len(state["creatures"]) == 2
    assert server.world.state_hash() == before


def test_damaged_orders_never_end_the_connection(server):
    draw = random.Random(3)
    good = b'{"order": "goto", "creature": 1, "at": [3.5, 4.0]}'
    lines = []
    for _ in range(300):
        line = bytearray(good)
        for _ in range(draw.randint(1, 4)):
            line[draw.randrange(len(line))] = draw.choice([draw.randrange(256), *b'{}[]",:0-.e'])
        lines.append(bytes(line).replace(b"\n", b" "))
    *heard, state = asyncio.run(answers(server, lines))
    assert all(set(answer) in ({"error"}, {"done", "tick"}) for answer in heard)
    assert sum("error" in answer for answer in heard) > 100
    assert len(state["creatures"]) == 2


def test_a_last_line_without_an_end_is_answered_too(server):
    async def talk() -> bytes:
        listening = await listen(server)
        reader, writer = await asyncio.open_connection("127.0.0.1", listening.sockets[0].getsockname()[1])
        writer.write(b'{"ask": "nothing"}')
        writer.write_eof()
        answer = await reader.readline()
        assert await reader.read() == b""
        writer.close()
        listening.close()
        return answer

    assert b"error" in asyncio.run(talk())
