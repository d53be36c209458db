"""What kernels know of the species of fishes in a world: their blueprints and swimming tables, stacked by kind."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....components.fish.motor import MotorSpec
from ....components.fish.springs import FishBlueprint, FishBodyPool, SpringSpec, blueprint_of
from ....components.fish.topology import CORNERS, FACE_COUNT, FACES, NODES, RINGS, SPRING_COUNT, STATIONS
from ....engine.bundle import packed

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.species import Species
    from ....engine.world import World

TABLE_ROWS = 10
"""Speeds of a swimming table. [fish 2]"""


class Swim(IntEnum):
    """Columns of a swimming table: a speed in lengths/s, and what the muscles do for it."""

    SPEED = 0
    BEAT = 1
    EFFORT = 2
    TONE = 3


class FishKinds(NamedTuple):
    """Constants by kind (number of the species). Read-only for kernels."""

    rest: Array  # (kinds, 23, 3) nodes as seen from the centre of mass
    rest_length: Array  # (kinds, 91)
    stiffness: Array
    damping: Array
    mass: Array  # (kinds, 23)
    inverse_mass: Array
    total_mass: Array  # (kinds,)
    water: Array  # (kinds, 24)
    grip: Array  # (kinds, 24) how much a force on a face changes the face's own velocity: sum w^2 / m
    volume: Array  # (kinds, 5)
    righting: Array  # (kinds,)
    air: Array  # (kinds,) seconds that it lives out of the water, 0 for ever
    place: Array  # (kinds, 7) stations from the nose, in lengths
    table: Array  # (kinds, 10, 4) columns `Swim`
    wave: Array  # (kinds, 10, 7, 2) sideways offset of the stations per effort, with the cosine and the sine of the beat
    turn_rate: Array  # (kinds,) rad/s in the sharpest bend
    bow: Array  # (kinds, 7) sideways offset of the stations in it, lengths


def blank_kinds(count: int) -> FishKinds:
    """Rows for so many kinds, all zero but what is divided by."""
    def zeros(*shape: int) -> Array:
        return np.zeros((max(count, 1), *shape))

    springs = (zeros(SPRING_COUNT), zeros(SPRING_COUNT), zeros(SPRING_COUNT))
    return FishKinds(zeros(NODES, 3), *springs, zeros(NODES), zeros(NODES), zeros() + 1.0, zeros(FACE_COUNT),
                     zeros(FACE_COUNT), zeros(RINGS), zeros(), zeros(), zeros(STATIONS) + np.arange(STATIONS),
                     zeros(TABLE_ROWS, 4), zeros(TABLE_ROWS, STATIONS, 2), zeros(), zeros(STATIONS))  # fmt: skip


def write_kind(kinds: FishKinds, row: int, springs: SpringSpec, blueprint: FishBlueprint) -> None:
    """Update a row from a blueprint; the swimming table is `calibration`'s."""
    mass = blueprint.mass
    kinds.rest[row] = blueprint.rest - mass @ blueprint.rest / mass.sum()
    kinds.rest_length[row], kinds.stiffness[row] = blueprint.rest_length, blueprint.stiffness
    kinds.damping[row], kinds.mass[row], kinds.inverse_mass[row] = blueprint.damping, mass, 1.0 / mass
    kinds.total_mass[row], kinds.water[row], kinds.volume[row] = mass.sum(), blueprint.water, blueprint.volume
    weight = np.zeros((FACE_COUNT, NODES))
    for face, corners in enumerate(FACES.tolist()):
        for corner in corners:
            weight[face, corner] += 1.0 / CORNERS
    kinds.grip[row] = (weight**2 / mass).sum(axis=1)
    kinds.righting[row], kinds.air[row] = springs.righting, springs.air
    kinds.place[row] = (0.0, *springs.ring_place, 1.0)


class KindTable:
    """The table of one world, made anew when animals come or go. Nothing of it is saved: it follows from the species.

    Example::

        table = world.resource(KindTable)
        steer(rows, creatures, table.refreshed(), ...)
    """

    def __init__(self, world: World) -> None:
        self._world, self._fishes = world, world.pool(FishBodyPool)
        self._version = -1
        self._species: dict[int, Species] = {}
        self._packed = packed(blank_kinds(1))

    def refreshed(self) -> FishKinds:
        """The table as it is now, for kernels."""
        if self._fishes.version != self._version:
            self._version = self._fishes.version
            self._renew()
        return self._packed

    def _renew(self) -> None:
        from .calibration import swimming_of

        newest: dict[int, Species] = {}
        for serial in sorted(self._fishes.owner[self._fishes.spans[:, 0]].tolist()):
            species = self._world.creatures[serial].species
            newest[self._world.kinds.number(species.key)] = species
        if newest.items() <= self._species.items():
            return  # every kind that is here is in the table
        self._species = {**self._species, **newest}
        kinds = blank_kinds(max(self._species) + 1)
        for row, species in self._species.items():
            springs, motor = species.specs["springs"], species.specs["motor"]
            assert isinstance(springs, SpringSpec)
            assert isinstance(motor, MotorSpec)
            write_kind(kinds, row, springs, blueprint_of(springs))
            swimming = swimming_of(springs, motor)
            kinds.table[row], kinds.wave[row], kinds.turn_rate[row], kinds.bow[row] = swimming
        self._packed = packed(kinds)

