"""Birth and death: the only code that claims and releases creature rows and creates and deletes entities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .creature import Creature, Identity, tier_index
from .errors import SpawnError
from .parts import Birth
from .pool import Array, Rows
from .species import Species

if TYPE_CHECKING:
    from .world import World


def give_birth(world: World, species: Species, at: Array, in_air: bool, heading: float, tier: str) -> Creature:
    """Claim rows for every part of the species, fill them, and create the entity; on any error nothing remains.

    The systems of its family are loaded before the first of them is born.
    """
    world.families.require(species.family)
    serial = world.next_serial
    birth = Birth(world, serial, species, at, in_air, heading, tier, {})
    try:
        birth.rows["creature"] = world.creature_pool.claim(1, serial)
        _place(birth)
        parts = [part for part in world.parts.values() if part.name in species.specs]
        for part in parts:
            count = species.specs[part.name].row_count(species.specs)
            birth.rows[part.name] = world.pool(part.pool).claim(count, serial, part.place(birth.rows))
        for part in parts:
            part.fill(birth, species.specs[part.name], world.pool(part.pool), birth.rows[part.name])
        _check_finite(birth)
    except BaseException:
        _release(world, birth.rows)
        raise
    world.next_serial += 1
    return enter(world, Creature(world, serial, species, birth.rows))


def enter(world: World, creature: Creature) -> Creature:
    """Give a creature whose rows are ready its handles and its entity, and make it known."""
    for name, rows in creature.rows.items():
        if name != "creature":
            part = world.parts[name]
            creature.parts[name] = part.handle(world.pool(part.pool), rows)
    row, pool = creature.rows["creature"].start, world.creature_pool
    pool.family[row] = world.families.number(creature.species.family)
    pool.kind[row] = world.kinds.number(creature.species.key)
    creature.entity = world.ecs.create(Identity(creature.serial, creature.species.key), *creature.parts.values())
    world.creatures[creature.serial] = creature
    world.handles.add(creature)
    return creature


def let_go(handles: Iterable[Creature]) -> None:
    """The world is gone: creatures that a game has kept let go of its pools, which are most of what an animal weighs."""
    for creature in handles:
        creature.parts.clear()


def leave(world: World, creature: Creature) -> None:
    """Take a creature out of the world and tell of it."""
    world.emit("gone", None, name=creature.name, serial=creature.serial)
    bury(world, creature)


def bury(world: World, creature: Creature) -> None:
    """Release the creature's rows and delete its entity; every handle to it is stale from here on."""
    if world.creatures.pop(creature.serial, None) is None:
        return
    world.ecs.delete(creature.entity)
    _release(world, creature.rows)


def _place(birth: Birth) -> None:
    pool, row = birth.world.creature_pool, birth.rows["creature"].start
    pool.position[row] = birth.at
    pool.heading[row] = birth.heading
    pool.tier[row] = tier_index(birth.tier)


def _release(world: World, all_rows: dict[str, Rows]) -> None:
    for name, rows in all_rows.items():
        pool = world.creature_pool if name == "creature" else world.pool(world.parts[name].pool)
        pool.release(rows)


def _check_finite(birth: Birth) -> None:
    world = birth.world
    for name, rows in birth.rows.items():
        pool = world.creature_pool if name == "creature" else world.pool(world.parts[name].pool)
        bad = pool.first_bad_column(rows)
        if bad is not None:
            raise SpawnError(
                f"{birth.species.key} at {tuple(birth.at)}: {name}.{bad} would hold NaN or infinity; nothing was spawned"
            )
