"""The terrain picture in chunks: baked once per zoom step, kept, and copied to the screen.

Zoom steps form a ladder of square roots of two; a camera between two steps sees the finer one, resampled. A chunk that is
not ready shows what the zoom step before had there, or a coarse version of itself (a sixteenth of the work); when too many
come into view at once, a blurred one at first. Two chunks at a time are on their way to the fine version, some parts of the
work per frame: first those in view, from the middle on, then those around it, ahead of the camera first, so that what
scrolls into view is ready. The budget counts parts, not time: pictures do not depend on the speed of the machine.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....engine.growths import RADIUS, X, Y
from ..scene.scene import Ground
from .chunk_batch import LARGEST_MARGIN, GroundBatch, bake
from .placeholder import Place, blurred, resampled

CHUNK = 128  # px
COARSE = 4  # the quick version has a quarter of the resolution
LADDER_BASE = 18.0  # px per unit of the reference zoom
KEPT_CHUNKS = 700  # 64 kB each
AT_ONCE = 2  # chunks on their way at the same time, one per core of a small machine
COARSE_AT_ONCE = 8  # chunks in view that get their coarse version in a frame
COARSE_AHEAD = 1  # chunks around the view that get their coarse version per frame
HURRIED = 1.5  # px per frame that the camera moves; from here on fine versions around the view may come too late
PARTS_AHEAD = 1  # per frame while all in view is ready: a row of chunks is done before an animal has walked its width
CATCHING_UP = 4  # times the usual parts per frame when what is shown is not the fine version, or wrong: a rock was moved
EVERYTHING = 1_000_000  # parts: all that is in view, now
AND_AROUND = 2 * EVERYTHING  # and what may come into view next
STONE_REACH = 1.35  # of its radius, as far as a stone may be uneven

BLURRED, COARSELY, FINE = range(3)  # versions of a chunk

Packed = NDArray[np.uint32]
Look = tuple[int, str, float]
"""Seed, light and scale: what chunks of one picture have in common."""


def ladder_scale(scale: float) -> float:
    """The finer of the two zoom steps around `scale`, or the step itself.

    Example::

        ladder_scale(18.0)        # -> 18.0
        ladder_scale(20.0)        # -> 25.45...
    """
    step = math.ceil(2.0 * math.log2(scale / LADDER_BASE) - 1e-6)
    return float(LADDER_BASE * 2.0 ** (step / 2.0))


class _Chunk(NamedTuple):
    pixels: Packed
    version: int
    quality: int


@dataclass
class _Work:
    """Chunks on their way."""

    look: Look
    places: list[Place]
    version: int
    batch: GroundBatch


@dataclass(frozen=True)
class Request:
    """What a view needs: the ground in a look and a light, under a box of pixels, and where the camera goes (px)."""

    ground: Ground
    look: Look
    light: NDArray[np.float32]
    left: int
    top: int
    shape: tuple[int, int]
    heading: tuple[float, float] = (0.0, 0.0)


class GroundPicture:
    """The chunk store.

    Example::

        store = GroundPicture()
        store.make_ready(request, parts=2)
        store.copy(background, request.look, request.left, request.top)
    """

    def __init__(self) -> None:
        self._chunks: OrderedDict[tuple[int, str, float, int, int], _Chunk] = OrderedDict()
        self._work: _Work | None = None
        self._ground: Ground | None = None
        self._kept = KEPT_CHUNKS
        self._look: Look | None = None  # of the last view
        self._look_before: Look | None = None
        self._seen: tuple[object, ...] = ()  # look and chunks of the last view
        self._view: list[Place] = []
        self._around: list[Place] = []
        self._complete = self._all_around = False  # whether all in that view is fine, and whether all around it is, too
        self.replaced: list[tuple[Look, Place]] = []
        """Chunks that may have been shown already and have other pixels now; the code that shows them empties the list."""

    def make_ready(self, request: Request, parts: int) -> None:
        """Make every chunk under a view showable, and do some parts of the work on fine ones."""
        seen = (request.look, *_range(request.left, request.shape[1]), *_range(request.top, request.shape[0]))
        if seen != self._seen:
            view = _from_the_middle(_places(request.left, request.top, request.shape))
            self._seen, self._view, self._around = seen, view, _around(request, view)
            self._complete = self._all_around = False
        if request.look != self._look:
            self._look, self._look_before = request.look, self._look
        if request.ground is not self._ground:
            self._compare(request.ground)
            self._complete = self._all_around = False
        view, around = self._view, self._around
        self._kept = max(KEPT_CHUNKS, 3 * len(view))
        if parts >= EVERYTHING:
            wanted = view + around if parts >= AND_AROUND else view
            self._bake_now(request, [p for p in wanted if self._is_unfinished(request, p)])
        elif not self._all_around:
            self._improve(request, view, around, parts)
        if not self._complete:
            for place in view:
                self._chunks.move_to_end((*request.look, *place))
            self._complete = not any(self._is_unfinished(request, place) for place in view)

    def _improve(self, request: Request, view: list[Place], around: list[Place], parts: int) -> None:
        """The work of one frame: stand-ins for what is missing, then some parts of the fine versions."""
        if not self._complete:
            missing = [place for place in view if (*request.look, *place) not in self._chunks]
            self._stand_in(request, missing)
            if len(missing) > COARSE_AT_ONCE:
                return  # this frame has done enough
            blurry = [place for place in view if self._chunks[(*request.look, *place)].quality == BLURRED]
            self._bake_coarsely(request, blurry[:COARSE_AT_ONCE])
        if math.hypot(*request.heading) > HURRIED:
            ahead = [place for place in around if (*request.look, *place) not in self._chunks]
            self._bake_coarsely(request, ahead[:COARSE_AHEAD])
        self._all_around = not self._go_on(request, view, around, parts)

    def copy(self, background: Packed, look: Look, left: int, top: int) -> None:
        """Copy chunks that are ready into a background whose first pixel is (left, top)."""
        rows, columns = background.shape
        for cx, cy in _places(left, top, (rows, columns)):
            _copy(self._chunks[(*look, cx, cy)].pixels, background, cx * CHUNK - left, cy * CHUNK - top)

    def _is_unfinished(self, request: Request, place: Place) -> bool:
        chunk = self._chunks.get((*request.look, *place))
        return chunk is None or chunk.quality < FINE or chunk.version != request.ground.version

    def _compare(self, ground: Ground) -> None:
        """Take in a new version of the ground: where only stones differ, chunks away from them stay what they are."""
        before, self._ground = self._ground, ground
        if before is None or before.version == ground.version:
            return
        if before.elevation is not ground.elevation or before.clarity != ground.clarity:
            return
        changed = np.concatenate([_differing(before.stones, ground.stones), _differing(_grown(before), _grown(ground))])
        for key, chunk in self._chunks.items():
            if chunk.version == before.version and not _touched(key, changed):
                self._chunks[key] = chunk._replace(version=ground.version)

    def _bake_now(self, request: Request, places: list[Place]) -> None:
        corners = [(cx * CHUNK, cy * CHUNK) for cx, cy in places]
        for place, pixels in zip(places, bake(request.ground, request.light, request.look[2], corners, CHUNK), strict=True):
            self._store(request.look, place, _Chunk(pixels, request.ground.version, FINE))

    def _stand_in(self, request: Request, missing: list[Place]) -> None:
        """Make chunks showable at once: from the zoom step before, else coarse ones, or blurred if there are many."""
        ground, look, before = request.ground, request.look, self._look_before
        if before is not None and before[:2] == look[:2]:
            seed, light, scale = before

            def shown_before(place: Place) -> Packed | None:
                chunk = self._chunks.get((seed, light, scale, *place))
                if chunk is None or chunk.quality <= BLURRED or chunk.version != ground.version:
                    return None
                return chunk.pixels

            for place, pixels in resampled(shown_before, scale / look[2], missing, CHUNK).items():
                self._store(look, place, _Chunk(pixels, ground.version, COARSELY))
        missing = [place for place in missing if (*look, *place) not in self._chunks]
        if len(missing) <= COARSE_AT_ONCE:
            self._bake_coarsely(request, missing)
            return
        for place, pixels in blurred(ground, request.light, look[2], missing, CHUNK).items():
            self._store(look, place, _Chunk(pixels, ground.version, BLURRED))

    def _bake_coarsely(self, request: Request, places: list[Place]) -> None:
        size = CHUNK // COARSE
        corners = [(cx * size, cy * size) for cx, cy in places]
        coarse = bake(request.ground, request.light, request.look[2] / COARSE, corners, size)
        for place, pixels in zip(places, coarse, strict=True):
            large = pixels.repeat(COARSE, axis=0).repeat(COARSE, axis=1)
            self._store(request.look, place, _Chunk(large, request.ground.version, COARSELY))

    def _go_on(self, request: Request, view: list[Place], around: list[Place], parts: int) -> bool:
        """Work on the chunks under way, or take up the next ones; return whether there was anything to do."""
        work, ground = self._work, request.ground
        if work is None or work.look != request.look:
            stale = [p for p in view if self._chunks[(*request.look, *p)].version != ground.version]
            coarse = [p for p in view if self._chunks[(*request.look, *p)].quality < FINE and p not in stale]
            ahead = [p for p in around if self._is_unfinished(request, p)]
            places = (stale + coarse + ahead)[:AT_ONCE]
            if not places:
                self._work = None
                return False
            corners = [(cx * CHUNK, cy * CHUNK) for cx, cy in places]
            work = _Work(request.look, places, ground.version,
                         GroundBatch(ground, request.light, request.look[2], corners, CHUNK))  # fmt: skip
        shown = [self._chunks[key] for p in work.places if (key := (*work.look, *p)) in self._chunks and p in view]
        wanting = any(chunk.quality < FINE or chunk.version != ground.version for chunk in shown)
        work.batch.advance(CATCHING_UP * parts if wanting else min(parts, PARTS_AHEAD))
        self._work = None if work.batch.finished else work
        if work.batch.finished:
            for place, pixels in zip(work.places, work.batch.packed, strict=True):
                self._store(work.look, place, _Chunk(pixels, work.version, FINE))
        return True

    def _store(self, look: Look, place: Place, chunk: _Chunk) -> None:
        key = (*look, *place)
        if key in self._chunks:
            self.replaced.append((look, place))
        self._chunks[key] = chunk
        self._chunks.move_to_end(key)
        while len(self._chunks) > self._kept:
            self._chunks.popitem(last=False)


def _range(first: int, count: int) -> tuple[int, int]:
    """First column of chunks under some pixels, and the first one beyond; or rows."""
    return first // CHUNK, (first + count - 1) // CHUNK + 1


def _places(left: int, top: int, shape: tuple[int, int]) -> list[Place]:
    """Columns and rows of the chunks under a view."""
    rows, columns = shape
    return [(cx, cy) for cy in range(*_range(top, rows)) for cx in range(*_range(left, columns))]


def _from_the_middle(places: list[Place]) -> list[Place]:
    """The chunks of a view, those in the middle first."""
    middle_x, middle_y = 0.5 * (places[0][0] + places[-1][0]), 0.5 * (places[0][1] + places[-1][1])
    return sorted(places, key=lambda place: (place[0] - middle_x) ** 2 + (place[1] - middle_y) ** 2)


def _around(request: Request, view: list[Place]) -> list[Place]:
    """The ring of chunks around a view, those first that the camera goes to."""
    rows, columns = request.shape
    inside = set(view)
    grown = _places(request.left - CHUNK, request.top - CHUNK, (rows + 2 * CHUNK, columns + 2 * CHUNK))
    ring = [place for place in grown if place not in inside]
    middle_x, middle_y = (request.left + 0.5 * columns) / CHUNK - 0.5, (request.top + 0.5 * rows) / CHUNK - 0.5
    along, down = request.heading
    return sorted(ring, key=lambda place: -((place[0] - middle_x) * along + (place[1] - middle_y) * down))


def _differing(before: NDArray[np.float64], now: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stones (x, y, radius, height) of either list that are not the same in the other."""
    shared = min(len(before), len(now))
    other = (before[:shared] != now[:shared]).any(axis=1)
    return np.concatenate([before[:shared][other], now[:shared][other], before[shared:], now[shared:]])


def _grown(ground: Ground) -> NDArray[np.float64]:
    """Growths as stones are told, with the rock around them."""
    rows = np.asarray(ground.growths, dtype=np.float64)
    wide = 2.0 * rows[:, RADIUS] + 2.0
    return np.column_stack([rows[:, X], rows[:, Y], wide, rows.sum(axis=1)])


def _touched(key: tuple[int, str, float, int, int], stones: NDArray[np.float64]) -> bool:
    """Whether any of some stones may be seen in a chunk, or throw its shadow there."""
    scale, cx, cy = key[2:]
    x, y = (cx + 0.5) * CHUNK / scale, -(cy + 0.5) * CHUNK / scale
    reach = (0.5 * CHUNK + LARGEST_MARGIN) / scale + STONE_REACH * stones[:, 2]
    return bool(((np.abs(stones[:, 0] - x) < reach) & (np.abs(stones[:, 1] - y) < reach)).any())


def _copy(chunk: Packed, background: Packed, left: int, top: int) -> None:
    """Copy the visible part of a chunk whose corner is at (left, top) of the background."""
    rows, columns = background.shape
    y0, y1, x0, x1 = max(top, 0), min(top + CHUNK, rows), max(left, 0), min(left + CHUNK, columns)
    background[y0:y1, x0:x1] = chunk[y0 - top : y1 - top, x0 - left : x1 - left]
