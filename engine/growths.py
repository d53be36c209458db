"""What grows: corals on the bed, lilies on the water, reeds at the shore. Hard ones are obstacles with a look of their own.

A growth that bodies pass through is a row of `GrowthPool`; a solid one is a row of `ObstaclePool` with a ``look``.
So eyes, index and contacts need to know nothing of corals.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import arguments
from .column_rules import BITS, ON_MAP, SIZE, Codes, Within
from .errors import PlaceTakenError, SpawnError, shortened, suggest
from .pool import Pool, column
from .props import MOST_LOOKS, Prop

if TYPE_CHECKING:
    from .pool import Array
    from .world import World

STREAM = "growth"
"""Of the random numbers that forms, colours and sizes come from."""
MOST_GROWTHS = 20_000
LARGEST_RADIUS = 50.0
"""Units."""
LARGEST_SEED = 2**31 - 1
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class Kind(NamedTuple):
    """What one kind of growth is like."""

    solid: bool  # whether it stops bodies
    height: float  # of its radius
    colours: tuple[str, ...]  # one of them, unless the game says which


KINDS: dict[str, Kind] = {
    "brain": Kind(True, 0.75, ("#8E9A3C", "#2FB98C", "#7D66B8", "#3FB35A", "#B98A4A")),
    "polyp": Kind(True, 0.80, ("#8A4A9C", "#C9A22E", "#2F8FD0", "#5A4F8F", "#3E58C8")),
    "table": Kind(True, 0.45, ("#2F86B4", "#B5683F", "#6E7E86", "#C58A5A", "#4AA0A6")),
    "tube": Kind(True, 1.20, ("#C86AA8", "#D8A23A", "#7A5CC0", "#D8683F")),
    "branch": Kind(False, 0.55, ("#D8A04A", "#C46FB0", "#5E6BE0", "#C8D860", "#E0B090", "#D86A5A")),
    "anemone": Kind(False, 0.50, ("#7FB048", "#C8934F", "#8FC8D0", "#B05AA0")),
    "fan": Kind(False, 0.60, ("#B04A9A", "#D0603A", "#7A4AB0", "#D8A83A")),
    "star": Kind(False, 0.22, ("#C85A2E", "#2F4A6A", "#A8324A", "#C89A3A")),
    "lily": Kind(False, 0.05, ("#4C8F2E", "#5FA23A", "#3F7F34", "#6A9C3C")),
    "lotus": Kind(False, 0.05, ("#4C8F2E", "#5FA23A", "#3F7F34")),
    "reed": Kind(False, 4.00, ("#6F8F34", "#88A048", "#5A7C2E")),
}
"""Kinds of growth; lotus is a lily with a flower. The columns hold their numbers."""
GROWTH_KINDS = tuple(KINDS)
assert len(GROWTH_KINDS) == MOST_LOOKS
CORALS = GROWTH_KINDS[:8]
FLOATING = ("lily", "lotus")


class GrowthPool(Pool):
    """One row per growth that bodies pass through."""

    single, most_rows = True, MOST_GROWTHS

    kind = column(np.uint8, holds=Codes(len(GROWTH_KINDS)))
    position = column(np.float64, 3, holds=ON_MAP)  # its root, or the middle of a leaf that floats
    radius = column(np.float64, holds=SIZE)
    height = column(np.float64, holds=SIZE)
    heading = column(np.float64)
    colour = column(np.uint8, 3, holds=BITS)  # as displayed
    seed = column(np.int32, holds=Within(0, LARGEST_SEED))  # of its form


def add_coral(world: World, kind: str, at: Any, radius: float = 1.0, *, height: float | None = None,
              heading: float | None = None, colour: str | None = None, seed: int | None = None) -> Prop:
    """Let a coral, an anemone or a starfish grow on the bed. Brain, polyp, table and tube corals stop bodies.

    What is not given is drawn from the world: its colour, its heading, and the seed of its form.

    Example::

        world.add_coral("brain", (4, 2), 2.5, colour="#3FB35A")
    """
    return _add(world, kind, CORALS, at, radius, height, heading, colour, seed)


def add_plant(world: World, kind: str, at: Any, radius: float = 1.0, *, height: float | None = None,
              heading: float | None = None, colour: str | None = None, seed: int | None = None) -> Prop:
    """Let a ``lily``, a lily in flower (``lotus``) or a clump of ``reed`` grow. The leaves of lilies float on the water.

    Example::

        world.add_plant("lotus", (4, 2), 2.5)
    """
    return _add(world, kind, GROWTH_KINDS[len(CORALS) :], at, radius, height, heading, colour, seed)


def _add(world: World, kind: str, allowed: tuple[str, ...], at: Any, radius: float, height: float | None,
         heading: float | None, colour: str | None, seed: int | None) -> Prop:
    arguments.text("growth kind", kind, error=SpawnError)
    if kind not in allowed:
        raise SpawnError(f"growth kind = {shortened(kind)}: {suggest(kind, allowed)}")
    made = KINDS[kind]
    radius = arguments.number(f"radius of a {kind}", radius, 0.01, LARGEST_RADIUS, error=SpawnError)
    tall = made.height * radius if height is None else height
    tall = arguments.number(f"height of a {kind}", tall, 0.001, 10.0 * LARGEST_RADIUS, error=SpawnError)
    point, before = world.require_on_map(at, kind), world.streams.state()
    turn = None if heading is None else arguments.number(f"heading of a {kind}", heading, error=SpawnError)
    form = None if seed is None else arguments.whole(f"seed of a {kind}", seed, 0, LARGEST_SEED, error=SpawnError)
    tone = None if colour is None else _bytes(colour)
    if kind in FLOATING:
        point[2] = float(world.water.surface(point[None])[0])
        if not np.isfinite(point[2]):
            raise PlaceTakenError(f"{kind} at ({point[0]:g}, {point[1]:g}): allowed is a place in the water")
    drawn = world.streams[STREAM].integers(0, LARGEST_SEED, size=3).tolist()  # always three: the next one is no other
    turn = 2.0 * np.pi * drawn[0] / LARGEST_SEED if turn is None else turn
    tone = _bytes(made.colours[drawn[1] % len(made.colours)]) if tone is None else tone
    try:
        return _grow(world, kind, point, radius, tall, turn, tone, drawn[2] if form is None else form)
    except SpawnError:
        world.streams.rewind(before)
        raise


def _grow(world: World, kind: str, point: Array, radius: float, tall: float, turn: float, tone: list[int],
          form: int) -> Prop:
    number = GROWTH_KINDS.index(kind)
    if KINDS[kind].solid:
        prop = world.props.add_obstacle("cylinder", point, radius, height=tall, heading=turn)
        solid, row = world.props.obstacles, prop.rows.start
        solid.look[row], solid.colour[row], solid.seed[row] = number + 1, tone, form
        return prop
    pool = world.pool(GrowthPool)
    if len(pool.spans) >= MOST_GROWTHS:
        raise SpawnError(f"{kind}: there are {MOST_GROWTHS} growths already, and more are not allowed")
    owned = pool.claim(1, owner=0)
    row = owned.start
    pool.kind[row], pool.position[row], pool.heading[row], pool.seed[row] = number, point, turn, form
    pool.radius[row], pool.height[row], pool.colour[row] = radius, tall, tone
    return Prop(pool, owned, kind, world.props)


def _bytes(colour: Any) -> list[int]:
    if not (isinstance(colour, str) and COLOUR.fullmatch(colour)):
        raise SpawnError(f"colour = {shortened(colour)}: allowed is a colour as '#8FB048'")
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


ROW_FIELDS = 12
KIND, X, Y, Z, RADIUS, HEIGHT, HEADING, RED, GREEN, BLUE, SEED, SOLID = range(ROW_FIELDS)
"""Places in the rows of `growth_rows`."""


def growth_rows(world: World) -> Array:
    """All growths, hard ones too, as (n, 12) numbers for pictures; colours as displayed, 0 to 1.

    Example::

        growth_rows(world)[:, RADIUS]
    """
    soft, hard = world.pool(GrowthPool), world.props.obstacles
    grown = np.flatnonzero(hard.live("look") > 0) if len(hard.spans) else np.zeros(0, np.int64)
    rows = np.zeros((len(soft.spans) + grown.size, ROW_FIELDS))
    own, other = rows[: len(soft.spans)], rows[len(soft.spans) :]
    if len(own):
        own[:, KIND], own[:, X : Z + 1], own[:, RADIUS] = soft.live("kind"), soft.live("position"), soft.live("radius")
        own[:, HEIGHT], own[:, HEADING], own[:, SEED] = soft.live("height"), soft.live("heading"), soft.live("seed")
        own[:, RED : BLUE + 1] = soft.live("colour") / 255.0
    if len(other):
        half = hard.live("half_size")[grown]
        other[:, KIND], other[:, X : Z + 1] = hard.live("look")[grown] - 1.0, hard.live("position")[grown]
        other[:, RADIUS], other[:, HEIGHT], other[:, SOLID] = half[:, 0], 2.0 * half[:, 2], 1.0
        other[:, HEADING], other[:, SEED] = hard.live("heading")[grown], hard.live("seed")[grown]
        other[:, RED : BLUE + 1] = hard.live("colour")[grown] / 255.0
    return rows
