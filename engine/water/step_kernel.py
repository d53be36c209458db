"""Steps over the whole grid: serial work on ranges of rows, and thin parallel loops over those ranges.

Each phase of a substep writes only its own rows and reads what earlier phases finished, so the result does not depend
on the number of threads. ``spans[j]`` is the range of columns of row j that water can reach during this call; rows
and columns beyond it are skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ..kernel import kernel
from ..kernel_types import int64
from .edge_kernel import absorb_edges, keep_edges, still_edges
from .flow_kernel import (
    cut_row,
    fill_row,
    flux_u_row,
    flux_v_row,
    move_u_row,
    move_v_row,
    raise_row,
    share_row,
)
from .pond_layout import BED, DEPTH, FILM, FLUX_X, FLUX_Y, NEW_U, NEW_V, SHARE, SILL_X, SILL_Y, SURFACE, U, V

if TYPE_CHECKING:
    from ..kernel_types import Array

ROWS_PER_CHUNK = 8  # rows; fine enough to share out a half-dry pond, coarse enough that starting a chunk costs nothing


@kernel()
def chunk_rows(chunk: int, rows: int) -> tuple[int, int]:
    """Return the first row of a chunk and the row after its last, ring rows left out."""
    first = 1 + ROWS_PER_CHUNK * chunk
    return first, min(first + ROWS_PER_CHUNK, rows - 1)


@kernel()
def top_row(row: Array, highest: Array) -> None:
    """Update the highest sizes so far, column by column: unlike a running maximum this vectorises."""
    for i in range(highest.size):
        size = abs(row[i])
        highest[i] = size if size > highest[i] else highest[i]


@kernel()
def survey_rows(fields: Array, first: int, last: int, spans: Array, highest: Array, peaks: Array) -> None:
    """Update the wet span of rows first..last - 1 and their peaks (depth, |u|, |v|); `highest` is scratch."""
    columns = fields.shape[2]
    for slot in range(3):
        for i in range(columns):
            highest[slot, i] = 0.0
    for j in range(first, last):
        top_row(fields[DEPTH, j], highest[0])
        top_row(fields[U, j], highest[1])
        top_row(fields[V, j], highest[2])
        low, high, depth = 1, columns - 1, fields[DEPTH, j]
        while low < high and not depth[low] > 0.5 * FILM:
            low += 1
        while high > low and not depth[high - 1] > 0.5 * FILM:
            high -= 1
        spans[j, 0], spans[j, 1] = low, high
    for slot in range(3):
        peaks[slot] = 0.0
        for i in range(columns):
            peaks[slot] = max(peaks[slot], highest[slot, i])


@kernel(parallel=True)
def survey(fields: Array, spans: Array, highest: Array, peaks: Array) -> None:
    """Update the wet spans and, per chunk, the peaks of depth and speed from the fields."""
    for c in prange(peaks.shape[0]):
        chunk = int64(c)
        first, last = chunk_rows(chunk, fields.shape[1])
        survey_rows(fields, first, last, spans, highest[chunk], peaks[chunk])


@kernel()
def widen_spans(spans: Array, wet: Array, reach: int, columns: int) -> None:
    """Update the spans from the wet ones: everything within `reach` cells of a wet cell."""
    rows = spans.shape[0]
    for j in range(1, rows - 1):
        low, high = columns, 0
        for other in range(max(1, j - reach), min(rows - 1, j + reach + 1)):
            if wet[other, 0] < wet[other, 1]:
                low, high = min(low, wet[other, 0] - reach), max(high, wet[other, 1] + reach)
        spans[j, 0] = max(1, low) if high > low else 1
        spans[j, 1] = min(columns - 1, high) if high > low else 1


@kernel()
def west_faces(spans: Array, j: int, columns: int) -> tuple[int, int]:
    """Return the first west face of row j that water can reach and the one after the last, no walls."""
    low, high = max(spans[j, 0], 2), min(spans[j, 1], columns - 2) + 1
    return (low, high) if spans[j, 0] < spans[j, 1] else (2, 2)


@kernel()
def south_faces(spans: Array, j: int) -> tuple[int, int]:
    """Return the columns of south faces of row j that water can reach from either side, no walls."""
    if j == 1:
        return 1, 1
    low, high = spans[j, 0], spans[j, 1]
    if spans[j - 1, 0] < spans[j - 1, 1]:
        low, high = min(low, spans[j - 1, 0]) if low < high else spans[j - 1, 0], max(high, spans[j - 1, 1])
    return low, high


@kernel()
def flux_rows(fields: Array, first: int, last: int, spans: Array) -> None:
    """Update the fluxes of rows first..last - 1 from velocities and surface."""
    surface = fields[SURFACE]
    columns = fields.shape[2]
    for j in range(first, last):
        low, high = west_faces(spans, j, columns)
        if low < high:
            w = slice(low - 1, high + 1)
            flux_u_row(fields[U, j, w], surface[j, w], fields[SILL_X, j, w], fields[FLUX_X, j, w])
        low, high = south_faces(spans, j)
        if low < high:
            w = slice(low - 1, high + 1)
            flux_v_row(fields[V, j, w], surface[j - 1, w], surface[j, w], fields[SILL_Y, j, w], fields[FLUX_Y, j, w])


@kernel()
def share_rows(fields: Array, first: int, last: int, spans: Array, poor: Array, k: float) -> None:
    """Update outflow shares and the count of poor cells of rows first..last - 1."""
    for j in range(first, last):
        w = slice(spans[j, 0] - 1, spans[j, 1] + 1)
        poor[j] = share_row(
            fields[FLUX_X, j, w], fields[FLUX_Y, j, w], fields[FLUX_Y, j + 1, w], fields[DEPTH, j, w], fields[SHARE, j, w], k
        )


@kernel()
def cut_rows(fields: Array, first: int, last: int, poor: Array) -> None:
    """Update the fluxes of rows first..last - 1 where a cell of the row or of the one to the south is poor."""
    for j in range(first, last):
        if poor[j - 1] + poor[j] > 0:
            cut_row(fields[FLUX_X, j], fields[FLUX_Y, j], fields[SHARE, j - 1], fields[SHARE, j])


@kernel()
def fill_rows(fields: Array, first: int, last: int, spans: Array, k: float) -> None:
    """Update depth and surface of rows first..last - 1 from the fluxes."""
    for j in range(first, last):
        w = slice(spans[j, 0] - 1, spans[j, 1] + 1)
        depth = fields[DEPTH, j, w]
        fill_row(fields[FLUX_X, j, w], fields[FLUX_Y, j, w], fields[FLUX_Y, j + 1, w], depth, k)
        raise_row(fields[BED, j, w], depth, fields[SURFACE, j, w])


@kernel()
def move_rows(fields: Array, first: int, last: int, spans: Array, k: float, pull: float, fastest: float) -> None:
    """Update new velocities of rows first..last - 1 from the old ones, the fluxes and the surface."""
    u, v, fx, fy, depth, surface = fields[U], fields[V], fields[FLUX_X], fields[FLUX_Y], fields[DEPTH], fields[SURFACE]
    columns = fields.shape[2]
    for j in range(first, last):
        low, high = west_faces(spans, j, columns)
        if low < high:
            w = slice(low - 1, high + 1)
            move_u_row(u[j - 1, w], u[j, w], u[j + 1, w], fx[j, w], fy[j, w], fy[j + 1, w], depth[j, w], surface[j, w],
                       fields[SILL_X, j, w], fields[NEW_U, j, w], k, pull, fastest)
        low, high = south_faces(spans, j)
        if low < high:
            w = slice(low - 1, high + 1)
            move_v_row(v[j - 1, w], v[j, w], v[j + 1, w], fx[j - 1, w], fx[j, w], fy[j - 1, w], fy[j, w], fy[j + 1, w],
                       depth[j - 1, w], depth[j, w], surface[j - 1, w], surface[j, w], fields[SILL_Y, j, w],
                       fields[NEW_V, j, w], k, pull, fastest)


@kernel()
def copy_row(source: Array, target: Array, first: int, last: int) -> None:
    """Update columns first..last - 1 of the target row."""
    for i in range(first, last):
        target[i] = source[i]


@kernel()
def take_rows(fields: Array, first: int, last: int, spans: Array) -> None:
    """Update velocities of rows first..last - 1 to the new ones; walls are free to slip."""
    rows, columns = fields.shape[1], fields.shape[2]
    for j in range(first, last):
        low, high = west_faces(spans, j, columns)
        copy_row(fields[NEW_U, j], fields[U, j], low, high)
        low, high = south_faces(spans, j)
        copy_row(fields[NEW_V, j], fields[V, j], low, high)
        fields[V, j, 0], fields[V, j, columns - 1] = fields[V, j, 1], fields[V, j, columns - 2]
        if j == 1:
            copy_row(fields[U, 1], fields[U, 0], 0, columns)
        if j == rows - 2:
            copy_row(fields[U, rows - 2], fields[U, rows - 1], 0, columns)


@kernel(parallel=True)
def flux_all(fields: Array, chunks: int, spans: Array) -> None:
    """Update fluxes of all rows."""
    for c in prange(chunks):
        first, last = chunk_rows(int64(c), fields.shape[1])
        flux_rows(fields, first, last, spans)


@kernel(parallel=True)
def share_all(fields: Array, chunks: int, spans: Array, poor: Array, k: float) -> None:
    """Update outflow shares and counts of poor cells of all rows."""
    for c in prange(chunks):
        first, last = chunk_rows(int64(c), fields.shape[1])
        share_rows(fields, first, last, spans, poor, k)


@kernel(parallel=True)
def cut_all(fields: Array, chunks: int, poor: Array) -> None:
    """Update fluxes out of poor cells in all rows."""
    for c in prange(chunks):
        first, last = chunk_rows(int64(c), fields.shape[1])
        cut_rows(fields, first, last, poor)


@kernel(parallel=True)
def fill_all(fields: Array, chunks: int, spans: Array, k: float) -> None:
    """Update depth and surface of all rows."""
    for c in prange(chunks):
        first, last = chunk_rows(int64(c), fields.shape[1])
        fill_rows(fields, first, last, spans, k)


@kernel(parallel=True)
def move_all(fields: Array, chunks: int, spans: Array, k: float, pull: float, fastest: float) -> None:
    """Update new velocities of all rows."""
    for c in prange(chunks):
        first, last = chunk_rows(int64(c), fields.shape[1])
        move_rows(fields, first, last, spans, k, pull, fastest)


@kernel(parallel=True)
def take_all(fields: Array, chunks: int, spans: Array) -> None:
    """Update velocities of all rows to the new ones."""
    for c in prange(chunks):
        first, last = chunk_rows(int64(c), fields.shape[1])
        take_rows(fields, first, last, spans)


@kernel()
def any_poor(poor: Array) -> bool:
    """Return whether a cell of any row cannot pay all of its outflow."""
    for j in range(poor.size):
        if poor[j] > 0:
            return True
    return False


@kernel()
def flow(fields: Array, frame: Array, spans: Array, poor: Array, chunks: int, edges: Array, kept: Array, substeps: int,
         k: float, fastest: float, gravity: float) -> None:  # fmt: skip
    """Update depth, surface and velocities by some substeps; k = dt / dx of one substep."""
    pull = gravity * k
    for _ in range(substeps):
        flux_all(fields, chunks, spans)
        share_all(fields, chunks, spans, poor, k)
        if any_poor(poor):
            cut_all(fields, chunks, poor)
        keep_edges(fields, kept)
        fill_all(fields, chunks, spans, k)
        absorb_edges(fields, edges, kept, k, gravity)
        move_all(fields, chunks, spans, k, pull, fastest)
        take_all(fields, chunks, spans)
        still_edges(fields, frame, edges)


@kernel()
def clamp_velocities(fields: Array, fastest: float) -> None:
    """Update velocities to at most `fastest`; NaN becomes 0."""
    for plane in (U, V):
        for j in range(fields.shape[1]):
            for i in range(fields.shape[2]):
                w = fields[plane, j, i]
                w = w if w < fastest else (fastest if w >= fastest else 0.0)
                fields[plane, j, i] = w if w > -fastest else -fastest
