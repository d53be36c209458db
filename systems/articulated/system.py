"""StrokeSystem tells servos what to do; SwimBodySystem moves the bodies: in fluid windows, without a grid, or on a recorded
cycle, as their tier and the windows allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.articulated.ashore import AshorePool
from ...components.articulated.link_plan import MOST_LINKS
from ...components.articulated.links import LinkPool
from ...components.articulated.manoeuvres import MANOEUVRES, ManoeuvrePool
from ...components.articulated.servo import NO_WINDOW, SwimPool
from ...components.articulated.surrogate import SurrogatePool
from ...components.body import Answer, BodyPool
from ...components.brain import BrainPool
from ...components.diet import DietPool
from ...components.head_command import HeadCommandPool
from ...components.paths import PathPool
from ...components.segments import SegmentPool
from ...engine.creature import FOLLOW
from ...engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ..body_surroundings import BodySurroundings, body_surroundings
from ..breath import let_die_of_air
from ..summary_kernel import clear_pushes, summarise_bodies
from .shore.land_kernel import leave_water, step_on_land
from .shore.shore_mode import leaves_of
from .space.swimmer_boxes import SwimBoxes
from .stroke.playback_kernel import play_cycles
from .stroke.servo_orders_kernel import tell_servos
from .stroke.surrogate_kernel import step_surrogates
from .surroundings_kernel import feel_surroundings, settle
from .swimmer_pose_kernel import FRAME, write_swimmers
from .window_sharing import SwimWindows

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


class StrokeSystem:
    """Update phases, efforts and steering of all swimmers, and what their servos are to do."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.swimmers, self.links, self.manoeuvres = world.pool(SwimPool), world.pool(LinkPool), world.pool(ManoeuvrePool)
        self.heads, self.paths, self.brains = world.pool(HeadCommandPool), world.pool(PathPool), world.pool(BrainPool)

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.swimmers.spans[:, 0])
        with ThreadsFor(rows.size, 4 * CREATURES_PER_THREAD, most=self.world.threads):
            tell_servos(rows, self.paths.spans, self.paths, self.creatures, self.heads, self.brains,
                        self.swimmers, self.links, self.manoeuvres, dt)  # fmt: skip
        changed = rows[self.swimmers.manoeuvre[rows] != self.swimmers.announced[rows]]
        self.swimmers.announced[changed] = self.swimmers.manoeuvre[changed]
        for row in changed.tolist():
            creature = self.world.creatures[int(self.swimmers.owner[row])]
            self.world.emit("manoeuvre", creature, name=MANOEUVRES[int(self.swimmers.manoeuvre[row])])


class SwimBodySystem:
    """Update links, roots and segments of all swimmers over one tick."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.swimmers, self.links, self.manoeuvres = world.pool(SwimPool), world.pool(LinkPool), world.pool(ManoeuvrePool)
        self.surrogates, self.bodies = world.pool(SurrogatePool), world.pool(BodyPool)
        self.segments, self.brains, self.diets = world.pool(SegmentPool), world.pool(BrainPool), world.pool(DietPool)
        self.ashore, self.heads = world.pool(AshorePool), world.pool(HeadCommandPool)
        self.windows, self.boxes = world.resource(SwimWindows), world.resource(SwimBoxes)
        self._around: BodySurroundings | None = None
        self._scratch = np.zeros((0, FRAME * MOST_LINKS))
        self._levels = np.zeros((0, 2))

    def process(self, dt: float) -> None:
        world, rows = self.world, np.ascontiguousarray(self.swimmers.spans[:, 0])
        if len(self._scratch) < rows.size:
            self._scratch, self._levels = np.zeros((2 * rows.size, FRAME * MOST_LINKS)), np.zeros((2 * rows.size, 2))
        creatures, swimmers, links = self.creatures, self.swimmers, self.links
        bodies, segments, levels = self.bodies, self.segments, self._levels
        around = self._around = body_surroundings(world, self._around)
        with ThreadsFor(rows.size, CREATURES_PER_THREAD, most=world.threads):
            feel_surroundings(rows, swimmers, links, self.ashore, bodies, segments, self.manoeuvres, self.brains,
                              world.water.arrays, levels, dt)  # fmt: skip
            leave_water(rows, around.gravity, creatures, swimmers, links, self.ashore)
        self.swimmers.failed[rows] = 0
        self.windows.share(rows)
        self.boxes.share(rows)
        self.windows.step(around, dt)
        self.boxes.step(rows, levels, dt)
        self._step_others(rows, around.gravity, dt)
        leaves = leaves_of(world)
        with ThreadsFor(rows.size, CREATURES_PER_THREAD, most=world.threads):
            settle(rows, levels, creatures, swimmers, links, self.ashore, bodies, segments, leaves, around, dt)
            write_swimmers(rows, levels, swimmers, links, bodies, segments, self.diets, dt, self._scratch)
            summarise_bodies(rows, bodies, segments, creatures)
        clear_pushes(rows, bodies, segments)
        self._report(rows)

    def _step_others(self, rows: Array, gravity: float, dt: float) -> None:
        """Move those without a window: on land, by the surrogate, or by a recorded cycle (far away, not in the plane)."""
        alone = rows[self.swimmers.window[rows] == NO_WINDOW]
        on_land = self.ashore.grounded[alone] != 0
        if on_land.any():
            stranded, alone = np.ascontiguousarray(alone[on_land]), alone[~on_land]
            with ThreadsFor(stranded.size, CREATURES_PER_THREAD, most=self.world.threads):
                step_on_land(stranded, gravity, self.creatures, self.heads, self.swimmers, self.links, self.ashore, dt)
        far = (self.creatures.tier[alone] == FOLLOW) | (self.swimmers.plane[alone] == 0)
        pools = self.swimmers, self.links, self.surrogates, self.manoeuvres
        self.bodies.answer[rows], self.bodies.answer[alone[far]] = Answer.PUSH, Answer.WHOLE
        for step, chosen in ((step_surrogates, alone[~far]), (play_cycles, alone[far])):
            if chosen.size:
                with ThreadsFor(chosen.size, CREATURES_PER_THREAD, most=self.world.threads):
                    step(chosen, *pools, dt)

    def _report(self, rows: Array) -> None:
        """Tell the game of water that had to begin anew, and of swimmers that have died on land."""
        swimmers, world = self.swimmers, self.world
        for row in rows[swimmers.failed[rows] != 0].tolist():
            world.emit("fluid_restarted", world.creatures[int(swimmers.owner[row])], window=int(swimmers.window[row]))
        let_die_of_air(world, swimmers, rows, swimmers.air[rows])
