"""What systems share beside the pools, found by type: ``world.resource(SpatialIndex)``."""

from __future__ import annotations

from typing import Any, TypeVar

from .errors import PluginError

Kind = TypeVar("Kind")


class Resources:
    """One thing per type. A resource with a method ``forget_mod(name)`` is told when a mod is taken out.

    Example::

        world.add_resource(Weather(world))
        world.resource(Weather).rain()
    """

    def __init__(self) -> None:
        self.by_kind: dict[type, Any] = {}

    def __contains__(self, kind: object) -> bool:
        return kind in self.by_kind

    def add(self, value: Any, kind: type | None = None) -> None:
        """Keep a value under its own type, or under the `kind` it serves as."""
        kind = type(value) if kind is None else kind
        if kind in self.by_kind:
            raise PluginError(f"this world has a {kind.__name__} already")
        self.by_kind[kind] = value

    def get(self, kind: type[Kind]) -> Kind:
        """The resource of a type."""
        if kind not in self.by_kind:
            raise PluginError(f"this world has no {kind.__name__}: no installed plugin has added one")
        value: Kind = self.by_kind[kind]
        return value

    def find(self, kind: type[Kind]) -> Kind | None:
        """The resource of a type, or None."""
        return self.by_kind.get(kind)
