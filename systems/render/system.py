"""RenderSystem: the picture of a world from above. Runs once per frame, outside the tick, and only reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import get_num_threads

from ...components.leg_states import LegState
from ...components.legs import LegPool
from ...components.segments import SegmentPool
from ...engine.errors import ArgumentError, shortened
from ...engine.growths import GrowthPool
from ...engine.pool import NO_OWNER
from ...engine.props import ADRIFT, FoodPool, ObstaclePool
from ...engine.turns import headings
from ..attachments import Attachments
from .creatures.family_painters import FamilyPainters, rows_version
from .creatures.sheet import NO_CREATURE
from .output.sprites import draw_sprites
from .render_threads import CREW, Task
from .renderer import Renderer
from .scene.camera import Camera
from .scene.footprint_kernel import find_dry_feet
from .scene.growth_group import GrowthGroup
from .scene.pond_grid import joined_waves, pond_rows
from .scene.prop_rows import OBSTACLE_CYLINDER, OBSTACLE_SPHERE, FoodRow, LampRow, SolidRow
from .scene.scene import Ground, Scene
from .scene.seabed import baked_growths, log_rows
from .scene.top_surface import DEEPEST, clearance, top_surface
from .scene.trails import Footprints, fireflies

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Array, Pool
    from ...engine.world import World
    from .creatures.painter import Painter

RELIEF_CELL = 0.5
"""Units between the elevation samples the ground picture is made from."""


OPEN_MARGIN = 24.0
"""Units of land that are drawn around a map without walls, where creatures may go."""

LIGHTEST = 0.25
"""Units of half a width: the feet of narrower bodies leave no print."""

ROCK_DOME = 0.8
"""Height of a drawn rock as a share of its radius."""


class _Begun(NamedTuple):
    """A picture on its way, and what is left to do when it is painted."""

    task: Task
    surface: Any
    camera: Camera
    sprites: list[tuple[Any, Array, float]]
    pixels: Array | None
    """To copy to the surface; None where it is painted there at once."""


class RenderSystem:
    """Draws one world, each family by its own painter. Between two ticks it shows the state in between.

    Example::

        picture = RenderSystem(world)
        picture.draw(pygame.display.get_surface(), camera)

    A loop that does the next tick while the picture is painted gets more frames out of the same machine::

        picture.begin(screen, camera)
        world.update(dt)
        picture.finish()
        pygame.display.flip()
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._renderer: Renderer | None = None
        self._ground: Ground | None = None
        self._terrain: object = None
        self._rock_version: tuple[int, ...] = ()
        self._ground_growths: list[tuple[Pool, Callable[[], Array]]] = []
        self._families = FamilyPainters(world)
        self._prints = Footprints()
        self._feet_seen: tuple[int, int] | None = None
        self.detail = 0
        """0 draws everything; up to 4 leave out more of water, shadows, limbs and ground. See `DetailGovernor`."""
        self.show_leg_states = False
        self.show_wakes = False
        """Whether the whirls of fluid windows are tinted by their sense, with traces; else they are only hinted at."""
        self.highlighted: Creature | None = None
        self.seconds = 0.0
        """That the latest picture of `begin` took, most of them beside something else."""
        self._begun: _Begun | None = None

    def draw(self, surface: Any, camera: Camera) -> None:
        """Draw into the camera's rectangle of a pygame surface of the host's."""
        self.begin(surface, camera)
        self.finish()

    def begin(self, surface: Any, camera: Camera) -> None:
        """Begin to draw the world as it is now. Other threads paint while the caller does the next tick.

        Until `finish` the surface is theirs: it is locked, and what it shows is not the whole picture yet. World and
        camera may change.
        """
        from .output.pygame_surface import canvas

        if not isinstance(camera, Camera) or not hasattr(surface, "get_size"):
            given = f"draw({shortened(surface)}, {shortened(camera)})"
            raise ArgumentError(f"{given}: allowed is draw(surface, camera), a pygame surface and a paludarium.Camera")
        self.finish()
        view = Camera((camera.left, camera.top, camera.width, camera.height), camera.center, camera.pixels_per_unit)
        size = (max(int(view.width), 1), max(int(view.height), 1))
        with self.world.gate.during("world.draw"):
            renderer, out = self._prepared(size), canvas(surface, (int(view.left), int(view.top)), size)
            paint = partial(self._paint, renderer, self.scene(view.visible_bounds), view, self._moment(), out)
            task = CREW.begin(paint, get_num_threads())
            self._begun = _Begun(task, surface, view, self._sprites(), renderer.pixels if out is None else None)

    def _paint(self, renderer: Renderer, scene: Scene, camera: Camera, moment: float, out: Array | None) -> None:
        start = perf_counter()
        renderer.draw(scene, camera, moment, out)
        self.seconds = perf_counter() - start

    @property
    def painting(self) -> bool:
        """Whether a picture was begun and not finished yet."""
        return self._begun is not None

    def finish(self) -> None:
        """Help to paint the picture that was begun, if any, and return when the surface shows it."""
        from .output.pygame_surface import show

        begun = self._begun
        if begun is None:
            return
        try:
            CREW.finish(begun.task)
        finally:
            if begun.task.done:  # else the wait was interrupted, and the surface is still being painted
                self._begun = None
        if begun.pixels is not None:
            show(begun.pixels, begun.surface, (int(begun.camera.left), int(begun.camera.top)))
        draw_sprites(begun.surface, begun.camera, begun.sprites)

    def frame(self, camera: Camera, size: tuple[int, int], *, still: bool = False, around: bool = False) -> Array:
        """One picture as (height, width) uint32 of 0xRRGGBB; valid until the next call.

        While playing, new ground is painted over a few frames; a `still` waits for all of it, with `around` also for what
        lies around the view.
        """
        self.finish()
        with self.world.gate.during("world.draw"):
            renderer, scene = self._prepared(size, still=still), self.scene(camera.visible_bounds)
            if still:
                renderer.prepare(scene, camera, around=around)
            renderer.draw(scene, camera, self._moment())
            return renderer.pixels

    def _prepared(self, size: tuple[int, int], *, still: bool = False) -> Renderer:
        """The renderer for pictures of this size, set to the detail that is wanted now."""
        if self._renderer is None or (self._renderer.width, self._renderer.height) != size:
            self._renderer = Renderer(size)
        self._renderer.detail, self._renderer.finest_water = self.detail, still and self.detail == 0
        return self._renderer

    def _moment(self) -> float:
        """Seconds that are shown: those of the world, and what waits for the next tick."""
        return self.world.time + self.world.clock.waiting_seconds

    def scene(self, bounds: tuple[float, float, float, float] | None = None) -> Scene:
        """Everything one frame shows; with `bounds` (west, south, east, north) also what only lives in the picture."""
        world, light = self.world, self.world.weather.time_of_day
        ground = self._relief()
        self._see_feet(ground)
        flies = fireflies(bounds, world.time) if bounds is not None and light != "day" else np.zeros((0, 4))
        return Scene(
            ground=ground,
            water=joined_waves(world.water.grids),
            creatures=(*self._families.groups(), *self._growths(ground)),
            highlighted=self._highlighted_row(),
            food=_food_rows(world.pool(FoodPool)),
            obstacles=_solid_rows(world.pool(ObstaclePool), round_ones=ground.clarity <= 1.0),
            footprints=self._prints.rows(world.time),
            fireflies=flies,
            lamps=self._lamps(),
            light=light,
            show_leg_states=self.show_leg_states,
        )

    def _growths(self, ground: Ground) -> tuple[GrowthGroup, ...]:
        """What sways and floats, if anything does."""
        if not len(ground.growths):
            return ()
        moment = self._moment()
        return (GrowthGroup(ground.growths, moment, self.world.weather.wind.now(moment)),)

    def _relief(self) -> Ground:
        """The ground picture's source; rocks lie half in the ground, so they are part of it."""
        obstacles = self.world.pool(ObstaclePool)
        clarity = self.world.weather.light.clarity
        if self._ground is None or self._terrain is not self.world.terrain or self._ground.clarity != clarity:
            area, deepest = self.world.map.area, DEEPEST * max(clarity, 1.0)
            margin = OPEN_MARGIN if area.edge == "open" else 0.0
            west, south, east, north = area.bounds
            bounds = (west - margin, south - margin, east + margin, north + margin)
            elevation, origin = top_surface(self.world.terrain, bounds, RELIEF_CELL, deepest)
            version = 0 if self._ground is None else self._ground.version + 1
            beside = clearance(self.world.terrain, bounds, RELIEF_CELL, deepest)
            ponds, seed = pond_rows(self.world), self.world.seed
            self._ground = Ground(
                elevation, origin, RELIEF_CELL, ponds=ponds, seed=seed, version=version, clearance=beside, clarity=clarity,
                bed=self.world.map.bed.kind,
            )
            self._terrain, self._rock_version = self.world.terrain, ()
        looks = (obstacles.version, self.world.pool(GrowthPool).version, *(pool.version for pool, _ in self._ground_growths))
        if self._rock_version != looks:
            rocks = (obstacles.live("kind") == OBSTACLE_SPHERE) & (obstacles.live("look") == 0)
            radius = obstacles.live("half_size")[rocks, 0]
            stones = np.column_stack([obstacles.live("position")[rocks, :2], radius, ROCK_DOME * radius])
            others = [rows() for _, rows in self._ground_growths]
            growths = np.concatenate([baked_growths(self.world, clarity > 1.0), *others])
            if len(growths):  # only pictures of the richer kind have bark
                growths = np.concatenate([log_rows(self.world), growths])
            stones = stones[:0] if clarity > 1.0 else stones
            self._ground = replace(self._ground, stones=stones, growths=growths, version=self._ground.version + 1)
            self._rock_version = looks
        return self._ground

    @property
    def painters(self) -> dict[str, Painter]:
        """By the name of the family they draw; a family without one is not drawn."""
        return self._families.painters

    def add_painter(self, family: str, painter: Painter) -> None:
        """Let a painter draw the creatures of a family, instead of the one it had until now, if any.

        Example::

            world.picture.add_painter("ball", BallPainter(world))
        """
        self._families.add(family, painter)

    def add_growths(self, pool: Pool, rows: Callable[[], Array]) -> None:
        """Let the picture of the ground show what a pool holds, as rows of `engine.growths.growth_rows`.

        Example::

            world.picture.add_growths(world.pool(NestPool), lambda: mound_rows(world))
        """
        self._ground_growths.append((pool, rows))

    def forget_mod(self, mod: str) -> None:
        """Take out the painters of a mod that failed; its creatures live on unseen."""
        self._families.forget_mod(mod)

    def _highlighted_row(self) -> int:
        chosen = self.highlighted
        return chosen.row if chosen is not None and chosen.in_world else NO_CREATURE

    def _see_feet(self, ground: Ground) -> None:
        """Leave prints where feet of any family came down on dry ground since the last tick that was drawn."""
        legs, segments, version = self.world.pool(LegPool), self.world.pool(SegmentPool), rows_version(self.world)
        before, self._feet_seen = self._feet_seen, (self.world.tick, version)
        if not (segments.end and legs.end) or before == self._feet_seen:
            return
        standing = np.empty(legs.end, np.bool_)
        find_dry_feet(legs.state, LegState.STANCE.value, legs.tip, ground.ponds, standing)
        feet = self._prints.fresh(version, standing)
        rows = np.minimum(np.maximum(legs.segment_row[feet], 0), segments.end - 1)  # legs of the released have any
        heavy = segments.half_extents[rows, 1] > LIGHTEST
        feet, rows = feet[heavy], rows[heavy]
        self._prints.tread(self.world.time, legs.tip[feet], headings(segments.orientation[rows]))

    def _lamps(self) -> Array:
        """Attached lights as the renderer takes them: anything with a color (0..1), a radius and a strength."""
        attached = self.world.resources.find(Attachments)
        if not attached:
            return np.zeros((0, len(LampRow)))
        positions, _ = attached.poses()
        rows = [
            (*position, item.thing.radius, *np.square(item.thing.color), item.thing.strength)
            for item, position in zip(attached, positions, strict=True)
            if hasattr(item.thing, "radius")
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, len(LampRow))

    def _sprites(self) -> list[tuple[Any, Array, float]]:
        """Attached images with their places."""
        attached = self.world.resources.find(Attachments)
        if not attached:
            return []
        return [(item.thing, position, angle) for item, position, angle in zip(attached, *attached.poses(), strict=True)]


def _food_rows(food: FoodPool) -> Array:
    """Food as the renderer takes it: x, y, z, size. What drifts has a painter, what is carried its carrier's."""
    end = food.end
    alive = (food.owner[:end] != NO_OWNER) & (food.drift[:end] != ADRIFT) & (food.carrier[:end] == NO_OWNER)
    alive = np.flatnonzero(alive)
    rows = np.empty((alive.size, len(FoodRow)))
    rows[:, : FoodRow.SIZE], rows[:, FoodRow.SIZE] = food.position[alive], np.minimum(np.cbrt(food.amount[alive]), 2.0)
    return rows


def _solid_rows(obstacles: ObstaclePool, *, round_ones: bool) -> Array:
    """Obstacles that stand on the ground as the renderer takes them: kind, middle, half sizes, heading.

    Corals are part of the ground; where the bed is seen through clear water, all round ones are.
    """
    end = obstacles.end
    shown = (obstacles.owner[:end] != NO_OWNER) & (obstacles.kind[:end] != OBSTACLE_SPHERE) & (obstacles.look[:end] == 0)
    upright = np.flatnonzero(shown if round_ones else shown & (obstacles.kind[:end] != OBSTACLE_CYLINDER))
    rows = np.empty((upright.size, len(SolidRow)))
    rows[:, SolidRow.KIND], rows[:, SolidRow.HEADING] = obstacles.kind[upright], obstacles.heading[upright]
    rows[:, SolidRow.X : SolidRow.HALF_X] = obstacles.position[upright]
    rows[:, SolidRow.HALF_X : SolidRow.HEADING] = obstacles.half_size[upright]
    rows[:, SolidRow.Z] += rows[:, SolidRow.HALF_Z]
    return rows
