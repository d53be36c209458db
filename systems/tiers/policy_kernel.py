"""Who is seen, who cannot do without full detail, and who gets the places that are left."""

from __future__ import annotations

from math import hypot

import numpy as np

from ...engine.kernel import kernel


@kernel()
def is_in_water(submerged, first, count):
    """Return whether one of these segments is under water."""
    for i in range(first, first + count):
        if submerged[i]:
            return True
    return False


@kernel()
def judge_creatures(
    rows, nobody, full, bounds, margin, position, reach, tiers, kept, embodied, dead, first_segment, segment_count,
    submerged, walker, stance_share, follow, seen, wanted,
):  # fmt: skip
    """Update, per creature of `rows`, whether it is seen within bounds, and its tier: full where it must be, else follow.

    embodied and walker: owners of the rows of bodies and of legs. Full are those that are kept so, ragdolls, animals in the
    water, and those in full detail that no leg carries. Returns how many are full.
    """
    west, south, east, north = bounds
    count = 0
    for k in range(rows.shape[0]):
        c = rows[k]
        x, y, pad = position[c, 0], position[c, 1], reach[c] + margin
        seen[k] = x > west - pad and x < east + pad and y > south - pad and y < north + pad
        needs = kept[c]
        if c < embodied.shape[0] and embodied[c] != nobody:
            needs = needs or dead[c] != 0 or is_in_water(submerged, first_segment[c], segment_count[c])
        if c < walker.shape[0] and walker[c] != nobody:
            needs = needs or (stance_share[c] == 0.0 and tiers[c] == full)
        wanted[k] = full if needs else follow
        count += needs
    return count


@kernel()
def give_places(target, places, loyalty, x, y, rows, position, tiers, follow, seen, score, order, wanted):
    """Update the wanted tier of the nearest to (x, y) among those that are seen and have none better than follow.

    Who has the target's tier or a better one already counts as nearer by the factor loyalty. score and order: room for all.
    """
    count = 0
    for k in range(rows.shape[0]):
        if seen[k] and wanted[k] == follow:
            c = rows[k]
            score[k] = (loyalty if tiers[c] <= target else 1.0) * hypot(position[c, 0] - x, position[c, 1] - y)
            order[count] = k
            count += 1
    near = order[:count]
    if count > places:
        near = near[np.argsort(score[near], kind="mergesort")]  # stable: of equal ones the first
    for k in range(min(count, places)):
        wanted[near[k]] = target
