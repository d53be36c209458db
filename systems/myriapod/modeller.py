"""Myriapods as exports show them: plates and rings on segments, the tissue's own nodes, legs and antennae as chains."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ...components.antennae import AntennaPool, Sense
from ...components.body import BodyPool
from ...components.legs import LegPool
from ...components.myriapod.appearance import COLOURS, PROPORTIONS, STYLES, AppearancePool, AppearanceSpec
from ...components.myriapod.chain_segments import ChainSegmentPool
from ...components.myriapod.construction.lattice import FIRST_FREE, FIRST_REAR, NODES, SIDE_TRIANGLES, TETRAHEDRA, UNIT_NODES
from ...components.myriapod.gait import GaitPool
from ...components.myriapod.tissue import TissuePool
from ...components.segments import SegmentPool
from ...engine.creature import FULL
from ...engine.turns import rotation_matrices
from ..export.body_plan import BodyPlan, BodyPose, Chain, Material, SoftBlock, Solid
from ..legs.leg_joints_kernel import place_all_leg_joints
from .painter.limb_kernel import (
    ANTENNA_RADIUS,
    ANTENNA_SHRINK,
    JAW_LINKS,
    JAW_RADII,
    LEG_RADII,
    REFERENCE_WIDTH,
    TAIL_LINKS,
    TAIL_RADII,
)

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Array
    from ...engine.world import World

PLATE, TISSUE, FEMUR, TIBIA, TARSUS, HEAD, ANTENNA_BASE, ANTENNA_TIP = range(len(COLOURS))
EYE = len(COLOURS)
PLATE_COVER, HULL_COVER = 1.0, 0.86
"""Half lengths of plates and of hulls, as shares of the way from a segment's centre to its hinge."""
PLATE_LIFT, PLATE_DEPTH = 0.5, 0.55
"""Where the middle of a plate lies above its segment's centre, and how thick half of it is, in half heights."""
RING_OVERLAP = 1.15
EYES_PER_SIDE = 3
LEGS_OF = ("left", "right")


def _end_triangles() -> Array:
    """Triangles (16, 3) of the two faces that are bound to segments, counter-clockwise from outside."""
    result = []
    for side, tet in product((1.0, -1.0), TETRAHEDRA):
        face = [int(node) for node in tet if UNIT_NODES[node, 0] == side]
        if len(face) == 3:
            a, b, c = UNIT_NODES[face]
            result.append(face if side * np.cross(b - a, c - a)[0] > 0 else face[::-1])
    return np.array(result, dtype=np.int64)


MIDDLE = NODES // 2
SURFACE_NODES = np.delete(np.arange(NODES), MIDDLE)
"""All nodes of a block but the one in its middle."""
SURFACE_TRIANGLES = np.searchsorted(SURFACE_NODES, np.vstack([SIDE_TRIANGLES, _end_triangles()]))
REAR_SHARE = 0.5 * (1.0 - UNIT_NODES[SURFACE_NODES, 0])
FREE = np.flatnonzero(REAR_SHARE == 0.5)
"""The nodes of the middle plane, which no segment holds."""
NODE_WEIGHTS = np.column_stack([1.0 - REAR_SHARE, REAR_SHARE])


class MyriapodModeller:
    """Models centipedes, millipedes, robots and smooth swimmers of one world.

    Example::

        world.resource(Modellers).add("myriapod", MyriapodModeller)
    """

    def __init__(self, world: World) -> None:
        self.creatures = world.creature_pool
        self.body, self.segments, self.legs = world.pool(BodyPool), world.pool(SegmentPool), world.pool(LegPool)
        self.gait, self.antennae, self.looks = world.pool(GaitPool), world.pool(AntennaPool), world.pool(AppearancePool)
        self.tissue, self.chained = world.pool(TissuePool), world.pool(ChainSegmentPool)

    def plan(self, creature: Creature) -> BodyPlan:
        """Plates, rings or hulls in the colours of its species, a block of tissue per joint, legs and antennae."""
        rows = creature.rows.get("segments")
        count = rows.size if rows is not None else 0
        style, colours, look = self._looks(creature)
        gloss = look["gloss"]
        materials = [Material(name, (r, g, b), gloss) for name, (r, g, b) in zip(COLOURS, colours, strict=True)]
        materials.append(Material("eye", (0.02, 0.02, 0.02), 1.0))
        trunk, chains = [], []
        if rows is not None and count:
            extents, pitch = self.segments.half_extents[rows.slice], self.chained.half_pitch[rows.slice]
            trunk = _trunk(style, extents, pitch, look)
            chains = [*self._legs(creature, extents, look), *self._antennae(creature, extents, look), *_horns(extents, look)]
        return BodyPlan(creature.serial, creature.name, creature.species.key, creature.species.family, count,
                        tuple(materials), tuple(trunk), tuple(self._blocks(creature)), tuple(chains))  # fmt: skip

    def poses(self, creatures: Sequence[Creature]) -> list[BodyPose]:
        """Copies of segments, tissue nodes, joints of legs and of antennae."""
        legs, body, s = self.legs, self.body, self.segments
        joints = np.zeros((legs.end, 4, 3))
        walkers = np.ascontiguousarray(self.gait.spans[:, 0])
        if walkers.size:
            place_all_leg_joints(walkers, self.creatures, body, s, legs, joints)
        nodes = self._nodes()
        return [self._pose(creature, joints, nodes) for creature in creatures]

    def _pose(self, creature: Creature, joints: Array, nodes: Array) -> BodyPose:
        rows, s = creature.rows, self.segments
        here = rows["segments"].slice if "segments" in rows else slice(0, 0)
        points = [joints[rows["legs"].slice].reshape(-1, 3)] if "legs" in rows else []
        if "antennae" in rows:
            points.append(self._antenna_points(creature).reshape(-1, 3))
        tissue = nodes[rows["tissue"].slice].reshape(-1, 3) if "tissue" in rows else np.zeros((0, 3))
        limbs = np.concatenate(points) if points else np.zeros((0, 3))
        return BodyPose(s.position[here].copy(), s.orientation[here].copy(), tissue.astype(np.float32), limbs)

    def _antenna_points(self, creature: Creature) -> Array:
        """Joints (2, links + 1, 3) of the antennae; a newborn's, which have not been laid yet, are straight."""
        points = creature.antennae.points
        if points.any():
            return points
        own, (theta, phi) = self.antennae.parameters[creature.row], np.moveaxis(self.antennae.angles[creature.row], -1, 0)
        outward, links = np.array([1.0, -1.0]), own[Sense.LINK_LENGTH] * np.arange(points.shape[1])
        root = np.array([own[Sense.ROOT_X] + 0.0 * outward, own[Sense.ROOT_Y] * outward, own[Sense.ROOT_Z] + 0.0 * outward])
        along = np.array([np.cos(phi) * np.cos(theta), outward * np.cos(phi) * np.sin(theta), np.sin(phi)])
        local, head = root.T[:, None] + links[:, None] * along.T[:, None], creature.rows["segments"].start
        turn = rotation_matrices(self.segments.orientation[head])
        laid: Array = local @ turn.T + self.segments.position[head]
        return laid

    def _nodes(self) -> Array:
        """Surface nodes (blocks, 26, 3) of all tissue. Only full detail moves the middle ones; else they lie halfway."""
        t, s = self.tissue, self.segments
        end = t.end
        nodes = np.zeros((end, NODES, 3))
        if not end:
            return nodes[:, SURFACE_NODES]
        a, b = (np.clip(rows[:end], 0, max(s.end - 1, 0)) for rows in (t.segment_a, t.segment_b))
        nodes[:, :FIRST_FREE] = _face(s, a, t.anchor_a[:end], t.size[:end], 1.0)
        nodes[:, FIRST_REAR:] = _face(s, b, t.anchor_b[:end], t.size[:end], -1.0)
        serials, tiers = self.creatures.live("owner"), self.creatures.live("tier")
        full = np.isin(t.owner[:end], serials[tiers == FULL])[:, None, None]
        halfway = 0.5 * (nodes[:, :FIRST_FREE] + nodes[:, FIRST_REAR:])
        nodes[:, FIRST_FREE:FIRST_REAR] = np.where(full, t.node_position[:end], halfway)
        return nodes[:, SURFACE_NODES]

    def _looks(self, creature: Creature) -> tuple[str, list[list[float]], dict[str, float]]:
        """Style, colours and proportions of one creature; those of a default animal if its species has none."""
        if "appearance" not in creature.rows:
            spec = AppearanceSpec()
            return spec.style, [list(getattr(spec, name)) for name in COLOURS], {name: float(getattr(spec, name))
                                                                                 for name in PROPORTIONS}  # fmt: skip
        row, pool = creature.row, self.looks
        look: dict[str, float] = dict(zip(PROPORTIONS, pool.proportions[row].tolist(), strict=True))
        return STYLES[int(pool.style[row])], pool.colors[row].tolist(), look

    def _blocks(self, creature: Creature) -> list[SoftBlock]:
        rows = creature.rows.get("tissue")
        if rows is None:
            return []
        first = creature.rows["segments"].start
        ends = zip(self.tissue.segment_a[rows.slice].tolist(), self.tissue.segment_b[rows.slice].tolist(), strict=True)
        return [SoftBlock((a - first, b - first), NODE_WEIGHTS, SURFACE_TRIANGLES, len(SIDE_TRIANGLES), TISSUE, FREE)
                for a, b in ends]  # fmt: skip

    def _legs(self, creature: Creature, extents: Array, look: dict[str, float]) -> list[Chain]:
        rows = creature.rows.get("legs")
        if rows is None:
            return []
        on_segments = (self.legs.segment_row[rows.slice] - creature.rows["segments"].start).tolist()
        chains = []
        for leg, segment in enumerate(on_segments):
            thick = look["leg_width"] * look["width"] * extents[segment, 1] / REFERENCE_WIDTH
            radii = tuple(float(radius * thick) for radius in LEG_RADII)
            chains.append(Chain(f"leg {segment} {LEGS_OF[leg % 2]}", segment, radii, (FEMUR, TIBIA, TARSUS)))
        return chains

    def _antennae(self, creature: Creature, extents: Array, look: dict[str, float]) -> list[Chain]:
        if "antennae" not in creature.rows:
            return []
        links = creature.antennae.points.shape[1] - 1
        width = ANTENNA_RADIUS * look["antenna_width"] * look["width"] * extents[0, 1] / REFERENCE_WIDTH
        radii = tuple(float(width * ANTENNA_SHRINK ** (12.0 * k / max(links, 1))) for k in range(links + 1))
        materials = tuple(ANTENNA_BASE if 2 * k < links else ANTENNA_TIP for k in range(links))
        return [Chain(f"antenna {side}", 0, radii, materials) for side in LEGS_OF]


def _face(segments: SegmentPool, rows: Array, anchors: Array, sizes: Array, side: float) -> Array:
    """The nodes (blocks, 9, 3) of the faces that are bound to segments: side +1 the front faces, -1 the rear ones."""
    unit = UNIT_NODES[:FIRST_FREE] if side > 0.0 else UNIT_NODES[FIRST_REAR:]
    local = 0.5 * sizes[:, None] * unit @ np.swapaxes(rotation_matrices(anchors[:, 3:]), 1, 2) + anchors[:, None, :3]
    turns = np.swapaxes(rotation_matrices(segments.orientation[rows]), 1, 2)
    placed: Array = segments.position[rows][:, None] + local @ turns
    return placed


def _trunk(style: str, extents: Array, pitch: Array, look: dict[str, float]) -> list[Solid]:
    """The rigid boxes of the simulation in the colour of the tissue, and on them what the style asks for."""
    solids = [Solid("box", place, (0.0, 0.0, 0.0), tuple(half), TISSUE) for place, half in enumerate(extents.tolist())]
    long, wide, high = extents[0].tolist()
    solids[0] = Solid("box", 0, (-0.5 * long, 0.0, 0.0), (0.5 * long, wide, high), TISSUE)  # the capsule covers the rest
    rings = max(int(look["rings_per_segment"]), 1)
    for place, ((_, wide, high), reach) in enumerate(zip(extents.tolist(), pitch.tolist(), strict=True)):
        width, inner = wide * look["width"], place > 0
        if style == "robot":
            solids.append(Solid("box", place, (0.0, 0.0, 0.6 * high), (HULL_COVER * reach, width, 0.5 * high), PLATE))
        elif style == "smooth":
            solids.append(Solid("ellipsoid", place, (0.0, 0.0, 0.0), (1.6 * reach, width, 1.15 * high), PLATE))
        elif style == "millipede" and inner:
            half = RING_OVERLAP * reach / rings
            for ring in range(rings):
                along = reach * ((2 * ring + 1) / rings - 1.0)
                solids.append(Solid("ring", place, (along, 0.0, 0.1 * high), (half, width, 1.3 * high), PLATE))
        elif inner:
            middle = (0.0, 0.0, PLATE_LIFT * high)
            solids.append(Solid("plate", place, middle, (PLATE_COVER * reach, width, PLATE_DEPTH * high), PLATE))
    return [*solids, *_head(style, extents[0], look)]


def _head(style: str, extents: Array, look: dict[str, float]) -> list[Solid]:
    """The capsule of the head, and three eyes on either side of it."""
    width, high = float(extents[1] * look["width"]), float(extents[2])
    shape = "box" if style == "robot" else "ellipsoid"
    solids = [Solid(shape, 0, (0.1 * width, 0.0, 0.2 * high), (0.85 * width, 0.82 * width, 1.05 * high), HEAD)]
    if look["eyes"]:
        radius = 0.09 * width
        for side, eye in product((1.0, -1.0), range(EYES_PER_SIDE)):
            angle = 0.62 + 0.34 * eye
            at = (0.1 * width + 0.7 * width * np.cos(angle), 0.68 * width * side * np.sin(angle), 0.75 * high)
            solids.append(Solid("ellipsoid", 0, at, (radius, radius, radius), EYE))
    return solids


def _horns(extents: Array, look: dict[str, float]) -> list[Chain]:
    """Forcipules on the head and trailing legs on the tail: they move with their segments."""
    chains = []
    wanted = (("forcipules", 0, JAW_LINKS, JAW_RADII, HEAD), ("tail_legs", len(extents) - 1, TAIL_LINKS, TAIL_RADII, TIBIA))
    for name, segment, links, radii, material in wanted:
        if not look[name]:
            continue
        width = float(extents[segment, 1] * look["width"])
        for side, word in zip((1.0, -1.0), LEGS_OF, strict=True):
            points = width * np.array([(along, side * out, -0.1 * k) for k, (along, out) in enumerate(links)])
            chains.append(Chain(f"{name} {word}", segment, tuple(width * radius for radius in radii),
                                (material,) * (len(links) - 1), points))  # fmt: skip
    return chains
