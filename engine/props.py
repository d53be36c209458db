"""Things that are not creatures: food and obstacles, placed in plan view, with pymunk answering point and ray queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import arguments
from .column_rules import BITS, ON_MAP, SERIAL, Codes, NameOf, Place, Text, Within
from .errors import PaludariumError, SpawnError, shortened, suggest
from .name_table import NameTable
from .placed import PlacedOne
from .pool import NO_OWNER, Array, Pool, Rows, column
from .spatial_hash import SOLID_CELL

if TYPE_CHECKING:
    from .world import World

SMALLEST_SIZE = 0.001
"""Units; of an obstacle along any axis."""
LARGEST_AMOUNT = 1e6
"""Of one piece of food."""

OBSTACLE_KINDS = ("sphere", "cylinder", "box")
MOST_LOOKS = 11
"""Kinds of growth, see `growths`."""


FOOD_KINDS = ("fruit", "plankton", "carrion")
"""What food can be; plugins add kinds with ``world.props.add_food_kind``. The column holds the number."""
PLANKTON = FOOD_KINDS.index("plankton")
LYING, FLOATING, ADRIFT = range(3)
"""How food moves: not at all, with the surface of the water, with the water at any depth."""
MOST_PATCHES = 10_000
"""Of plankton."""
MOST_FOOD_KINDS = 64
"""What an animal eats is one bit per kind."""


class FoodKindPool(Pool):
    """One row per kind of food, in the order in which they became known."""

    single, packed, most_rows = True, True, MOST_FOOD_KINDS

    name = column(np.uint8, 24, holds=Text())  # UTF-8, padded with zeros


class FoodPool(Pool):
    """One row per piece of food. `amount` is what is left of it and also the strength of its smell."""

    format, single = 3, True

    position = column(np.float64, 3, holds=ON_MAP)
    amount = column(np.float64, holds=Within(0.0))
    kind = column(np.uint8, since=2, holds=NameOf("FoodKindPool"))  # number of its kind; 0 is fruit
    drift = column(np.uint8, since=2, holds=Codes(3))  # LYING, FLOATING or ADRIFT
    carrier = column(np.int64, fill=NO_OWNER, since=2, holds=SERIAL)  # serial number of the creature that carries it
    patch = column(np.int32, fill=-1, since=3, holds=Within(-1, MOST_PATCHES - 1))  # of plankton, where it comes back


MOST_OBSTACLE_CELLS = 2**18
"""Cells of the index that one obstacle may lie in, as large as a map of 1500 units."""
WIDEST_OBSTACLE = math.sqrt(MOST_OBSTACLE_CELLS) * SOLID_CELL
MOST_CELLS = 2**22
"""Cells that all of them together may lie in: 50 MB."""
LARGEST_HEIGHT = 20_000.0
"""Units; as high as ground may rise from its lowest to its highest."""


@dataclass(frozen=True)
class ObstacleSizes:
    """Half sizes of obstacles that the index of obstacles has room for."""

    def wrong(self, values: Array, place: Place) -> Array:  # noqa: ARG002 - the same signature for all rules
        largest = 0.5 * np.array([WIDEST_OBSTACLE, WIDEST_OBSTACLE, LARGEST_HEIGHT])
        with np.errstate(invalid="ignore", over="ignore"):
            fits = (values >= SMALLEST_SIZE / 2) & (values <= largest)
            return ~fits | ((np.cumsum(cells_of(values)) > MOST_CELLS)[:, None])

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return (f"at most half of {WIDEST_OBSTACLE:g} u in plan and of {LARGEST_HEIGHT:g} u in height, and all together in "
                f"{MOST_CELLS} cells of the index")  # fmt: skip


def cells_of(half_size: Array) -> Array:
    """Cells in which obstacles of these half sizes can lie at most, however they are turned."""
    reach = 2.0 * np.hypot(half_size[:, 0], half_size[:, 1])
    cells: Array = (reach / SOLID_CELL + 2.0) ** 2
    return cells


class ObstaclePool(Pool):
    """One row per obstacle: an index into `OBSTACLE_KINDS`, half extents, and a heading in plan view."""

    format, single = 2, True

    kind = column(np.uint8, holds=Codes(len(OBSTACLE_KINDS)))
    position = column(np.float64, 3, holds=ON_MAP)  # the centre of its footprint, on the ground
    half_size = column(np.float64, 3, holds=ObstacleSizes())  # round kinds: radius, radius, half height
    heading = column(np.float64)
    look = column(np.uint8, since=2, holds=Within(0, MOST_LOOKS))  # 0 is bare rock, others are a kind of growth and one more
    colour = column(np.uint8, 3, since=2, holds=BITS)  # of a growth, as displayed
    seed = column(np.int32, since=2, holds=Within(0))  # of its form


@dataclass(frozen=True)
class Prop(PlacedOne):
    """A piece of food or an obstacle; stays valid until it is eaten or removed.

    Example::

        apple = world.add_food((4, 2), amount=3)
        world.step(600)
        print("eaten" if not apple.exists else apple.amount)
    """

    kind: str
    props: Props

    def __repr__(self) -> str:
        if not self.exists:
            return f"<{self.kind}, gone>"
        x, y, _ = self.position.tolist()
        about = f"amount {self.amount:g}" if self.pool is self.props.food else f"radius {self.radius:g}"
        return f"<{self.kind} at ({x:g}, {y:g}), {about}>"

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all other props of its world."""
        return type(self.pool).__name__, self.rows.start, self.rows.generation

    @property
    def radius(self) -> float:
        """Units from its middle to the outmost point in plan view; of food, how near one has to point to it."""
        if self.pool is self.props.food:
            return FOOD_RADIUS
        if "radius" in self.pool.columns:  # of what grows and stops no bodies
            return float(self.pool.view(self.rows, "radius")[0])
        half_x, half_y = self.pool.view(self.rows, "half_size")[0, :2].tolist()
        return math.hypot(half_x, half_y) if self.kind == "box" else float(half_x)

    @property
    def amount(self) -> float:
        """What is left to eat (food only)."""
        return float(self.pool.view(self.rows, "amount")[0])

    def remove(self) -> None:
        """Take it out of the world; twice is fine."""
        if self.exists:
            super().remove()
            self.props.changed = True


class Props:
    """The food and obstacles of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.food = world.add_pool(FoodPool)
        self._drifters = (-1, False)  # version of the food, and whether any of it drifts
        self.food_moves = 0  # counts up when food moves without being added or taken, so that indexes know they are
        # old; plankton, which moves in every tick, has an index of its own
        self.food_kinds = NameTable(world.add_pool(FoodKindPool), "food kind")
        for name in FOOD_KINDS:
            self.food_kinds.number(name)
        self.obstacles = world.add_pool(ObstaclePool)
        self.changed = True  # obstacle and food sets differ from what indexes were last built from
        self._counted = (-1, 0.0)  # version of the obstacles, and the cells of the index they lie in
        self._space: Any = None
        self._space_counts = (-1, -1)

    def add_food_kind(self, name: str) -> int:
        """Make a kind of food known, for ``[diet] eats`` and `add_food`; returns its number."""
        self.food_kinds.check(name)
        if self.food_kinds.find(name) < 0 and len(self.food_kinds) == MOST_FOOD_KINDS:
            raise PaludariumError(f"food kind {name!r}: a world knows at most {MOST_FOOD_KINDS} kinds of food")
        return self.food_kinds.number(name)

    def add_food(self, at: Any, amount: float = 1.0, kind: str = FOOD_KINDS[0]) -> Prop:
        """Put food on the ground; in a pond it floats and drifts. With a height it stays where the game says.

        Plankton in the water drifts with it at whatever depth it is.
        """
        number = self.food_kinds.find(arguments.text("food kind", kind, error=SpawnError))
        if number < 0:
            known = [self.food_kinds.name(row) for row in range(len(self.food_kinds))]
            raise SpawnError(f"food kind = {shortened(kind)}: {suggest(kind, known)}")
        point, drift = self._world.require_on_map(at, "food"), LYING
        level = float(self._world.water.surface(point[None])[0])  # NaN where it is dry
        if len(at) == 2 and level > point[2]:
            point[2], drift = level, FLOATING
        if number == PLANKTON and level >= point[2]:
            drift = ADRIFT
        amount = arguments.number("food amount", amount, 0.0, LARGEST_AMOUNT, above=True, error=SpawnError)
        rows = self.food.claim(1, owner=0)
        self.food.position[rows.start] = point
        self.food.amount[rows.start], self.food.kind[rows.start], self.food.drift[rows.start] = amount, number, drift
        self.changed = True
        return Prop(self.food, rows, "food", self)

    def add_obstacle(
        self, kind: str, at: Any, radius: float = 1.0, *, size: Any = None, height: float = 2.0, heading: float = 0.0
    ) -> Prop:
        """Put up a ``sphere`` (rock), ``cylinder`` (pillar) or ``box`` (wall, with `size` in plan)."""
        arguments.choice("obstacle kind", kind, OBSTACLE_KINDS)
        point = self._world.require_on_map(at, kind)
        radius = arguments.number(f"radius of a {kind}", radius, SMALLEST_SIZE / 2, error=SpawnError)
        height = arguments.number(f"height of a {kind}", height, SMALLEST_SIZE, error=SpawnError)
        heading = arguments.number(f"heading of a {kind}", heading, error=SpawnError)
        boxed = kind == "box" and size is not None
        width, depth = arguments.vector("size of a box", size, (2,), error=SpawnError) if boxed else (2 * radius, 2 * radius)
        half_height = radius if kind == "sphere" else height / 2
        half_size = np.array([width / 2, depth / 2, half_height], dtype=np.float64)
        if not (half_size >= SMALLEST_SIZE / 2).all():
            size = shortened((2 * half_size).tolist())
            raise SpawnError(f"{kind} of size {size}: allowed are lengths from {SMALLEST_SIZE:g} on")
        cells = self._require_room(kind, half_size)
        self._keep_clear(kind, point, half_size)
        rows = self.obstacles.claim(1, owner=0)
        row = rows.start
        self._counted = (self.obstacles.version, cells)
        self.obstacles.kind[row] = OBSTACLE_KINDS.index(kind)
        self.obstacles.position[row], self.obstacles.half_size[row] = point, half_size
        self.obstacles.heading[row] = heading
        self.changed = True
        return Prop(self.obstacles, rows, kind, self)

    def leave_free(self, points: Array, radius: float) -> bool:
        """Whether no obstacle is nearer than a radius to (n, 3) points. Each counts as the round pillar that holds it.

        Example::

            world.props.leave_free(np.array([[4.0, 2.0, 1.0]]), radius=0.5)
        """
        rows = self.obstacles.spans[:, 0]
        foot, half = self.obstacles.position[rows], self.obstacles.half_size[rows]
        boxes = self.obstacles.kind[rows] == OBSTACLE_KINDS.index("box")
        wide = np.where(boxes, np.hypot(half[:, 0], half[:, 1]), half[:, 0])
        away = np.linalg.norm(points[:, None, :2] - foot[:, :2], axis=-1)
        above = points[:, None, 2] > foot[:, 2] + 2.0 * half[:, 2] + radius
        return bool(((away > wide + radius) | above).all())

    def at(self, point: Any, within: float = 0.0) -> list[Prop]:
        """Food and obstacles at a point of the plan view, or within a distance of it, nearest first."""
        x, y = arguments.vector("props.at(point)", point)[:2].tolist()
        found = self._queried().point_query((x, y), arguments.number("props.at(within)", within, 0.0), _any_shape())
        return [hit.shape.prop for hit in sorted(found, key=lambda hit: hit.distance)]

    def ray(self, start: Any, end: Any, radius: float = 0.0, ignore: Prop | None = None) -> tuple[Prop, Array] | None:
        """The first obstacle or food on the way from one point to another, and where the way meets it."""
        ignored = None if ignore is None else ignore.key
        first, last, space = (float(start[0]), float(start[1])), (float(end[0]), float(end[1])), self._queried()
        around = [near for near in space.point_query(first, radius, _any_shape()) if near.shape.prop.key != ignored]
        if around:  # it begins inside: pymunk would say that it meets this one at the end of the way
            return min(around, key=lambda near: near.distance).shape.prop, np.array(first)
        hits = [hit for hit in space.segment_query(first, last, radius, _any_shape()) if hit.shape.prop.key != ignored]
        best = min(hits, key=lambda hit: hit.alpha, default=None)
        return None if best is None else (best.shape.prop, np.array(best.point))

    def _queried(self) -> Any:
        """The pymunk space, rebuilt when something was added or removed since the last query."""
        import pymunk

        if self._space is not None and not self.changed and self._space_counts == self._counts():
            return self._space
        space = pymunk.Space()
        for row in self._lying().tolist():
            x, y = self.food.position[row, :2].tolist()
            self._add_shape(space, pymunk.Circle(space.static_body, FOOD_RADIUS, (x, y)), self.food, row, "food")
        for row in self.obstacles.spans[:, 0].tolist():
            kind = OBSTACLE_KINDS[self.obstacles.kind[row]]
            self._add_shape(space, self._outline(space, row, kind), self.obstacles, row, kind)
        self._space, self._space_counts, self.changed = space, self._counts(), False
        return space

    def _outline(self, space: Any, row: int, kind: str) -> Any:
        import pymunk

        x, y = self.obstacles.position[row, :2].tolist()
        half_x, half_y = self.obstacles.half_size[row, :2].tolist()
        if kind != "box":
            return pymunk.Circle(space.static_body, half_x, (x, y))
        turn = pymunk.Transform.translation(x, y).rotated(float(self.obstacles.heading[row]))
        corners = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
        return pymunk.Poly(space.static_body, corners, turn)

    def _add_shape(self, space: Any, shape: Any, pool: Pool, row: int, kind: str) -> None:
        shape.prop = Prop(pool, Rows(row, row + 1, pool.generation_of(row)), kind, self)
        space.add(shape)

    def _counts(self) -> tuple[int, int]:
        return len(self._lying()), len(self.obstacles.spans)

    @property
    def drifting(self) -> bool:
        """Whether there is food that drifts at any depth of the water."""
        if self._drifters[0] != self.food.version:
            self._drifters = (self.food.version, bool((self.food.drift[self.food.spans[:, 0]] == ADRIFT).any()))
        return self._drifters[1]

    def _lying(self) -> Array:
        """Rows of the food that a point or a ray can hit: plankton is too small, and there may be thousands of it."""
        rows = self.food.spans[:, 0]
        return rows[self.food.drift[rows] != ADRIFT]

    def _require_room(self, kind: str, half_size: Array) -> float:
        """Cells of the index that all obstacles would lie in; what is too large is refused here and not by a tick."""
        if half_size[:2].max() > WIDEST_OBSTACLE / 2 or half_size[2] > LARGEST_HEIGHT / 2:
            raise SpawnError(
                f"{kind} of size {shortened((2 * half_size).tolist())}: allowed is at most {WIDEST_OBSTACLE:g} u in plan "
                f"and {LARGEST_HEIGHT:g} u in height"
            )
        cells = self._obstacle_cells() + float(cells_of(half_size[None]).sum())
        if cells > MOST_CELLS:
            count = len(self.obstacles.spans) + 1
            raise SpawnError(
                f"{kind} of size {shortened((2 * half_size).tolist())}: {count} obstacles would lie in {cells:.3g} "
                f"cells of the index; allowed are {MOST_CELLS}: put up fewer or smaller ones"
            )
        return cells

    def _obstacle_cells(self) -> float:
        """Cells that the obstacles lie in; counted anew only when some were taken away."""
        pool = self.obstacles
        if self._counted[0] != pool.version:
            self._counted = (pool.version, float(cells_of(pool.half_size[pool.spans[:, 0]]).sum()))
        return self._counted[1]

    def _keep_clear(self, kind: str, point: Array, half_size: Array) -> None:
        """An obstacle may not be put up inside a creature: it could never get out again."""
        reach = float(np.hypot(half_size[0], half_size[1])) if kind == "box" else float(half_size[0])
        for creature in self._world.hit(point, reach):
            place = f"({point[0]:g}, {point[1]:g})"
            raise SpawnError(f"{kind} at {place} would stand inside {creature.name}: allowed is a free place")


FOOD_RADIUS = 0.5
"""Units. How near a point query must come to hit a piece of food."""


def _any_shape() -> Any:
    import pymunk

    return pymunk.ShapeFilter()
