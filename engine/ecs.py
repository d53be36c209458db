"""One named esper context per world. esper keeps its worlds in module state; a host that uses esper itself must never
notice us, so every call of ours enters the world's own context and puts back whatever was active before."""

from __future__ import annotations

import uuid
import weakref
from threading import RLock
from typing import Any

import esper

_SWITCHING = RLock()
"""esper has one active context for the whole process: while a thread is in one of ours, those with other worlds wait."""


class EcsContext:
    """Enter to make esper's functions work on this world's entities; the host's context returns on exit.

    Example::

        with world.ecs:
            for entity, (legs, brain) in esper.get_components(Legs, Brain):
                ...
    """

    def __init__(self) -> None:
        self.name = f"paludarium-{uuid.uuid4().hex}"
        self._before: list[str] = []
        with self:
            pass  # switching creates the context
        weakref.finalize(self, _forget, self.name).atexit = False  # at exit a host may still save its world

    def __enter__(self) -> EcsContext:
        _SWITCHING.acquire()
        self._before.append(esper.current_world)
        if esper.current_world != self.name:
            esper.switch_world(self.name)
        return self

    def __exit__(self, *problem: object) -> None:
        try:
            before = self._before.pop()
            if before != esper.current_world:
                # A context the host deleted meanwhile would be created anew by a blind switch.
                esper.switch_world(before if before in esper.list_worlds() else "default")
        finally:
            _SWITCHING.release()

    def create(self, *components: Any) -> int:
        with self:
            return int(esper.create_entity(*components))

    def delete(self, entity: int) -> None:
        with self:
            esper.delete_entity(entity, immediate=True)


def _forget(name: str) -> None:
    if name != esper.current_world and name in esper.list_worlds():
        esper.delete_world(name)
