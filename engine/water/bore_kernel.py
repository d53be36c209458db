"""Bores and advancing fronts: where the surface jumps, velocities are carried so that momentum is conserved.

Tracing back from a face sees only that face's own velocity: still water ahead of a bore would never feel the momentum
that arrives, and bores and fronts would lag by a third. On steep faces the velocity that carries is therefore the mean
flux of the cell upstream over the depth at the face. [Stelling03]

Legend: w, e parts of the velocity taken from the face to the west (south) and east (north); h depth above a sill; q flux.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import kernel
from .flow_kernel import push, trace_u, trace_v
from .pond_layout import FILM, NEW_U, NEW_V, SILL_X, SILL_Y, SURFACE, U, V

if TYPE_CHECKING:
    from ..kernel_types import Array

STEEP = 0.1  # of the shallower side; smooth waves stay far below it, and 0.02 gives the same bores


@kernel()
def count_steep(e0: Array, e1: Array, sill: Array) -> int:
    """Return how many inner faces of a row have a surface jump between e0 and e1."""
    count = 0
    for i in range(1, sill.size - 1):
        h0 = e0[i] - sill[i] if e0[i] > sill[i] else 0.0
        h1 = e1[i] - sill[i] if e1[i] > sill[i] else 0.0
        count += abs(h1 - h0) > STEEP * (h0 if h0 < h1 else h1)
    return count


@kernel()
def face_depths(e0: float, e1: float, sill: float) -> tuple[float, float]:
    """Return the depths above the sill on both sides of a face."""
    return max(e0 - sill, 0.0), max(e1 - sill, 0.0)


@kernel()
def is_steep(h0: float, h1: float) -> bool:
    """Return whether the surface jumps across a face with water on it."""
    return abs(h1 - h0) > STEEP * min(h0, h1) and h0 + h1 > FILM


@kernel()
def carried_parts(w_behind: float, h_behind: float, w_here: float, h0: float, h1: float, w_ahead: float, h_ahead: float,
                  k: float) -> tuple[float, float]:  # fmt: skip
    """Return the parts of a face's new velocity that come from the face behind and the one ahead.

    Depths of the neighbouring faces are those on the side their water comes from.
    """
    q_here = w_here * (h0 if w_here > 0.0 else h1)
    mean = 0.5 * (h0 + h1)
    behind = k * max(0.5 * (w_behind * h_behind + q_here) / mean, 0.0)
    ahead = -k * min(0.5 * (q_here + w_ahead * h_ahead) / mean, 0.0)
    total = max(behind + ahead, 1.0)
    return behind / total, ahead / total


@kernel()
def upstream_depth(w: float, e0: float, e1: float, sill: float) -> float:
    """Return the depth above a sill on the side that velocity w comes from."""
    return max((e0 if w > 0.0 else e1) - sill, 0.0)


@kernel()
def mend_u_row(fields: Array, j: int, first: int, last: int, k: float, pull: float, fastest: float) -> None:
    """Update new u on the steep west faces first..last - 1 of row j."""
    u, e, sill = fields[U], fields[SURFACE, j], fields[SILL_X, j]
    for i in range(first, last):
        h0, h1 = face_depths(e[i - 1], e[i], sill[i])
        if not is_steep(h0, h1):
            continue
        before, after = u[j, i - 1], u[j, i + 1]
        west, east = carried_parts(
            before, upstream_depth(before, e[i - 2], e[i - 1], sill[i - 1]), u[j, i], h0, h1,
            after, upstream_depth(after, e[i], e[i + 1], sill[i + 1]), k,
        )
        _, b = trace_u(u[j - 1], u[j], u[j + 1], fields[V, j], fields[V, j + 1], i, k)
        south, north = max(-b, 0.0), max(b, 0.0)
        carried = 0.0
        for step, part in ((-1, south), (0, 1.0 - south - north), (1, north)):
            row = u[j + step]
            carried += part * (west * row[i - 1] + (1.0 - west - east) * row[i] + east * row[i + 1])
        fields[NEW_U, j, i] = push(carried, e[i - 1], e[i], sill[i], pull, fastest)


@kernel()
def mend_v_row(fields: Array, j: int, first: int, last: int, k: float, pull: float, fastest: float) -> None:
    """Update new v on the steep south faces first..last - 1 of row j."""
    v, e, sill = fields[V], fields[SURFACE], fields[SILL_Y]
    for i in range(first, last):
        h0, h1 = face_depths(e[j - 1, i], e[j, i], sill[j, i])
        if not is_steep(h0, h1):
            continue
        before, after = v[j - 1, i], v[j + 1, i]
        south, north = carried_parts(
            before, upstream_depth(before, e[j - 2, i], e[j - 1, i], sill[j - 1, i]), v[j, i], h0, h1,
            after, upstream_depth(after, e[j, i], e[j + 1, i], sill[j + 1, i]), k,
        )
        a, _ = trace_v(v[j - 1], v[j], v[j + 1], fields[U, j - 1], fields[U, j], i, k)
        west, east = max(-a, 0.0), max(a, 0.0)
        carried = 0.0
        for step, part in ((-1, south), (0, 1.0 - south - north), (1, north)):
            row = v[j + step]
            carried += part * (west * row[i - 1] + (1.0 - west - east) * row[i] + east * row[i + 1])
        fields[NEW_V, j, i] = push(carried, e[j - 1, i], e[j, i], sill[j, i], pull, fastest)
