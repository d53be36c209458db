"""Every event that the package tells: whose it is, what it carries, and where it is told.

A new event goes here: a row below, and ``world.emit(name, creature, **fields)`` in the module that the row names. The world
then knows it, `world.on` takes it, and the table of docs/embedding.md is compared with these rows. Events of a mod or a
game are declared by itself: ``world.events.declare("grew")``. How events wait and are told: ``engine/events.py``.
"""

from __future__ import annotations

from typing import NamedTuple


class EventKind(NamedTuple):
    """One kind of event."""

    name: str
    whose: str
    fields: tuple[str, ...]
    told_by: tuple[str, ...]
    """Modules, as paths in the package."""


EVENTS = (
    EventKind("born", "all", (), ("engine/spawning.py", "systems/myriapod/sever.py")),
    EventKind("gone", "all", ("name", "serial"), ("engine/lifecycle.py",)),
    EventKind("mod_failed", "", ("mod", "problem"), ("engine/plugins.py",)),
    EventKind("ate", "all", ("food", "amount", "left", "prey"), ("systems/feeding/system.py",)),
    EventKind("died", "all", ("cause", "by"), ("systems/feeding/system.py", "systems/orders/orders.py")),
    EventKind("push_limited", "all", ("segment", "asked", "most"), ("systems/orders/orders.py",)),
    EventKind("went_wrong", "all", ("name", "serial", "reason"), ("systems/safety/system.py",)),
    EventKind("brought_back", "all", (), ("systems/safety/system.py",)),
    EventKind("lost", "all", ("name", "serial", "reason"), ("systems/safety/system.py",)),
    EventKind("hooked", "who bites", ("hook", "position"), ("systems/sea/hooks.py",)),
    EventKind("severed", "myriapods", ("rear", "joint"), ("systems/myriapod/sever.py",)),
    EventKind("tissue_disturbed", "myriapods, fishes", ("block", "cause"),
              ("systems/myriapod/body/system.py", "systems/fish/body/system.py")),
    EventKind("mated", "fishes: he", ("partner", "name"), ("systems/fish/mind/system.py",)),
    EventKind("picked_up", "insects", ("food", "amount"), ("systems/insect/colony/system.py",)),
    EventKind("dropped", "insects", ("food", "amount"), ("systems/insect/colony/system.py",)),
    EventKind("stored", "insects", ("nest", "amount"), ("systems/insect/colony/system.py",)),
    EventKind("met", "insects", ("other",), ("systems/insect/colony/system.py",)),
    EventKind("fell", "insects", (), ("systems/insect/walk/system.py",)),
    EventKind("manoeuvre", "articulated swimmers", ("name",), ("systems/articulated/system.py",)),
    EventKind("fluid_restarted", "articulated swimmers", ("window",), ("systems/articulated/system.py",)),
)  # fmt: skip
"""Those of the engine, of all families, then of each of them."""
NAMES = tuple(kind.name for kind in EVENTS)
