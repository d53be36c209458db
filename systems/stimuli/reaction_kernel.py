"""What a head is drawn to and what it shrinks from, out of all stimuli and all creatures of other factions in reach."""

from __future__ import annotations

from math import hypot

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query

HOSTILE_REACTION, ALLIED_REACTION, SIGHT, THRESHOLD, ARRIVAL, FIRST_KIND = range(6)  # columns of a reaction row
NEUTRAL, HOSTILE, ALLIED = range(3)  # values of the table of relations
HERE = 1e-9  # units; a stimulus nearer than this has no direction


@kernel()
def weigh(x, y, px, py, reaction, strength, radius, arrival, best, flight):
    """Return the strongest attraction (weight, x, y) and the sum of all flights (x, y) with one more source weighed in.

    The weight falls linearly to zero at the radius.
    """
    dx, dy = px - x, py - y
    d = hypot(dx, dy)
    if d >= radius or d < HERE:
        return best, flight
    w = reaction * strength * (1.0 - d / radius)
    if w > 0.0:
        if d > arrival and w > best[0]:
            return (w, px, py), flight
        return best, flight
    return best, (flight[0] + w * dx / d, flight[1] + w * dy / d)


@kernel()
def weigh_stimuli(x, y, reactions, position, kind, strength, radius, arrival, best, flight):
    """Return attraction and flight of one head with all stimuli weighed in."""
    for k in range(kind.size):
        reaction = reactions[FIRST_KIND + kind[k]]
        best, flight = weigh(x, y, position[k, 0], position[k, 1], reaction, strength[k], radius[k], arrival, best, flight)
    return best, flight


@kernel()
def weigh_others(c, x, y, reactions, place, faction, relation, others, hashed, best, flight):
    """Return attraction and flight of one head with all creatures of hostile and allied factions in sight weighed in."""
    sight = reactions[SIGHT]
    cells, cursor = open_query(hashed, x - sight, y - sight, x + sight, y + sight)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return best, flight
        other = np.int64(others[k])
        if other == c:
            continue
        tie = relation[faction[c], faction[other]]
        if tie == NEUTRAL:
            continue
        reaction = reactions[HOSTILE_REACTION] if tie == HOSTILE else reactions[ALLIED_REACTION]
        arrival = 0.0 if tie == HOSTILE else reactions[ARRIVAL]  # a hunter goes all the way
        best, flight = weigh(x, y, place[other, 0], place[other, 1], reaction, 1.0, sight, arrival, best, flight)


@kernel(parallel=True)
def react(rows, reactions, place, faction, relation, others, hashed, position, kind, strength, radius, aim, pull):
    """Update aim (a point to go to) and pull (above 0: go there, below 0: flee to there, 0: nothing) of all rows."""
    for r in prange(rows.size):
        c = np.int64(rows[r])
        row = reactions[r]
        x, y = place[c, 0], place[c, 1]
        best, flight = (0.0, x, y), (0.0, 0.0)
        best, flight = weigh_stimuli(x, y, row, position, kind, strength, radius, row[ARRIVAL], best, flight)
        if relation.shape[0] > 0:
            best, flight = weigh_others(c, x, y, row, place, faction, relation, others, hashed, best, flight)
        fear = hypot(flight[0], flight[1])
        if fear >= best[0] and fear > row[THRESHOLD]:
            aim[c, 0], aim[c, 1], pull[c] = x + flight[0] / fear, y + flight[1] / fear, -fear
        elif best[0] > row[THRESHOLD]:
            aim[c, 0], aim[c, 1], pull[c] = best[1], best[2], best[0]
        else:
            aim[c, 0], aim[c, 1], pull[c] = x, y, 0.0
