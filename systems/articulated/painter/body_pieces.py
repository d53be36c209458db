"""Parts of a picture, put together once per kind of swimmer: tubes with painted skins, fins, eyes, rods, lights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...render.creatures.skins import SHELF, flat_places, packed_skin
from ...render.scene.light import SEEN_TO_ALBEDO
from . import part_fields as f

if TYPE_CHECKING:
    from .link_skeleton import Skeleton

Array = NDArray[Any]
Colour = Sequence[float] | Array
Guide = tuple[float, ...]
"""Link, forward, left and up of its joint; then half width and half height, or a radius."""


@dataclass(frozen=True)
class Surface:
    """Places of all texels of a tube's skin, each (SKIN_LENGTH, SKIN_ROUND)."""

    along: Array  # 0 at its head to 1 at its end
    across: Array  # 1 left to -1 right
    x: Array  # body lengths behind its head
    y: Array  # body lengths to the left of its middle
    length: float
    random: np.random.Generator


Paint = Callable[[Surface], tuple[Array, Array]]
"""From places to display colours (..., 3) and shine, both 0 to 1."""


@dataclass
class Parts:
    """Rows of parts and guides as they are added, in the order in which they are drawn.

    Example::

        parts = Parts(("eel", 3), 3, skeleton)
        parts.tube([(0, 0.0, 0.0, 0.0, 0.05, 0.05), (0, -0.2, 0.0, 0.0, 0.04, 0.04)], paint_back)
        parts.eye((0, -0.03, 0.03, 0.03), 0.01, "#F0C040")
    """

    key: tuple[Any, ...]
    seed: int
    skeleton: Skeleton
    rows: list[Array] = field(default_factory=list)
    guides: list[Array] = field(default_factory=list)

    def tube(
        self, guides: Sequence[Guide], paint: Paint, *, rounds: tuple[float, float] = (0.0, 0.0), alpha: float = 1.0,
        across: bool = False, least: float = 0.0, gloss: float = 0.5, outline: float = 0.006, halo: float = 1.0,
        fold: float = 0.0, light: float = 0.0, tint: Colour = (0.0, 0.0, 0.0), steered: float = 0.0,
    ) -> None:  # fmt: skip
        """A lofted body through guides; `steered` is how far its head turns to the left with the steering.

        With `across` guides are pairs of its left and its right edge.
        """
        table = _table(guides)
        steps = np.linalg.norm(np.diff(self._sections(table, across)[0], axis=0), axis=1)
        steps = np.ones_like(steps) if fold > 0.0 else steps  # every pleat has the same share of the paper
        share = np.concatenate([[0.0], np.cumsum(steps)]) / max(float(steps.sum()), 1e-9)
        table[:, f.ALONG] = np.repeat(share, 2) if across else share
        table[:, f.STEERED] = steered * np.clip(1.0 - table[:, f.ALONG], 0.0, 1.0)
        row = self._add(f.TUBE, table)
        row[[f.HEAD_ROUND, f.END_ROUND, f.ALPHA, f.ACROSS, f.LEAST]] = *rounds, alpha, across, least
        row[[f.GLOSS, f.OUTLINE, f.HALO, f.FOLD, f.LIGHT]] = gloss, outline, halo, fold, light
        row[f.RED : f.BLUE + 1] = np.square(np.asarray(tint, dtype=np.float64)) * SEEN_TO_ALBEDO
        place, order = self._surface(table, rounds, across), len(self.rows)
        row[f.SKIN] = SHELF.place(("swimmer", *self.key, order), lambda: _painted(place, paint))

    def fin(self, points: Sequence[Guide], colour: Colour, *, shape: float = 0.0, rays: float = 8.0, bow: float = 0.0,
            alpha: float = 0.8, least: float = 0.0, light: float = 0.0) -> None:  # fmt: skip
        """A thin skin with rays between two roots and two tips."""
        row = self._add(f.FIN, _table(points))
        row[[f.A, f.B, f.C, f.ALPHA, f.LEAST, f.LIGHT]] = shape, rays, bow, alpha, least, light
        self._colour(row, colour)

    def eye(self, at: Guide, radius: float | tuple[float, float], colour: Colour, *, pupil: float = 0.6, glint: float = 1.0,
            least: float = 0.0) -> None:  # fmt: skip
        """A bright ring round a black pupil."""
        table = _table([at])
        table[0, f.WIDE : f.HIGH + 1] = radius
        row = self._add(f.EYE, table)
        row[[f.A, f.B, f.ALPHA, f.LEAST]] = pupil, glint, 1.0, least
        self._colour(row, colour)

    def rod(self, a: Guide, b: Guide, colour: Colour, *, gloss: float = 0.4, least: float = 0.0, alpha: float = 1.0) -> None:
        """A straight piece with round ends; the fifth number of its points is their radius."""
        row = self._add(f.ROD, _table([a, b]))
        row[[f.GLOSS, f.ALPHA, f.LEAST]] = gloss, alpha, least
        self._colour(row, colour)

    def shine(self, at: Guide, colour: Colour, *, alpha: float, fog: float = 0.1, least: float = 0.0) -> None:
        """A soft light; the fifth number of its place is its radius."""
        row = self._add(f.SHINE, _table([at]))
        row[[f.A, f.ALPHA, f.LEAST]] = fog, alpha, least
        self._colour(row, colour)

    def shadow(self, a: Guide, b: Guide, strength: float = 1.0) -> None:
        """What is seen on the bed of a part between two points; the fifth number is a radius."""
        row = self._add(f.SHADOW, _table([a, b]))
        row[f.ALPHA] = strength

    def _add(self, kind: int, table: Array) -> Array:
        row = np.zeros(f.PART_FIELDS)
        row[[f.KIND, f.FIRST, f.COUNT]] = kind, sum(map(len, self.guides)), len(table)
        self.rows.append(row)
        self.guides.append(table)
        return row

    def _colour(self, row: Array, colour: Colour) -> None:
        row[f.RED : f.BLUE + 1] = np.square(np.asarray(colour, dtype=np.float64)) * SEEN_TO_ALBEDO

    def _sections(self, table: Array, across: bool) -> tuple[Array, Array]:
        """(n, 3) middles of the sections of a tube at rest, and (n,) half widths."""
        skeleton, link = self.skeleton, table[:, f.LINK].astype(np.int64)
        at = skeleton.joint[link] + np.einsum("ni,nij->nj", table[:, f.AT_X : f.AT_Z + 1], skeleton.axes[link])
        if not across:
            return at, table[:, f.WIDE]
        return 0.5 * (at[::2] + at[1::2]), 0.5 * np.linalg.norm(at[::2] - at[1::2], axis=1)

    def _surface(self, table: Array, rounds: tuple[float, float], across: bool) -> Surface:
        """Places on the skin of a tube at rest."""
        along, side = np.broadcast_arrays(*flat_places())
        at, wide = self._sections(table, across)
        places = table[:: 2 if across else 1, f.ALONG]
        wide = np.interp(along[:, 0], places, wide) * _rounding(along[:, 0], *rounds)
        length = float(np.linalg.norm(np.diff(at, axis=0), axis=1).sum())
        random = np.random.default_rng((self.seed, len(self.rows)))
        return Surface(along, side, along * length, side * wide[:, None], length, random)


def _rounding(along: Array, head: float, end: float) -> Array:
    size = np.ones_like(along)
    if head > 0.0:
        size *= np.sqrt(np.clip(1.0 - np.clip(1.0 - along / head, 0.0, 1.0) ** 2, 0.0, 1.0))
    if end > 0.0:
        size *= np.sqrt(np.clip(1.0 - np.clip((along - 1.0 + end) / end, 0.0, 1.0) ** 2, 0.0, 1.0))
    return size


def _table(points: Sequence[Guide]) -> Array:
    table = np.zeros((len(points), f.GUIDE_FIELDS))
    for row, point in zip(table, points, strict=True):
        row[: len(point)] = point
    return table


def _painted(surface: Surface, paint: Paint) -> Array:
    colour, shine = paint(surface)
    return packed_skin(np.clip(colour, 0.0, 1.0), np.clip(shine, 0.0, 1.0))
