"""Articulated swimmers as exports show them: the tubes, fins, eyes and rods that the picture draws round their links.

Tubes are closed: their upper side has the colours of the skin, their lower side that of the belly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...components.articulated.servo import SwimPool
from ...components.articulated.skin import COLOURS, Skin, SkinPool
from ...components.segments import SegmentPool
from ...engine.turns import rotation_matrices
from ..export.body_plan import BodyPlan, BodyPose, Chain, Material, SoftBlock
from ..export.surface_piece import Piece
from ..export.unit_shapes import SHAPES
from ..render.creatures.skins import SHELF, SKIN_LENGTH, SKIN_ROUND, diamond
from ..render.scene.light import SEEN_TO_ALBEDO
from .painter import part_fields as f
from .painter.styles import individual, parts_of, skeleton_of
from .painter.tube_model_kernel import STATIONS, lay_guides, lay_tubes

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Array
    from ...engine.world import World

BELLY, FIN = COLOURS.index("belly"), COLOURS.index("fin")
SIDES = 24
"""Corners round a tube; the first half of them is its upper side."""
RING = STATIONS * SIDES
TUBE_POINTS = RING + 2
"""Of a tube: all rings, then the middles of its head and of its end."""
BALL = SHAPES["ellipsoid"]
EYE_HIGH, PUPIL_RISE = 1.2, 0.45
"""Half height of an eye by its smaller half axis, and how far the pupil stands out of it."""
BLACK = (0.02, 0.02, 0.02)
AROUND = 2.0 * np.pi * np.arange(SIDES) / SIDES


@dataclass
class _Model:
    """One swimmer: what is drawn round its links, and the pieces and rods that are made of it."""

    parts: Array
    guides: Array
    materials: list[Material]
    pieces: list[Piece] = field(default_factory=list)
    rods: list[Chain] = field(default_factory=list)

    def of_kind(self, kind: int) -> Array:
        """Rows of the parts of a kind."""
        found: Array = np.ascontiguousarray(self.parts[self.parts[:, f.KIND] == kind])
        return found

    def material(self, material: Material) -> int:
        """The number of a material, which is added if it is new."""
        if material not in self.materials:
            self.materials.append(material)
        return self.materials.index(material)


class SwimmerModeller:
    """Models the articulated swimmers of one world.

    Example::

        world.resource(Modellers).add("articulated", SwimmerModeller)
    """

    def __init__(self, world: World) -> None:
        self.segments, self.swimmers, self.skins = world.pool(SegmentPool), world.pool(SwimPool), world.pool(SkinPool)
        self._models: dict[int, _Model] = {}

    def plan(self, creature: Creature) -> BodyPlan:
        """Pieces of tubes by colour, fins and eyes; rods as limbs."""
        model = self._models[creature.serial] = self._model(creature)
        blocks = tuple(SoftBlock(piece.segments, piece.weights, piece.triangles, len(piece.triangles), piece.material)
                       for piece in model.pieces)  # fmt: skip
        return BodyPlan(creature.serial, creature.name, creature.species.key, creature.species.family,
                        creature.rows["segments"].size, tuple(model.materials), blocks=blocks,
                        chains=tuple(model.rods))  # fmt: skip

    def poses(self, creatures: Sequence[Creature]) -> list[BodyPose]:
        """Where the corners of all pieces are now."""
        return [self._pose(creature) for creature in creatures]

    def _pose(self, creature: Creature) -> BodyPose:
        if creature.serial not in self._models:
            self._models[creature.serial] = self._model(creature)
        model, s, here = self._models[creature.serial], self.segments, creature.rows["segments"].slice
        stations, _, points = self._laid(creature, model)
        cloud = _cloud(model, stations, points, _turns(s.orientation[here]), float(self.swimmers.length[creature.row]))
        nodes = np.concatenate([cloud[piece.corners] for piece in model.pieces]).astype(np.float32)
        rods = model.of_kind(f.ROD)[:, f.FIRST].astype(np.int64)
        ends = points[np.stack([rods, rods + 1], axis=-1)].reshape(-1, 3)
        return BodyPose(s.position[here].copy(), s.orientation[here].copy(), nodes, ends)

    def _laid(self, creature: Creature, model: _Model) -> tuple[Array, Array, Array]:
        """Stations and places of all tubes as they are now, and the points of all guides."""
        row, here, tubes = creature.row, creature.rows["segments"].slice, model.of_kind(f.TUBE)
        turns, half = _turns(self.segments.orientation[here]), self.segments.half_extents[here, 0]
        joints = self.segments.position[here] + half[:, None] * turns[:, 0]
        frames = np.ascontiguousarray(np.concatenate([joints[:, None], turns], axis=1))
        stations, places = np.zeros((len(tubes), STATIONS, 3, 3)), np.zeros((len(tubes), STATIONS, 2))
        points = np.zeros((len(model.guides), 3))
        how = (frames, float(self.swimmers.length[row]), float(self.swimmers.steer[row]))
        lay_tubes(tubes, model.guides, *how, stations, places)
        lay_guides(model.parts, model.guides, *how, points)
        return stations, places, points

    def _model(self, creature: Creature) -> _Model:
        row = creature.row
        own, colours = self.skins.parameters[row], np.asarray(self.skins.colors[row], dtype=np.float64)
        parts, guides = parts_of(skeleton_of(creature), own, colours, individual(creature.serial))
        skins = {int(skin): SHELF.texels[int(skin), : SKIN_LENGTH * SKIN_ROUND].copy()
                 for skin in parts[parts[:, f.KIND] == f.TUBE, f.SKIN]}  # fmt: skip
        gloss = float(own[Skin.GLOSS])
        materials = [Material(name, (r, g, b), gloss) for name, (r, g, b) in zip(COLOURS, colours.tolist(), strict=True)]
        model = _Model(parts, guides, materials)
        _, places, _ = self._laid(creature, model)
        for number, tube in enumerate(model.of_kind(f.TUBE)):
            shown = _cell_colours(skins[int(tube[f.SKIN])], places[number, :, 1], colours)
            _add_tube(model, number, tube, places[number, :, 0], shown)
        start = TUBE_POINTS * len(places)
        for fin in model.of_kind(f.FIN):
            _add_fin(model, fin, start + int(fin[f.FIRST]))
        start += len(guides)
        for number, eye in enumerate(model.of_kind(f.EYE)):
            _add_eye(model, eye, start + 2 * number * len(BALL.vertices))
        for number, rod in enumerate(model.of_kind(f.ROD)):
            first, thick = int(rod[f.FIRST]), float(self.swimmers.length[row])
            radii = (thick * float(guides[first, f.WIDE]), thick * float(guides[first + 1, f.WIDE]))
            material = model.material(_own_colour("rod", rod, gloss))
            model.rods.append(Chain(f"rod {number}", int(guides[first, f.LINK]), radii, (material,)))
        return model


def _turns(orientation: Array) -> Array:
    """(n, 3, 3) rows forward, left and up of links."""
    rows: Array = np.swapaxes(rotation_matrices(orientation), 1, 2)
    return rows


def _cloud(model: _Model, stations: Array, points: Array, turns: Array, length: float) -> Array:
    """All points of a body: rings and ends of its tubes, guides of all parts, balls and pupils of its eyes."""
    middle, wide, high = (stations[:, :, None, k] for k in range(3))
    rings = middle + np.cos(AROUND)[:, None] * wide + np.sin(AROUND)[:, None] * high
    tubes = [np.concatenate([ring.reshape(-1, 3), line[[0, -1], 0]]) for ring, line in zip(rings, stations, strict=True)]
    eyes = []
    for eye in model.of_kind(f.EYE):
        first = int(eye[f.FIRST])
        link, (along, across) = int(model.guides[first, f.LINK]), length * model.guides[first, f.WIDE : f.HIGH + 1]
        sizes = np.array([along, across, EYE_HIGH * min(along, across)])
        ball, rise = (BALL.vertices * sizes) @ turns[link], PUPIL_RISE * sizes[2] * turns[link, 2]
        eyes += [points[first] + ball, points[first] + rise + float(eye[f.A]) * ball]
    return np.concatenate([*tubes, points, *eyes])


def _own_colour(name: str, part: Array, gloss: float) -> Material:
    """The material of a part that has a colour of its own."""
    red, green, blue = np.sqrt(np.clip(part[f.RED : f.BLUE + 1] / SEEN_TO_ALBEDO, 0.0, 1.0)).tolist()
    return Material(name, (red, green, blue), gloss, round(float(min(part[f.ALPHA], 1.0)), 3))


def _cell_colours(texels: Array, along: Array, colours: Array) -> Array:
    """The colour (STATIONS - 1, SIDES) of every cell: of the swimmer's own the nearest to its skin, below that of its belly.

    Skins lie on the back alone, from the left edge to the right one.
    """
    place = diamond(np.cos(AROUND + np.pi / SIDES), np.sin(AROUND + np.pi / SIDES))
    column = np.minimum((0.5 * (along[:-1] + along[1:]) * SKIN_LENGTH).astype(int), SKIN_LENGTH - 1)
    row = np.minimum((0.5 * place * SKIN_ROUND).astype(int), SKIN_ROUND - 1)
    texel = texels.reshape(SKIN_LENGTH, SKIN_ROUND)[column[:, None], row[None, :]].astype(np.int64)
    seen = np.stack([texel >> 16 & 255, texel >> 8 & 255, texel & 255], axis=-1) / 255.0
    nearest: Array = ((seen[..., None, :] - colours) ** 2).sum(axis=-1).argmin(axis=-1)
    return np.where(np.arange(SIDES) < SIDES // 2, nearest, BELLY)


def _add_tube(model: _Model, number: int, tube: Array, places: Array, colours: Array) -> None:
    """The cells of a tube by colour and by the links they hang on, and its two ends."""
    start, opacity = TUBE_POINTS * number, round(float(min(tube[f.ALPHA], 1.0)), 3)
    step = 2 if tube[f.ACROSS] > 0.5 else 1
    first, count = int(tube[f.FIRST]), int(tube[f.COUNT]) // step
    links = model.guides[first : first + step * count : step, f.LINK].astype(np.int64)
    corner = np.arange(RING).reshape(STATIONS, SIDES)
    after = np.roll(corner, -1, axis=1)
    a, b, c, d = corner[:-1], after[:-1], after[1:], corner[1:]
    cells = np.stack([a, c, b, a, d, c], axis=-1).reshape(STATIONS - 1, SIDES, 2, 3)
    head, end = np.full(SIDES, RING), np.full(SIDES, RING + 1)
    fans = (np.stack([head, corner[0], after[0]], axis=-1), np.stack([end, after[-1], corner[-1]], axis=-1))
    place = np.concatenate([np.repeat(places, SIDES), places[[0, -1]]])
    interval = np.clip((0.5 * (places[:-1] + places[1:])).astype(int), 0, count - 2)
    sorted_: dict[tuple[int, int, int], list[tuple[Array, int]]] = {}
    for k, i in enumerate(interval.tolist()):
        for colour in np.unique(colours[k]).tolist():
            chosen = [cells[k, colours[k] == colour].reshape(-1, 3)]
            chosen += [fan[colours[k] == colour] for fan, at in zip(fans, (0, STATIONS - 2), strict=True) if at == k]
            key = (int(links[i]), int(links[i + 1]), colour)
            sorted_.setdefault(key, []).append((np.concatenate(chosen), i))
    for (one, other, colour), found in sorted_.items():
        triangles = np.concatenate([chosen for chosen, _ in found])
        corners, local = np.unique(triangles, return_inverse=True)
        rear = np.clip(place[corners] - found[0][1], 0.0, 1.0) if one != other else np.zeros(len(corners))
        base = model.materials[colour]
        material = colour if opacity == 1.0 else model.material(Material(base.name, base.colour, base.gloss, opacity))
        weights = np.column_stack([1.0 - rear, rear])
        model.pieces.append(Piece(start + corners, local.reshape(-1, 3), (one, other), weights, material))


def _add_fin(model: _Model, fin: Array, start: int) -> None:
    """A thin sheet between two roots and two tips, seen from either side."""
    first = int(fin[f.FIRST])
    links = model.guides[first : first + 4, f.LINK].astype(int).tolist()
    root, tip = links[0], next((link for link in links if link != links[0]), links[0])
    rear = np.array([float(link != root) for link in links])
    sheet, weights = np.array([(0, 2, 3), (0, 3, 1)]), np.column_stack([1.0 - rear, rear])
    material = model.material(_own_colour("fin", fin, model.materials[FIN].gloss))
    for triangles in (sheet, sheet[:, ::-1]):
        model.pieces.append(Piece(start + np.arange(4), triangles, (root, tip), weights, material))


def _add_eye(model: _Model, eye: Array, start: int) -> None:
    """A flat ball and its pupil."""
    link, count = int(model.guides[int(eye[f.FIRST]), f.LINK]), len(BALL.vertices)
    held = np.column_stack([np.ones(count), np.zeros(count)])
    for ball, material in enumerate((_own_colour("eye", eye, 1.0), Material("pupil", BLACK, 1.0))):
        corners = start + ball * count + np.arange(count)
        model.pieces.append(Piece(corners, BALL.triangles, (link, link), held, model.material(material)))
