"""Who may come into sight soon: lists that are made anew every few ticks, from a larger circle than one sees. [Tu99 6.4.5]

A look then has to test a few dozen instead of all. The circle is larger by what two fishes can swim between two lists.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ....components.fish.eyes import KIN_LIST, NOBODY, OTHER_LIST, Eye, Flock
from ....engine.kernel import kernel
from ....engine.spatial_hash import next_item, open_query
from ...feeding.food_web import EATS

if TYPE_CHECKING:
    from ....components.diet import DietPool
    from ....components.fish.eyes import EyePool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array
    from .sight import Scene

LIST_TICKS = 16  # from one list to the next
FLOCK_TICKS = 64  # between two looks for more of its kind
MARGIN = 2.0  # lengths; both at full speed for LIST_TICKS come 1.2 nearer [fish 2]
BYSTANDER_RANGE = 3.0  # lengths; others that are neither prey nor kin matter only where they are in the way
CROWD_REACH = 5.0  # lengths; a first circle, as wide as that of bystanders
FLOCK_GAP = 3.0  # lengths; nearer ones are neighbours and no flock to go to


@kernel(refcount=False)
def insert_row(rows: Array, distances: Array, count: int, row: int, distance: float) -> int:
    """Update a list that is sorted by distance with one more, the lower row first on a tie; return its new length."""
    last = rows.shape[0] - 1
    if count > last:
        if distance > distances[last] or (distance == distances[last] and row > rows[last]):
            return count
        count = last
    k = count
    while k > 0 and (distances[k - 1] > distance or (distances[k - 1] == distance and rows[k - 1] > row)):
        rows[k], distances[k] = rows[k - 1], distances[k - 1]
        k -= 1
    rows[k], distances[k] = row, distance
    return count + 1


@kernel(refcount=False)
def eats_kind(hunter: int, prey: int, creatures: CreaturePool, food_web: Array) -> bool:
    """Return whether one creature's kind eats the other's."""
    return food_web.shape[0] > 0 and food_web[creatures.kind[hunter], creatures.kind[prey]] == EATS


@kernel(refcount=False)
def can_eat(hunter: int, prey: int, creatures: CreaturePool, diets: DietPool, food_web: Array) -> bool:
    """Return whether a creature eats another: by its kind, and by its size."""
    largest = diets.largest[hunter] * creatures.length[hunter]
    return eats_kind(hunter, prey, creatures, food_web) and creatures.length[prey] <= largest


@kernel(refcount=False)
def has_list_turn(c: int, tick: int) -> bool:
    """Return whether a fish makes its list anew in this tick; it looks in the same one."""
    return (tick - c) % LIST_TICKS == 0


@kernel(refcount=False)
def eats_any(c: int, creatures: CreaturePool, food_web: Array) -> bool:
    """Return whether a creature's kind eats any other."""
    for other in range(food_web.shape[0]):
        if food_web[creatures.kind[c], other] == EATS:
            return True
    return False


@kernel(refcount=False)
def scan_herd(c: int, reach: float, sight: float, aside: float, creatures: CreaturePool, eyes: EyePool, diets: DietPool,
              scene: Scene, near: Array, far: Array) -> tuple[int, int]:  # fmt: skip
    """Update both lists of one fish from those within reach; return how long they are."""
    x, y, z = creatures.position[c, 0], creatures.position[c, 1], creatures.position[c, 2]
    kin_count, other_count, farthest = 0, 0, max(reach, aside)
    cells, cursor = open_query(scene.herd_hash, x - farthest, y - farthest, x + farthest, y + farthest)
    while True:
        item, cursor = next_item(scene.herd_hash, cells, cursor)
        if item < 0:
            return kin_count, other_count
        row = scene.herd[item]
        if row == c or creatures.dead[row] != 0:
            continue
        dx, dy, dz = creatures.position[row, 0] - x, creatures.position[row, 1] - y, creatures.position[row, 2] - z
        d = sqrt(dx * dx + dy * dy + dz * dz)
        if creatures.kind[row] == creatures.kind[c]:
            if d <= min(reach, sight):
                kin_count = insert_row(eyes.kin[c], near, kin_count, row, d)
        elif d - 0.5 * creatures.length[row] <= (sight if can_eat(c, row, creatures, diets, scene.food_web) else aside):
            other_count = insert_row(eyes.others[c], far, other_count, row, d)


@kernel(refcount=False)
def find_flock(c: int, length: float, reach: float, creatures: CreaturePool, eyes: EyePool, scene: Scene) -> None:
    """Update the mean place of those of its kind that are not near one fish, but within reach."""
    x, y, z = creatures.position[c, 0], creatures.position[c, 1], creatures.position[c, 2]
    flock_x, flock_y, flock_z, count = 0.0, 0.0, 0.0, 0
    cells, cursor = open_query(scene.herd_hash, x - reach, y - reach, x + reach, y + reach)
    while True:
        item, cursor = next_item(scene.herd_hash, cells, cursor)
        if item < 0:
            break
        row = scene.herd[item]
        if creatures.kind[row] != creatures.kind[c] or row == c or creatures.dead[row] != 0:
            continue
        dx, dy, dz = creatures.position[row, 0] - x, creatures.position[row, 1] - y, creatures.position[row, 2] - z
        d = sqrt(dx * dx + dy * dy + dz * dz)
        if FLOCK_GAP * length < d <= reach:
            flock_x, flock_y, flock_z, count = flock_x + dx, flock_y + dy, flock_z + dz, count + 1
    eyes.flock[c, Flock.COUNT] = count
    if count > 0:
        eyes.flock[c, 0], eyes.flock[c, 1], eyes.flock[c, 2] = x + flock_x / count, y + flock_y / count, z + flock_z / count


@kernel()
def list_nearby(c: int, length: float, schools: bool, creatures: CreaturePool, eyes: EyePool, diets: DietPool,
                scene: Scene) -> None:  # fmt: skip
    """Update the lists of those near one fish, and, of one that schools, the flock of its kind beyond.

    In a crowd the nearest of its kind are all within a few lengths; only who hunts has to look at all in its range.
    """
    own, near, far = eyes.parameters[c], np.empty(KIN_LIST), np.empty(OTHER_LIST)
    sight, aside = (own[Eye.RANGE] * scene.clarity + MARGIN) * length, (BYSTANDER_RANGE + MARGIN) * length
    reach = sight if eats_any(c, creatures, scene.food_web) else min(CROWD_REACH * length, sight)
    kin_count, other_count = scan_herd(c, reach, sight, aside, creatures, eyes, diets, scene, near, far)
    if kin_count < KIN_LIST and reach < sight:
        kin_count, other_count = scan_herd(c, sight, sight, aside, creatures, eyes, diets, scene, near, far)
    eyes.kin[c, kin_count:] = NOBODY
    eyes.others[c, other_count:] = NOBODY
    if schools and (scene.tick - c) % FLOCK_TICKS == 0:
        find_flock(c, length, own[Eye.REJOIN] * length, creatures, eyes, scene)
