"""RenderSystem: the picture of a world from above. Runs once per frame, outside the tick, and only reads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..components.antennae import MOST_LINKS, AntennaPool, Sense
from ..components.appearance import COLOURS, PROPORTIONS, AppearancePool
from ..components.body import BodyPool
from ..components.gait import GaitPool
from ..components.legs import LegPool
from ..components.segments import SegmentPool
from ..engine.pool import NO_OWNER
from ..engine.props import OBSTACLE_KINDS, FoodPool, ObstaclePool
from .leg_joints_kernel import place_all_leg_joints
from .relief import top_surface
from .render import appearance as look
from .render.camera import Camera
from .render.renderer import Renderer
from .render.scene import Creatures, Ground, Scene, Water

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array
    from ..engine.world import World

RELIEF_CELL = 0.5
"""Units between the elevation samples the ground picture is made from."""


PLATE_COVER = 0.95
"""Share of the way to its hinge that a plate covers."""

ROCK = OBSTACLE_KINDS.index("sphere")
ROCK_DOME = 0.8
"""Height of a drawn rock as a share of its radius."""


class RenderSystem:
    """Draws one world. Between two ticks it shows the state in between.

    Example::

        picture = RenderSystem(world)
        picture.draw(pygame.display.get_surface(), camera)
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._renderer: Renderer | None = None
        self._ground: Ground | None = None
        self._terrain: object = None
        self._rock_version = -1
        self._before: tuple[int, int, dict[str, Array]] | None = None
        self._now: tuple[int, int, dict[str, Array]] | None = None
        self.show_leg_states = False
        self.highlighted: Creature | None = None

    def draw(self, surface: Any, camera: Camera) -> None:
        """Draw into a pygame surface of the host's."""
        from .render.show import show

        width, height = surface.get_size()
        show(self.frame(camera, (width, height)), surface)

    def frame(self, camera: Camera, size: tuple[int, int], *, still: bool = False) -> Array:
        """One picture as (height, width) uint32 of 0xRRGGBB; valid until the next call.

        While playing, new ground is painted over a few frames; a `still` waits for all of it.
        """
        if self._renderer is None or (self._renderer.width, self._renderer.height) != size:
            self._renderer = Renderer(size)
        scene = self.scene()
        if still:
            self._renderer.prepare(scene, camera)
        self._renderer.draw(scene, camera, self.world.time + self.world.clock.waiting_seconds)
        return self._renderer.pixels

    def scene(self) -> Scene:
        """Everything one frame shows."""
        world = self.world
        food, obstacles = world.pool(FoodPool), world.pool(ObstaclePool)
        food_rows = np.column_stack([food.live("position"), np.minimum(np.cbrt(food.live("amount")), 2.0)])
        upright = obstacles.live("kind") != ROCK
        position, half = obstacles.live("position")[upright], obstacles.live("half_size")[upright]
        position[:, 2] += half[:, 2]
        solids = np.column_stack([obstacles.live("kind")[upright], position, half, obstacles.live("heading")[upright]])
        return Scene(ground=self._relief(), water=self._waves(), creatures=self._creatures(), food=food_rows,
                     obstacles=solids, light=world.map.light.time, show_leg_states=self.show_leg_states)  # fmt: skip

    def _relief(self) -> Ground:
        """The ground picture's source; rocks lie half in the ground, so they are part of it."""
        obstacles = self.world.pool(ObstaclePool)
        if self._ground is None or self._terrain is not self.world.terrain:
            elevation, origin = top_surface(self.world.terrain, self.world.map.area.bounds, RELIEF_CELL)
            ponds = self.world.water.grids
            level = ponds[0].level if ponds else float("nan")
            self._ground = Ground(elevation, origin, RELIEF_CELL, water_level=level, seed=self.world.seed)
            self._terrain, self._rock_version = self.world.terrain, -1
        if self._rock_version != obstacles.version:
            rocks = obstacles.live("kind") == ROCK
            radius = obstacles.live("half_size")[rocks, 0]
            stones = np.column_stack([obstacles.live("position")[rocks, :2], radius, ROCK_DOME * radius])
            self._ground = replace(self._ground, stones=stones, version=self._ground.version + 1)
            self._rock_version = obstacles.version
        return self._ground

    def _waves(self) -> Water:
        """The moving surface of the first pond; dry cells lie at its rest level."""
        if not self.world.water.grids:
            return Water()
        grid = self.world.water.grids[0]
        height = np.nan_to_num(grid.surface - grid.level, nan=0.0)
        west, south = grid.origin
        return Water(height, (west + grid.cell / 2, south + grid.cell / 2), grid.cell)

    def _creatures(self) -> Creatures:
        moving = self._in_between()
        w = self.world
        body, look_pool = w.pool(BodyPool), w.pool(AppearancePool)
        rows = look_pool.spans[:, 0]
        rows = rows[body.segment_count[rows] > 0]
        antennae = w.pool(AntennaPool)
        feels = np.isin(rows, antennae.spans[:, 0])
        return Creatures(
            first_segment=body.first_segment[rows], segment_count=body.segment_count[rows],
            first_leg=body.first_leg[rows], leg_count=body.leg_count[rows],
            first_antenna=2 * rows.astype(np.int64), antenna_count=np.where(feels, 2, 0),
            style=look_pool.style[rows], appearance=np.arange(rows.size), highlight=self._highlight(rows),
            segment_half_extents=_drawn_extents(w.pool(SegmentPool)), leg_segment=w.pool(LegPool).segment_row,
            leg_state=w.pool(LegPool).state, appearance_table=_appearance_table(look_pool, rows), **moving,
        )  # fmt: skip

    def _highlight(self, rows: Array) -> Array:
        serial = self.highlighted.serial if self.highlighted is not None else NO_OWNER
        return (self.world.creature_pool.owner[rows] == serial).astype(np.float64)

    def _in_between(self) -> dict[str, Array]:
        """Poses at the moment shown: the last two states that were seen, mixed by the waiting time."""
        w = self.world
        version = sum(pool.version for pool in w.pools.values())
        if self._now is None or self._now[0] != w.tick or self._now[1] != version:
            self._before, self._now = self._now, (w.tick, version, self._poses())
        before, now = self._before, self._now
        if before is None or before[1] != now[1] or before[0] >= now[0]:
            return now[2]
        shown = now[0] - 1 + w.clock.fraction
        share = (shown - before[0]) / (now[0] - before[0])
        if share >= 1.0 or share < 0.0:
            return now[2]
        return {name: before[2][name] + share * (array - before[2][name]) for name, array in now[2].items()}

    def _poses(self) -> dict[str, Array]:
        w = self.world
        s, legs, body, antennae = w.pool(SegmentPool), w.pool(LegPool), w.pool(BodyPool), w.pool(AntennaPool)
        joints = np.zeros((legs.end, 4, 3))
        walkers = np.ascontiguousarray(w.pool(GaitPool).spans[:, 0])
        place_all_leg_joints(walkers, body.first_leg, body.leg_count, legs.segment_row, legs.hip, legs.links,
                             legs.angles, s.position, s.orientation, joints)  # fmt: skip
        points = antennae.points[: antennae.end].copy()
        links = antennae.parameters[: antennae.end, Sense.LINK_COUNT]
        points[np.broadcast_to((np.arange(MOST_LINKS + 1) > links[:, None])[:, None], points.shape[:3])] = np.nan
        return {"segment_position": s.position[: s.end].copy(), "segment_orientation": s.orientation[: s.end].copy(),
                "leg_joints": joints, "antenna_points": points.reshape(-1, MOST_LINKS + 1, 3)}  # fmt: skip


def _drawn_extents(segments: SegmentPool) -> Array:
    """Half sizes of the drawn plates: each covers the tissue up to its hinges, as the shields of real animals do."""
    extents = segments.half_extents[: segments.end].copy()
    extents[:, 0] = PLATE_COVER * segments.half_pitch[: segments.end]
    return extents


def _appearance_table(pool: AppearancePool, rows: Array) -> Array:
    """The renderer's table, one row per creature: linear colours and proportions."""
    table = np.zeros((max(rows.size, 1), look.APPEARANCE_FIELDS), dtype=np.float32)
    if not rows.size:
        return table
    for place, name in enumerate(COLOURS):
        first = getattr(look, name.upper())
        table[:, first : first + 3] = pool.colors[rows, place] ** 2  # the renderer's gamma of 2
    columns = {"width": look.WIDTH, "leg_width": look.LEG_WIDTH, "antenna_width": look.ANTENNA_WIDTH, "gloss": look.GLOSS,
               "rim": look.RIM_GAIN, "rings_per_segment": look.RINGS, "forcipules": look.FORCIPULES,
               "tail_legs": look.TAIL_LEGS, "eyes": look.EYES}  # fmt: skip
    for place, name in enumerate(PROPORTIONS):
        table[:, columns[name]] = pool.proportions[rows, place]
    table[:, look.FLANK] = pool.style[rows] == 0
    return table
