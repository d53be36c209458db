"""Fishes as exports show them: the display surface in the colours of the skin, fins, and eyes that follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...components.fish.nodes import NodePool
from ...components.fish.scales import COLOURS, Scales, ScalesPool
from ...components.fish.springs import SpringSpec, blueprint_of
from ...components.segments import SegmentPool
from ..export.body_plan import BodyPlan, BodyPose, Material, SoftBlock
from ..export.surface_piece import Piece
from ..export.unit_shapes import SHAPES
from ..render.creatures.skins import SKIN_LENGTH, SKIN_ROUND, diamond
from .painter.looks import individual
from .painter.skin_patterns import BACK, BAR, BELLY, EDGE, FIN, FLANK, paint_skin
from .painter.skin_patterns import EYE as EYE_RING
from .surface import ACROSS, ALONG, LEFT, RIGHT, DisplaySurface, bspline_basis, modelled_points

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Array
    from ...engine.world import World

ROUND_CELLS, LONG_CELLS = 12, 32
"""Cells of a half body: from back to belly, and from nose to tail."""
FIN_CELLS = 11
SKIN_COLOURS = (BACK, FLANK, BELLY, BAR, EDGE)
"""Colours that a cell of the body may have: the nearest to its skin."""
PUPIL = len(COLOURS)
SEGMENT_ALONG = np.array([0.16, 0.40, 0.66, 0.93])
"""Where the four segments of a fish lie, as shares of its length."""
BODY_ALONG = 0.87  # share of the length at the last ring, where the surface ends
EYE_ALONG, EYE_ACROSS, EYE_RADIUS = 0.155, 0.37, 0.021  # shares of the surface; share of the length, as in the picture
PECTORAL_ALONG, PECTORAL_ACROSS, PECTORAL = 0.30, 0.62, 0.17
FIN_OPACITY_LEAST = 0.25


@dataclass(frozen=True)
class _Model:
    """One fish: its surface, how large it is against it, and its pieces."""

    surface: DisplaySurface
    size: float
    fins: tuple[float, float]
    pectoral: float
    eye: float
    pieces: tuple[Piece, ...]


class FishModeller:
    """Models the fishes of one world.

    Example::

        world.resource(Modellers).add("fish", FishModeller)
    """

    def __init__(self, world: World) -> None:
        self.nodes, self.scales, self.segments = world.pool(NodePool), world.pool(ScalesPool), world.pool(SegmentPool)
        self.creatures = world.creature_pool
        self._models: dict[int, _Model] = {}

    def plan(self, creature: Creature) -> BodyPlan:
        """Pieces of the surface by colour, fins and eyes."""
        model = self._models[creature.serial] = self._model(creature)
        own = self.scales.parameters[creature.row]
        gloss, clear = min(float(own[Scales.GLOSS]), 1.0), max(1.0 - float(own[Scales.TRANSLUCENCY]), FIN_OPACITY_LEAST)
        colours = self.scales.colors[creature.row].tolist()
        materials = [Material(name, (r, g, b), gloss, clear if name == "fin" else 1.0)
                     for name, (r, g, b) in zip(COLOURS, colours, strict=True)]  # fmt: skip
        materials.append(Material("pupil", (0.02, 0.02, 0.02), 1.0))
        blocks = tuple(SoftBlock(piece.segments, piece.weights, piece.triangles, len(piece.triangles), piece.material)
                       for piece in model.pieces)  # fmt: skip
        return BodyPlan(creature.serial, creature.name, creature.species.key, creature.species.family,
                        creature.rows["segments"].size, tuple(materials), blocks=blocks)  # fmt: skip

    def poses(self, creatures: Sequence[Creature]) -> list[BodyPose]:
        """Where the corners of all pieces are now."""
        return [self._pose(creature) for creature in creatures]

    def _pose(self, creature: Creature) -> BodyPose:
        if creature.serial not in self._models:
            self._models[creature.serial] = self._model(creature)
        model, s, here = self._models[creature.serial], self.segments, creature.rows["segments"].slice
        cloud = _cloud(model, self.nodes.position[creature.rows["nodes"].slice])
        nodes = np.concatenate([cloud[piece.corners] for piece in model.pieces]).astype(np.float32)
        return BodyPose(s.position[here].copy(), s.orientation[here].copy(), nodes, np.zeros((0, 3), np.float32))

    def _model(self, creature: Creature) -> _Model:
        spec = creature.species.specs["springs"]
        assert isinstance(spec, SpringSpec)
        own, colours = self.scales.parameters[creature.row], self.scales.colors[creature.row]
        rest = blueprint_of(spec).rest
        form = modelled_points(rest, own[Scales.WIDTH], own[Scales.HEIGHT], own[Scales.SNOUT])
        size = float(self.creatures.length[creature.row]) / spec.length
        texels = paint_skin(own, colours, individual(own, creature.serial))[: SKIN_LENGTH * SKIN_ROUND]
        pieces = _pieces(texels.reshape(SKIN_LENGTH, SKIN_ROUND), np.asarray(colours, dtype=np.float64))
        fins = (0.07 * float(own[Scales.DORSAL]), 0.06)
        return _Model(DisplaySurface(rest, form), size, fins, PECTORAL * float(own[Scales.PECTORALS]),
                      EYE_RADIUS * float(own[Scales.EYE_SIZE]), pieces)  # fmt: skip


# The cloud of points of a body: both halves, fins on back and belly (two rows each), tail, fins on the breast, eyes.
HALF = (ROUND_CELLS + 1) * (LONG_CELLS + 1)
RIDGES = 2 * HALF
TAIL = RIDGES + 4 * (FIN_CELLS + 1)
PECTORALS = TAIL + 4
EYES = PECTORALS + 8
BALL = SHAPES["ellipsoid"]


def _cloud(model: _Model, nodes: Array) -> Array:
    """All points of a body whose nodes are here, as numbered above."""
    surface, size = model.surface, model.size
    length = size * float(-surface.rest[:, 0].min())
    controls = surface.controls(nodes, size)
    down, back = (bspline_basis(count, np.linspace(0.0, 1.0, cells + 1))
                  for count, cells in ((ACROSS, ROUND_CELLS), (ALONG, LONG_CELLS)))  # fmt: skip
    halves = np.einsum("ij,hjkd,lk->hild", down, controls, back)
    ridges = surface.fins(nodes, model.fins, size)
    smooth = bspline_basis(ridges.shape[2], np.linspace(0.0, 1.0, FIN_CELLS + 1))
    rows = np.einsum("lk,frkd->frld", smooth, ridges)
    breast, eyes = [], []
    for side, sign in ((LEFT, 1.0), (RIGHT, -1.0)):
        root, out, along = _place(halves[side], PECTORAL_ALONG, PECTORAL_ACROSS, sign)
        reach = model.pectoral * length
        lead, trail = 0.75 * out - 0.66 * along, 0.25 * out - 0.97 * along
        behind = root - 0.22 * reach * along
        breast += [root, root + reach * lead, behind + 0.72 * reach * trail, behind]
        middle, out, _ = _place(halves[side], EYE_ALONG, EYE_ACROSS, sign)
        ball = model.eye * length * BALL.vertices
        eyes += [middle + ball, middle + 0.45 * model.eye * length * out + 0.68 * ball]
    return np.concatenate([halves.reshape(-1, 3), rows.reshape(-1, 3), surface.tail(nodes), np.array(breast), *eyes])


def _place(half: Array, along: float, across: float, sign: float) -> tuple[Array, Array, Array]:
    """A point of a half body, the direction outward there, and the one forward."""
    i, j = round(across * ROUND_CELLS), round(along * LONG_CELLS)
    forward = half[i, j - 1] - half[i, j + 1]
    around = half[i + 1, j] - half[i - 1, j]
    out = sign * np.cross(around, forward)
    return half[i, j], out / np.linalg.norm(out), forward / np.linalg.norm(forward)


def _pieces(texels: Array, colours: Array) -> tuple[Piece, ...]:
    """The cells of the body by colour and segments, then fins and eyes."""
    material = _cell_colours(texels, colours)
    grid = np.arange(HALF).reshape(ROUND_CELLS + 1, LONG_CELLS + 1)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    cells = np.stack([a, b, c, a, c, d], axis=-1).reshape(ROUND_CELLS, LONG_CELLS, 2, 3)
    along = BODY_ALONG * np.tile(np.linspace(0.0, 1.0, LONG_CELLS + 1), ROUND_CELLS + 1)
    middle = np.broadcast_to(along.reshape(grid.shape)[0, :-1] + 0.5 * BODY_ALONG / LONG_CELLS, (ROUND_CELLS, LONG_CELLS))
    pair = np.clip(np.searchsorted(SEGMENT_ALONG, middle) - 1, 0, 2)
    pieces = []
    for side, which in np.ndindex(2, 3):
        for colour in SKIN_COLOURS:
            chosen = cells[(pair == which) & (material[side] == colour)].reshape(-1, 3)
            chosen = chosen[(chosen % (LONG_CELLS + 1) == 0).sum(axis=1) < 2]  # all corners on the nose are one point
            if len(chosen):
                turned = chosen if side == LEFT else chosen[:, ::-1]
                pieces.append(_piece(side * HALF + turned, np.concatenate([along, along]), colour))
    fin_along = np.linspace(0.35, 0.80, FIN_CELLS + 1)
    for fin in range(2):
        root = RIDGES + 2 * fin * (FIN_CELLS + 1) + np.arange(FIN_CELLS)
        tip = root + FIN_CELLS + 1
        sheet = np.concatenate([np.stack([root, tip, tip + 1], axis=-1), np.stack([root, tip + 1, root + 1], axis=-1)])
        pieces += _both_sides(sheet, np.concatenate([np.zeros(RIDGES), np.tile(fin_along, 4)]))
    fan = np.array([(0, 1, 2), (0, 2, 3)])
    pieces += _both_sides(TAIL + fan, np.full(TAIL + 4, 0.93))
    for side in range(2):
        pieces += _both_sides(PECTORALS + 4 * side + fan, np.full(PECTORALS + 8, 0.26))
        for part, colour in enumerate((EYE_RING, PUPIL)):
            start = EYES + (2 * side + part) * len(BALL.vertices)
            pieces.append(_piece(start + BALL.triangles, np.full(start + len(BALL.vertices), 0.13), colour))
    return tuple(pieces)


def _both_sides(triangles: Array, along: Array) -> list[Piece]:
    """A thin sheet, seen from either side."""
    return [_piece(triangles, along, FIN), _piece(triangles[:, ::-1], along, FIN)]


def _piece(triangles: Array, along: Array, material: int) -> Piece:
    """Triangles of the cloud as a piece of their own; along: share of the length of every point."""
    corners, local = np.unique(triangles, return_inverse=True)
    first = int(np.clip(np.searchsorted(SEGMENT_ALONG, along[corners].mean()) - 1, 0, 2))
    low, high = SEGMENT_ALONG[first], SEGMENT_ALONG[first + 1]
    rear = np.clip((along[corners] - low) / (high - low), 0.0, 1.0)
    return Piece(corners, local.reshape(-1, 3), (first, first + 1), np.column_stack([1.0 - rear, rear]), material)


def _cell_colours(texels: Array, colours: Array) -> Array:
    """The colour (2, ROUND_CELLS, LONG_CELLS) of every cell: that of the fish's own which is nearest to its skin."""
    along = BODY_ALONG * (np.arange(LONG_CELLS) + 0.5) / LONG_CELLS
    angle = np.pi * (0.5 - (np.arange(ROUND_CELLS) + 0.5) / ROUND_CELLS)
    column = np.minimum((along * SKIN_LENGTH).astype(int), SKIN_LENGTH - 1)
    own = colours[list(SKIN_COLOURS)]
    result = np.zeros((2, ROUND_CELLS, LONG_CELLS), dtype=np.int64)
    for side, sign in ((LEFT, 1.0), (RIGHT, -1.0)):
        place = diamond(sign * np.cos(angle), np.sin(angle))
        row = (place * 0.25 * SKIN_ROUND).astype(int) % SKIN_ROUND
        texel = texels[column[None, :], row[:, None]].astype(np.int64)
        seen = np.stack([texel >> 16 & 255, texel >> 8 & 255, texel & 255], axis=-1) / 255.0
        result[side] = np.take(SKIN_COLOURS, ((seen[..., None, :] - own) ** 2).sum(axis=-1).argmin(axis=-1))
    return result
