"""What can be seen from where: points, fishes, pillars and boxes, behind what stands between. [Tu99 6.3, 6.4]

Legend: o is the eye, p the point looked at, t the way from o (0) to p (1). Fishes hide nothing: that passes in a moment.
"""

# mypy: ignore-errors
from __future__ import annotations

from math import sqrt

from ....components.fish.topology import NODES
from ....engine.kernel import kernel
from ....engine.spatial_hash import boxes_overlap, next_item, open_query
from ....engine.water.sample_kernel import sample_water
from ...spatial_index.solids import SolidField, SolidKind

BED_SAMPLES = 3  # places on a line of sight at which the bed is asked for
HERE = 1e-9  # units; what is nearer has no direction
LARGEST_FACTOR = 4.0  # how much farther the largest are seen [artificial-fishes 5]


@kernel()
def distance_between(o, p):
    """Return the distance of two points."""
    x, y, z = p[0] - o[0], p[1] - o[1], p[2] - o[2]
    return sqrt(x * x + y * y + z * z)


@kernel()
def in_view(o, axis, p, reach, narrowest):
    """Return whether a point lies in the view volume: near enough, and not behind. [Tu99 6.3.1]

    narrowest: cosine of half the field, which the cosine of its direction has to exceed.
    """
    x, y, z = p[0] - o[0], p[1] - o[1], p[2] - o[2]
    d = sqrt(x * x + y * y + z * z)
    if d > reach:
        return False
    return d < HERE or x * axis[0] + y * axis[1] + z * axis[2] > narrowest * d


@kernel()
def meets_circle(x, y, dx, dy, radius):
    """Return where a line in the plan meets a circle about the origin: (whether, first t, second t)."""
    a, b, c = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - radius * radius
    root = b * b - a * c
    if a == 0.0 or root < 0.0:
        return False, 0.0, 0.0
    root = sqrt(root)
    return True, (-b - root) / a, (-b + root) / a


@kernel()
def pillar_hides(o, p, x, y, radius, bottom, top):
    """Return whether an upright cylinder is between two points: its mantle is met between its ends. [Tu99 6.4.1]"""
    dz = p[2] - o[2]
    meets, first, second = meets_circle(o[0] - x, o[1] - y, p[0] - o[0], p[1] - o[1], radius)
    if not meets:
        return False
    z1, z2 = o[2] + first * dz, o[2] + second * dz
    return (0.0 <= first <= 1.0 and bottom < z1 <= top) or (0.0 <= second <= 1.0 and bottom < z2 <= top)


@kernel()
def ball_hides(o, p, x, y, z, radius):
    """Return whether a ball is between two points."""
    ox, oy, oz, dx, dy, dz = o[0] - x, o[1] - y, o[2] - z, p[0] - o[0], p[1] - o[1], p[2] - o[2]
    a = dx * dx + dy * dy + dz * dz
    t = min(max(-(ox * dx + oy * dy + oz * dz) / a, 0.0), 1.0) if a > 0.0 else 0.0
    x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
    return x * x + y * y + z * z < radius * radius


@kernel()
def slab(start, step, half, low, high):
    """Return the part of [low, high] in which a coordinate that goes from start by step per unit is within +-half."""
    if step == 0.0:
        return (low, high) if abs(start) < half else (1.0, 0.0)
    a, b = (-half - start) / step, (half - start) / step
    return max(low, min(a, b)), min(high, max(a, b))


@kernel()
def box_hides(o, p, solids, k):
    """Return whether an upright box is between two points."""
    c, s = solids[k, SolidField.COS], solids[k, SolidField.SIN]
    x, y, z = o[0] - solids[k, SolidField.X], o[1] - solids[k, SolidField.Y], o[2] - solids[k, SolidField.Z]
    dx, dy, dz = p[0] - o[0], p[1] - o[1], p[2] - o[2]
    low, high = slab(c * x + s * y, c * dx + s * dy, solids[k, SolidField.EXTENT_X], 0.0, 1.0)
    low, high = slab(c * y - s * x, c * dy - s * dx, solids[k, SolidField.EXTENT_Y], low, high)
    low, high = slab(z, dz, solids[k, SolidField.EXTENT_Z], low, high)
    return low < high


@kernel()
def solid_hides(o, p, solids, k):
    """Return whether solid k is between two points."""
    kind, z = int(solids[k, SolidField.KIND]), solids[k, SolidField.Z]
    x, y, radius = solids[k, SolidField.X], solids[k, SolidField.Y], solids[k, SolidField.RADIUS]
    if kind == SolidKind.PILLAR:
        half = solids[k, SolidField.EXTENT_Z]
        return pillar_hides(o, p, x, y, radius, z - half, z + half)
    if kind == SolidKind.BOX:
        return box_hides(o, p, solids, k)
    return ball_hides(o, p, x, y, z, radius)


@kernel()
def solids_hide(o, p, around):
    """Return whether any obstacle is between two points."""
    solids, hashed = around.solids, around.solid_hash
    if solids.shape[0] == 0:
        return False
    x_min, x_max, y_min, y_max = min(o[0], p[0]), max(o[0], p[0]), min(o[1], p[1]), max(o[1], p[1])
    cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return False
        if boxes_overlap(hashed.boxes, k, x_min, y_min, x_max, y_max) and solid_hides(o, p, solids, k):
            return True


@kernel()
def bed_hides(o, p, water):
    """Return whether the bed, or dry land, rises between two points."""
    for k in range(BED_SAMPLES):
        t = (k + 1.0) / (BED_SAMPLES + 1.0)
        surface, depth, _, _ = sample_water(water, o[0] + t * (p[0] - o[0]), o[1] + t * (p[1] - o[1]))
        if not (depth > 0.0 and o[2] + t * (p[2] - o[2]) > surface - depth):
            return True
    return False


@kernel()
def hides(o, p, far, around, water):
    """Return whether anything is between two points; hills of the bed count from a distance `far` on."""
    return solids_hide(o, p, around) or (distance_between(o, p) > far and bed_hides(o, p, water))


@kernel()
def sees_point(o, axis, p, reach, narrowest, around):
    """Return whether a point is seen. [Tu99 6.4.1]"""
    return in_view(o, axis, p, reach, narrowest) and not solids_hide(o, p, around)


@kernel()
def sees_nodes(o, centre, first, nodes, far, around, water):
    """Return whether something of a fish is seen: a single node that nothing hides is enough. [Tu99 6.4.2]"""
    if around.solids.shape[0] == 0:
        return not (distance_between(o, centre) > far and bed_hides(o, centre, water))
    if not hides(o, centre, far, around, water):
        return True
    for n in range(NODES):
        place = nodes.position[first + n]
        if not hides(o, (place[0], place[1], place[2]), far, around, water):
            return True
    return False


@kernel()
def sees_pillar(o, x, y, radius, bottom, top, reach):
    """Return whether a pillar is near enough to be seen, whichever way one looks. [Tu99 6.4.3]"""
    z = min(max(o[2], bottom), top)
    return distance_between(o, (x, y, z)) - radius < reach


@kernel()
def sees_box(o, axis, low, high, reach, narrowest, around):
    """Return whether any corner of a box along the axes is seen: a cluster of seaweed. [Tu99 6.4.4]"""
    for corner in range(8):
        p = (high[0] if corner & 1 else low[0], high[1] if corner & 2 else low[1], high[2] if corner & 4 else low[2])
        if sees_point(o, axis, p, reach, narrowest, around):
            return True
    return False


@kernel()
def seen_from(visibility, length, own_length):
    """Return the factor on the range of sight for one that is seen: its own, or its size against the viewer's."""
    return visibility if visibility > 0.0 else min(max(length / own_length, 1.0), LARGEST_FACTOR)
