"""What a recording may hold: a table of calls that is declared here or by plugins, and plain arguments of bearable size.

A recording is data from anywhere. It can only name what is in the table of the world that repeats it: nothing in the table
writes, loads or imports. Values are then checked by the calls themselves, as those of any caller.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .creature import Creature
from .errors import PaludariumError, StaleHandleError, shortened, suggest
from .plain_data import is_whole
from .pool import Rows
from .props import Prop

if TYPE_CHECKING:
    from .world import World

WORLD_CALLS = ("spawn", "despawn", "add_food", "add_obstacle", "add_stimulus", "set_relation", "define_species")
"""Methods of `World`; ``add_species`` is written down as what the file defines."""
WATER_CALLS = ("splash", "follow", "set_current")
ASSIGNED = ("tier", "faction")
"""What can be assigned to any creature, beside the attributes that plugins add."""
REMOVABLE = ("FoodPool", "ObstaclePool", "StimulusPool", "PatchPool", "SeaweedPool", "BubblePool", "HookPool",
             "GrowthPool")  # fmt: skip
"""Pools of things that the game may take out one by one."""
KINDS = ("world", "water", "verb", "set", "release")

LONGEST_TEXT = 20_000
"""Characters of a text that is given to a call."""
MOST_VALUES = 200_000
"""Numbers, texts and lists in one call, all together."""
WIDEST = 2**63
"""Whole numbers are below."""


class ReplayError(PaludariumError, ValueError):
    """A log cannot be replayed: damaged, not allowed, of another version, or the world it makes is another one."""


def recordable(world: World) -> dict[str, dict[str, Callable[..., Any]]]:
    """The table: by kind and name, what is called."""
    settable = [name for name, attribute in world.attributes.items() if attribute.set is not None]
    return {
        "world": {**{name: getattr(world, name) for name in WORLD_CALLS},
                  **{name: partial(function, world) for name, function in world.calls.items()}},
        "water": {name: getattr(world.water, name) for name in WATER_CALLS},
        "verb": {name: verb for name, verb in world.verbs.items() if not getattr(verb, "unrecorded", False)},
        "set": {name: partial(_assign, name) for name in (*ASSIGNED, *settable)},
        "release": {name: partial(_remove, world, name) for name in REMOVABLE if name in world.pools},
    }  # fmt: skip


def wanted_call(
    table: dict[str, dict[str, Callable[..., Any]]], kind: str, name: str, arguments: list[Any], options: dict[str, Any]
) -> Callable[[], Any]:
    """The call that a line of a log asks for, ready to be made, or an error that says what is allowed."""
    if name not in table[kind]:
        raise ReplayError(f"{kind} call {shortened(name)} is not allowed in a recording; {suggest(name, table[kind])}")
    function = table[kind][name]
    check_plain([arguments, options])
    if kind in ("verb", "set") and not (arguments and isinstance(arguments[0], Creature)):
        raise ReplayError(f"{name}{shortened(tuple(arguments))}: allowed is a creature first")
    if name == "spawn" and kind == "world":
        species = arguments[0] if arguments else options.get("species")
        if not isinstance(species, str) or species.endswith(".toml"):
            raise ReplayError(f"spawn({shortened(species)}): allowed is the name of a species; a recording reads no files")
    if not fits(function, arguments, options):
        raise ReplayError(f"{name}{shortened(tuple(arguments))} with {shortened(options)}: allowed is what {name} takes, "
                          f"{_signature(function)}")  # fmt: skip
    return partial(function, *arguments, **options)


def fits(function: Callable[..., Any], arguments: Any, options: dict[str, Any]) -> bool:
    """Whether a function takes these arguments by number and name."""
    try:
        inspect.signature(function).bind(*arguments, **options)
    except (TypeError, ValueError):
        return False
    return True


def check_plain(value: Any) -> None:
    """Refuse what is too much or no plain data: NaN, long texts, very many values, numbers of very many digits."""
    waiting, count = [value], 0
    while waiting:
        item = waiting.pop()
        count += 1
        if isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, str) and len(item) > LONGEST_TEXT:
            raise ReplayError(f"{shortened(item)} is too long: allowed are {LONGEST_TEXT} characters")
        elif isinstance(item, float) and math.isnan(item):
            raise ReplayError("NaN is no value: allowed are numbers")
        elif isinstance(item, int) and not -WIDEST < item < WIDEST:
            raise ReplayError(f"{shortened(item)} is too large: allowed are whole numbers of 64 bits")
        if count + len(waiting) > MOST_VALUES:
            raise ReplayError(f"{shortened(value)} is too much: allowed are {MOST_VALUES} values in one call")


def plain(value: Any) -> Any:
    """What JSON cannot write by itself, as it is written."""
    if isinstance(value, Creature):
        return {"creature": value.serial}
    if isinstance(value, Prop) and value.kind == "food":
        return {"food_row": [value.rows.start, value.rows.generation]}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise ReplayError(f"{shortened(value)} cannot be recorded: allowed are numbers, texts, lists, arrays, animals, food")


def living(world: World, value: Any) -> Any:
    """A value as it was: creatures are found by their serial numbers, food by its row."""
    if isinstance(value, dict) and value.keys() == {"food_row"}:
        return _food(world, value["food_row"])
    if isinstance(value, dict) and value.keys() == {"creature"}:
        serial = value["creature"]
        if not is_whole(serial, 1, world.next_serial - 1):
            raise ReplayError(f"creature {shortened(serial)} was never there: allowed is 1 to {world.next_serial - 1}")
        if serial not in world.creatures:
            raise StaleHandleError(f"creature {serial} has left the world")
        return world.creatures[serial]
    if isinstance(value, dict):
        return {key: living(world, item) for key, item in value.items()}
    return [living(world, item) for item in value] if isinstance(value, list) else value


def _food(world: World, place: Any) -> Prop:
    """A piece of food by row and generation, if it is still there."""
    food = world.props.food
    if not (isinstance(place, list) and len(place) == 2 and all(is_whole(number) for number in place)):
        raise ReplayError(f"food {shortened(place)}: allowed are a row and its generation")
    row, generation = place
    if not (food.spans[:, 0] == row).any() or food.generation_of(row) != generation:
        raise StaleHandleError(f"food {row} has left the world")
    return Prop(food, Rows(row, row + 1, generation), "food", world.props)


def _assign(name: str, creature: Creature, value: Any) -> None:
    setattr(creature, name, value)


def _remove(world: World, name: str, start: int, stop: int, generation: int) -> None:
    """Take out one thing, if these rows are one thing and it is still there."""
    pool = world.pools[name]
    if not all(is_whole(number) for number in (start, stop, generation)):
        raise ReplayError(f"rows {shortened((start, stop, generation))} of {name}: allowed are whole numbers, 0 or more")
    spans = pool.spans
    if not ((spans[:, 0] == start) & (spans[:, 1] == stop - start)).any() or pool.generation_of(start) != generation:
        raise ReplayError(f"rows {start}..{stop - 1} of {name} are nothing that could be removed")
    pool.release(Rows(start, stop, generation))
    world.props.changed = True


def _signature(function: Callable[..., Any]) -> str:
    return str(inspect.signature(function))
