"""Who may come into sight soon: lists that are made anew every few ticks, from a larger circle than one sees. [Tu99 6.4.5]

A look then has to test a few dozen instead of all. The circle is larger by what two fishes can swim between two lists.
"""

# mypy: ignore-errors
from __future__ import annotations

from math import sqrt

import numpy as np

from ....components.fish.eyes import KIN_LIST, NOBODY, OTHER_LIST, Eye
from ....engine.kernel import kernel
from ....engine.spatial_hash import next_item, open_query
from ...feeding.bonds import EATS

LIST_TICKS = 16  # from one list to the next
FLOCK_TICKS = 64  # between two looks for more of its kind
MARGIN = 2.0  # lengths; both at full speed for LIST_TICKS come 1.2 nearer [fish 2]
BYSTANDER_RANGE = 3.0  # lengths; others that are neither prey nor kin matter only where they are in the way
FLOCK_GAP = 3.0  # lengths; nearer ones are neighbours and no flock to go to


@kernel()
def insert_row(rows, distances, count, row, distance):
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


@kernel()
def eats_kind(hunter, prey, creatures, bonds):
    """Return whether one creature's kind eats the other's."""
    return bonds.shape[0] > 0 and bonds[creatures.kind[hunter], creatures.kind[prey]] == EATS


@kernel()
def can_eat(hunter, prey, creatures, diets, bonds):
    """Return whether a creature eats another: by its kind, and by its size."""
    largest = diets.largest[hunter] * creatures.length[hunter]
    return eats_kind(hunter, prey, creatures, bonds) and creatures.length[prey] <= largest


@kernel()
def has_list_turn(c, tick):
    """Return whether a fish makes its list anew in this tick; it looks in the same one."""
    return (tick - c) % LIST_TICKS == 0


@kernel()
def list_nearby(c, length, creatures, eyes, diets, scene):
    """Update the lists of those near one fish, and the flock of its kind beyond."""
    own = eyes.parameters[c]
    x, y, z = creatures.position[c, 0], creatures.position[c, 1], creatures.position[c, 2]
    sight = (own[Eye.RANGE] * scene.clarity + MARGIN) * length
    counts_flock = (scene.tick - c) % FLOCK_TICKS == 0
    flock_range = own[Eye.REJOIN] * length if counts_flock else 0.0
    reach, aside = max(sight, flock_range), (BYSTANDER_RANGE + MARGIN) * length
    near, far = np.empty(KIN_LIST), np.empty(OTHER_LIST)
    kin, others, kin_count, other_count = eyes.kin[c], eyes.others[c], 0, 0
    flock_x, flock_y, flock_z, flock = 0.0, 0.0, 0.0, 0
    cells, cursor = open_query(scene.herd_hash, x - reach, y - reach, x + reach, y + reach)
    while True:
        item, cursor = next_item(scene.herd_hash, cells, cursor)
        if item < 0:
            break
        row = scene.herd[item]
        if row == c or creatures.dead[row] != 0:
            continue
        dx, dy, dz = creatures.position[row, 0] - x, creatures.position[row, 1] - y, creatures.position[row, 2] - z
        d = sqrt(dx * dx + dy * dy + dz * dz)
        if creatures.kind[row] == creatures.kind[c]:
            if d <= sight:
                kin_count = insert_row(kin, near, kin_count, row, d)
            if FLOCK_GAP * length < d <= flock_range:
                flock_x, flock_y, flock_z, flock = flock_x + dx, flock_y + dy, flock_z + dz, flock + 1
        elif d - 0.5 * creatures.length[row] <= (sight if can_eat(c, row, creatures, diets, scene.bonds) else aside):
            other_count = insert_row(others, far, other_count, row, d)
    kin[kin_count:] = NOBODY
    others[other_count:] = NOBODY
    if counts_flock:
        eyes.flock[c, 3] = flock
        if flock > 0:
            eyes.flock[c, 0], eyes.flock[c, 1] = x + flock_x / flock, y + flock_y / flock
            eyes.flock[c, 2] = z + flock_z / flock
