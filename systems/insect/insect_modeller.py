"""Insects as exports show them: the shells and limbs that the picture draws, in the same colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...components.insect.shell import COLOURS
from ...engine.bundle import packed
from ...engine.turns import inverse, turned
from ..export.body_plan import BodyPlan, BodyPose, Chain, Material, Solid
from ..render.scene.light import SEEN_TO_ALBEDO
from .painter.insect_limbs_kernel import (
    ANTLER_CURVE,
    ANTLERS_FROM,
    COXA_RADIUS,
    JAW_CURVE,
    JAW_LINKS,
    JAW_RADII,
    LASH_LINKS,
    LEG_RADII,
    LEGS,
)
from .painter.insect_model_kernel import ANTENNA_POINTS, LEG_POINTS, lay_insect, lay_limbs
from .painter.insect_painter import InsectPainter
from .painter.insect_parts_kernel import EYE_PLACE, EYE_RADIUS
from .painter.insect_shapes_kernel import (
    ABOVE,
    ALONG,
    BROAD_HEAD_FORM,
    COLOUR,
    HEAD_FORM,
    HEAD_HIGH,
    HEAD_PART,
    HIGH,
    KIND,
    LONG,
    MOST_SHAPES,
    NECK_ROW,
    PART,
    SHADE,
    SHAPE_FIELDS,
    SHELL_ROW,
    SQUARE,
    TAPER,
    THORAX_PART,
    WIDE,
)
from .painter.shell_looks import ANTENNA, EYE_SIZE, GLOSS, HEAD, JAW, JAW_SIZE, LEG, SOLDIER, STYLE

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Array
    from ...engine.world import World
    from .painter.swarm import Swarm

PARTS = 3
SIDES = (("left", 1.0), ("right", -1.0))
COXA_SHADE, LINK_SHADES = 0.72, (1.0, 0.9, 0.8)
"""Of the light of a leg's colour: at the hip, then from link to link."""
ANTENNA_SHADES = (0.9, *(1.15 if link % 2 else 0.92 for link in range(1, LASH_LINKS + 1)))
NECK_LONG, NECK_WIDE, NECK_SHADE = 1.6, 0.5, 0.45
"""Half lengths and half widths of a broad head, and share of its light."""
TAPERED, SQUARED = 0.2, 0.5
"""From which taper on a shell is an egg or a drop, and from which squareness on it is a plate."""
BLACK = (0.02, 0.02, 0.02)


class InsectModeller:
    """Models the insects of one world.

    Example::

        world.resource(Modellers).add("insect", InsectModeller)
    """

    def __init__(self, world: World) -> None:
        self.painter = InsectPainter(world)
        self.segments = self.painter.segments

    def plan(self, creature: Creature) -> BodyPlan:
        """Shells of the trunk, head, eyes and jaws on their segments; legs and antennae as limbs."""
        swarm, place = self._swarm(), self._places()[creature.row]
        rows = np.zeros((MOST_SHAPES, SHAPE_FIELDS))
        count, long, wide, ahead, thick, thin = lay_insect(packed(swarm), place, np.zeros((3, 3)), rows)
        look = np.asarray(swarm.looks[place], dtype=np.float64)
        tones = _Tones(look)
        solids, chains = _trunk(rows[:count], swarm, place, tones)
        segment, middle = (THORAX_PART, ahead) if ahead else (HEAD_PART, 0.0)
        head = _Head(segment, middle, long, wide)
        solids += _head(head, look, tones)
        chains += [*_neck(head, tones), *_limbs(tones, thick, thin), *_jaws(head, look, tones)]
        return BodyPlan(creature.serial, creature.name, creature.species.key, creature.species.family, PARTS,
                        tuple(tones.materials), tuple(solids), chains=tuple(chains))  # fmt: skip

    def poses(self, creatures: Sequence[Creature]) -> list[BodyPose]:
        """Copies of segments, and the joints of legs and antennae."""
        swarm, places = self._swarm(), self._places()
        count = len(swarm.position)
        legs, antennae = np.zeros((count, LEGS, LEG_POINTS, 3)), np.zeros((count, 2, ANTENNA_POINTS, 3))
        lay_limbs(packed(swarm), legs, antennae)
        nothing, poses = np.zeros((0, 3), np.float32), []
        for creature in creatures:
            place, here = places[creature.row], creature.rows["segments"].slice
            points = np.concatenate([legs[place].reshape(-1, 3), antennae[place].reshape(-1, 3)])
            position, orientation = self.segments.position[here], self.segments.orientation[here]
            poses.append(BodyPose(position.copy(), orientation.copy(), nothing, points))
        return poses

    def _places(self) -> dict[int, int]:
        """Where in a swarm every insect is, by its row."""
        return {int(row): place for place, row in enumerate(self.painter.rows())}

    def _swarm(self) -> Swarm:
        """All insects as they are drawn; antennae that have not been laid yet hang."""
        moving = self.painter.poses()
        antennae = moving["antennae"]
        unlaid = ~np.nan_to_num(antennae).any(axis=(1, 2, 3))
        antennae[unlaid] = np.nan
        return self.painter.group(moving).swarm()


class _Tones:
    """Materials of one insect, each made when a part first wants it."""

    def __init__(self, look: Array) -> None:
        self.look, self.materials = look, list[Material]()
        self._known: dict[tuple[int, float], int] = {}

    def of(self, colour: int, shade: float = 1.0) -> int:
        """The material of a colour of the look with a share of its light."""
        key = (colour, round(shade, 3))
        if key not in self._known:
            name = COLOURS[colour // 3] + ("" if key[1] == 1.0 else f" {round(100 * key[1])}")
            light = self.look[colour : colour + 3] * shade / SEEN_TO_ALBEDO
            red, green, blue = np.sqrt(np.clip(light, 0.0, 1.0)).tolist()
            self._known[key] = self._add(Material(name, (red, green, blue), min(float(self.look[GLOSS]), 1.0)))
        return self._known[key]

    def black(self) -> int:
        """The material of eyes and of the tips of jaws."""
        if (-1, 0.0) not in self._known:
            self._known[-1, 0.0] = self._add(Material("black", BLACK, 1.0))
        return self._known[-1, 0.0]

    def _add(self, material: Material) -> int:
        self.materials.append(material)
        return len(self.materials) - 1


class _Head:
    """Where a head sits: the segment that carries it, how far before its middle, half length and half width."""

    def __init__(self, segment: int, middle: float, long: float, wide: float) -> None:
        self.segment, self.middle, self.long, self.wide = segment, middle, long, wide


def _shape(taper: float, square: float) -> str:
    """The unit shape that comes nearest to a shell."""
    if square >= SQUARED:
        return "plate"
    return "ellipsoid" if abs(taper) < TAPERED else "drop" if taper > 0.0 else "egg"


def _trunk(rows: Array, swarm: Swarm, place: int, tones: _Tones) -> tuple[list[Solid], list[Chain]]:
    """The rows of shells and rods of an insect behind its head."""
    solids: list[Solid] = []
    chains: list[Chain] = []
    for number, row in enumerate(rows.tolist()):
        material, segment = tones.of(int(row[COLOUR]), row[SHADE]), int(row[PART])
        if row[KIND] == SHELL_ROW:
            size = (row[LONG], row[WIDE], row[HIGH])
            solids.append(Solid(_shape(row[TAPER], row[SQUARE]), segment, (row[ALONG], 0.0, row[ABOVE]), size, material))
            continue
        end = np.array([row[LONG], 0.0, 0.0])
        if row[KIND] == NECK_ROW:
            apart = swarm.position[place, HEAD_PART] - swarm.position[place, segment]
            end = turned(inverse(swarm.orientation[place, segment]), apart)
        points = np.array([(row[ALONG], 0.0, 0.0), end])
        chains.append(Chain(f"rod {number}", segment, (row[WIDE], row[HIGH]), (material,), points))
    return solids, chains


def _head(head: _Head, look: Array, tones: _Tones) -> list[Solid]:
    """The head and its eyes."""
    taper, _, square = HEAD_FORM if int(look[STYLE]) <= SOLDIER else BROAD_HEAD_FORM
    size = (head.long, head.wide, HEAD_HIGH * head.wide)
    solids = [Solid(_shape(taper, square), head.segment, (head.middle, 0.0, 0.0), size, tones.of(HEAD))]
    radius = EYE_RADIUS * head.wide * float(look[EYE_SIZE])
    if radius > 0.0:
        along, aside, above = EYE_PLACE
        for _, side in SIDES:
            at = (head.middle + along * head.long, side * aside * head.wide, above * head.wide)
            solids.append(Solid("ellipsoid", head.segment, at, (radius, radius, radius), tones.black()))
    return solids


def _neck(head: _Head, tones: _Tones) -> list[Chain]:
    """What joins the head of a broad insect to its trunk; from above the two hide it, so that the picture has none."""
    if head.segment == HEAD_PART:
        return []
    points = np.array([(head.middle, 0.0, 0.0), (head.middle - NECK_LONG * head.long, 0.0, 0.0)])
    radius = NECK_WIDE * head.wide
    return [Chain("neck", head.segment, (radius, radius), (tones.of(HEAD, NECK_SHADE),), points)]


def _limbs(tones: _Tones, thick: float, thin: float) -> list[Chain]:
    """Six legs and two antennae, in the order of their points in a pose."""
    radii = tuple(float(thick * radius) for radius in (0.7 * COXA_RADIUS, COXA_RADIUS, *LEG_RADII[1:]))
    materials = tuple(tones.of(LEG, shade) for shade in (COXA_SHADE, *LINK_SHADES))
    chains = [Chain(f"leg {1 + leg // 2} {SIDES[leg % 2][0]}", THORAX_PART, radii, materials) for leg in range(LEGS)]
    lash = (thin * (0.74 + 0.07 * link) for link in range(1, LASH_LINKS + 1))
    radii = tuple(float(radius) for radius in (0.8 * thin, thin, *lash))
    materials = tuple(tones.of(ANTENNA, shade) for shade in ANTENNA_SHADES)
    return [*chains, *(Chain(f"antenna {name}", HEAD_PART, radii, materials) for name, _ in SIDES)]


def _jaws(head: _Head, look: Array, tones: _Tones) -> list[Chain]:
    """A pair of hooked jaws with black tips, or of antlers."""
    grow = float(look[JAW_SIZE])
    if grow <= 0.0:
        return []
    antlers = grow >= ANTLERS_FROM
    curve: Any = ANTLER_CURVE if antlers else JAW_CURVE
    scale, fat = (grow / ANTLERS_FROM, 0.95) if antlers else (grow, min(grow, 1.3))
    materials = tuple(tones.black() if link >= 2 and not antlers else tones.of(JAW) for link in range(JAW_LINKS))
    radii = tuple(fat * head.wide * radius for radius in JAW_RADII)
    chains = []
    for name, side in SIDES:
        points = np.array([(head.middle + (0.55 + (along - 0.55) * scale) * head.long, side * aside * head.wide, 0.0)
                           for along, aside in curve])  # fmt: skip
        chains.append(Chain(f"jaw {name}", head.segment, radii, materials, points))
    return chains
