"""ColonySystem: what ants do about food, nests and each other; where they walk is decided by `forage_mode`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.brain import Brain, BrainPool
from ....components.diet import DietPool
from ....components.insect.colony import Colony, ColonyPool, Errand, NestPool
from ....components.insect.trunk import TrunkPool
from ....engine.pool import NO_OWNER, Rows
from ....engine.props import LYING, FoodPool
from ...row_selection import living_rows
from ...senses.random_stream_kernel import advance, uniform
from ...spatial_index.index import SpatialIndex
from ..walk.walk_kernel import PULL_SLOWING, SLOWEST_SHARE
from .piece_kernel import nearest_wall
from .trail_grid import Trails

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

ALARM_REACH = 12.0
"""Lengths of the trunk from which nest mates come to where one was killed."""
DROPPED_REST = 4.0
"""Seconds in which one that dropped something takes up nothing: else it would be the same piece."""
GREET_REACH = 0.9
"""Lengths between two heads that feel each other."""
HAUL_SPEED = 0.6
"""Share of their walk at which ants pull what weighs nothing: they go backward."""
HAUL_PATIENCE = 30.0
"""Seconds after which ants let go of a piece that comes no nearer to the nest."""
GAINED = 1.5
"""Seconds of patience that each second gives back in which it does."""
GIVEN_UP_REST = 20.0
"""Seconds in which ants that gave up take hold of nothing."""
PIECE_HEIGHT, PIECE_GAP = 0.3, 0.25
"""Lengths of the trunk: the middle of a heavy piece over the ground, and how near walls come to it."""
LEAST_WALL = 0.6
"""Sine of the slope from which ground is a wall that a piece goes around."""
DETOUR = 1.5
"""Seconds that a piece keeps to the side to which it goes around a wall."""
WAITING_TRAIL = 0.5
"""Share of the trail that those lay who wait for help at a heavy piece."""


class ColonySystem:
    """Update what ants carry, stores of nests and trails; emit ``picked_up``, ``dropped``, ``stored`` and ``met``."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.colonies, self.nests, self.food = world.pool(ColonyPool), world.pool(NestPool), world.pool(FoodPool)
        self.trunks, self.brains, self.diets = world.pool(TrunkPool), world.pool(BrainPool), world.pool(DietPool)
        self.trails, self.index = world.resource(Trails), world.resource(SpatialIndex)

    def process(self, dt: float) -> None:
        rows = living_rows(self.colonies, self.creatures)
        self._settle_jaws(rows)
        if rows.size:
            self._take(rows[self.colonies.wants_food[rows] >= 0])
            self._store(rows[self.colonies.wants_store[rows] >= 0])
            self._greet(rows[self.colonies.meets[rows] >= 0])
            self._raise_alarm()
            self._haul(rows[self.colonies.errand[rows] == Errand.HAUL], dt)
            self._lay(rows, dt)
            self._carry(rows)
        self.trails.fade(dt)

    def _take(self, rows: Array) -> None:
        """Take a bite of food, the whole of a small piece, or hold of a heavy one."""
        colonies, food = self.colonies, self.food
        for row in rows.tolist():
            piece = int(colonies.wants_food[row])
            colonies.wants_food[row] = -1
            if food.owner[piece] == NO_OWNER or food.carrier[piece] != NO_OWNER or colonies.carried[row] >= 0:
                continue
            p = colonies.parameters[row]
            heavy = self._mass(row, float(food.amount[piece])) > self.trunks.strength[row]
            carrion = self.world.props.food_kinds.find("carrion")
            if heavy and food.kind[piece] == carrion:
                colonies.carried[row], colonies.errand[row] = piece, Errand.HAUL
                colonies.patience[row] = HAUL_PATIENCE * self._draw(row, 0.5, 1.0)
                self._tell("picked_up", row, food.position[piece], float(food.amount[piece]))
                continue
            taken = min(float(p[Colony.BITE]), float(food.amount[piece]))
            if taken < food.amount[piece]:
                food.amount[piece] -= taken
                kind = self.world.props.food_kinds.name(int(food.kind[piece]))
                piece = self.world.props.add_food(self.diets.mouth[row], taken, kind).rows.start
            self.hold(row, piece)

    def hold(self, row: int, piece: int) -> None:
        """Put a piece between the jaws of one, which is on its way home from now on."""
        colonies, food = self.colonies, self.food
        food.carrier[piece], food.drift[piece] = self.creatures.owner[row], LYING
        food.version += 1  # it lies about no longer
        colonies.carried[row] = piece
        colonies.errand[row] = Errand.HOMEWARD
        self.trunks.jaw_load[row] = self._mass(row, float(food.amount[piece]))
        self._tell("picked_up", row, food.position[piece], float(food.amount[piece]))

    def drop(self, row: int) -> None:
        """Open the jaws of one: what it held lies on the ground."""
        colonies, food = self.colonies, self.food
        piece = int(colonies.carried[row])
        if piece < 0:
            return
        if colonies.errand[row] != Errand.HAUL and food.owner[piece] != NO_OWNER:
            food.carrier[piece] = NO_OWNER
            food.position[piece, 2] = self.world.terrain.elevation(food.position[piece, None, :2])[0]
            food.version += 1
        self._set_out(row)
        colonies.pause[row] = DROPPED_REST
        self._tell("dropped", row, food.position[piece], float(food.amount[piece]))

    def _mass(self, row: int, amount: float) -> float:
        return amount * float(self.colonies.parameters[row, Colony.WEIGHT])

    def _store(self, rows: Array) -> None:
        for row in rows.tolist():
            door, piece = int(self.colonies.wants_store[row]), int(self.colonies.carried[row])
            self.colonies.wants_store[row] = -1
            if piece >= 0 and self.nests.owner[door] != NO_OWNER:
                self._bring(row, door, piece)
            elif piece < 0:
                self._set_out(row)

    def _set_out(self, row: int) -> None:
        """Leave the nest to search, the way one has come."""
        self.colonies.errand[row], self.colonies.carried[row] = Errand.SEARCH, -1
        self.colonies.patience[row] = self.colonies.parameters[row, Colony.PATIENCE] * self._draw(row, 0.5, 1.0)
        self.trunks.jaw_load[row] = 0.0

    def _bring(self, row: int, door: int, piece: int) -> None:
        """A piece is in the nest now; those who brought it turn around."""
        amount = float(self.food.amount[piece])
        self.nests.stored[door] += amount
        self.nests.loads[door] += 1
        living = living_rows(self.colonies, self.creatures)
        haulers = living[self.colonies.carried[living] == piece]
        for one in haulers.tolist():
            self._set_out(one)
            self.colonies.trips[one] += 1
        self.food.release(Rows(piece, piece + 1, self.food.generation_of(piece)))
        self.world.props.changed = True
        creature = self.world.creatures[int(self.creatures.owner[row])]
        self.world.emit("stored", creature, nest=int(self.nests.nest[door]), amount=amount)

    def _greet(self, rows: Array) -> None:
        """Oncoming ants stop and feel each other, both or neither."""
        colonies = self.colonies
        for row in rows[self._opposite(rows)].tolist():
            other = int(colonies.meets[row])
            if not self._may_greet(row, other):
                continue
            p = colonies.parameters[row]
            pause = self._draw(row, p[Colony.GREET_MIN], p[Colony.GREET_MAX])
            for one in (row, other):
                colonies.before[one], colonies.errand[one] = colonies.errand[one], Errand.GREET
                colonies.pause[one], colonies.rest[one] = pause, pause + colonies.parameters[one, Colony.GREET_REST]
            self.world.emit("met", self.world.creatures[int(self.creatures.owner[row])],
                            other=int(self.creatures.owner[other]))  # fmt: skip

    def _opposite(self, rows: Array) -> Array:
        """Which of those that meet somebody are near it, of one nest with it, and on opposite errands; both are rested."""
        colonies, place = self.colonies, self.creatures.position
        others = colonies.meets[rows]
        one, two = colonies.errand[rows], colonies.errand[others]
        opposite = (np.minimum(one, two) == Errand.SEARCH) & (np.maximum(one, two) == Errand.HOMEWARD)
        mates = (colonies.owner[others] != NO_OWNER) & (colonies.nest[rows] == colonies.nest[others])
        rested = (colonies.rest[rows] == 0.0) & (colonies.rest[others] == 0.0)
        gap = np.hypot(*(place[rows, :2] - place[others, :2]).T)
        chosen: Array = opposite & mates & rested & (gap <= GREET_REACH * self.trunks.size[rows])
        return chosen

    def _may_greet(self, row: int, other: int) -> bool:
        """Whether two that could greet are still rested, and in the mood for it."""
        colonies = self.colonies
        if colonies.rest[row] > 0.0 or colonies.rest[other] > 0.0:  # one of them has just greeted somebody else
            return False
        colonies.rest[row] = 0.5  # asked once, whatever comes of it
        return bool(self._draw(row, 0.0, 1.0) < colonies.parameters[row, Colony.GREET_CHANCE])

    def _draw(self, row: int, low: float, high: float) -> float:
        """A random number of one ant's own stream."""
        self.colonies.stream[row] = advance(self.colonies.stream[row])
        return float(uniform(self.colonies.stream[row], low, high))

    def _raise_alarm(self) -> None:
        """Nest mates of whoever was killed in this tick run to the place."""
        for event in self.world.events.queue:
            creature = event.creature
            if event.kind != "died" or creature is None or "colony" not in creature.rows or not creature.in_world:
                continue
            row, at = creature.row, creature.position
            rows = living_rows(self.colonies, self.creatures)
            gap = np.linalg.norm(self.creatures.position[rows] - at, axis=1)
            near = rows[(gap < ALARM_REACH * self.trunks.size[row]) & (self.colonies.nest[rows] == self.colonies.nest[row])
                        & (self.colonies.errand[rows] != Errand.HAUL)]  # fmt: skip
            self.colonies.errand[near], self.colonies.alarm_at[near] = Errand.ALARM, at
            self.colonies.pause[near] = self.colonies.parameters[near, Colony.ALARM_TIME]

    def _haul(self, rows: Array, dt: float) -> None:
        """Move heavy pieces toward the nest while enough ants are at them; who gets nowhere gives up."""
        colonies, food = self.colonies, self.food
        for piece in np.unique(colonies.carried[rows]).tolist():
            team = rows[colonies.carried[rows] == piece]
            if piece < 0 or food.owner[piece] == NO_OWNER:
                colonies.carried[team], colonies.errand[team] = -1, Errand.SEARCH
                continue
            first = int(team[0])
            doors = self.nests.spans[:, 0]
            doors = doors[self.nests.nest[doors] == colonies.nest[first]]
            far = np.linalg.norm(self.nests.position[doors, :2] - food.position[piece, :2], axis=1)
            nearest = int(np.argmin(far))
            door = int(doors[nearest])
            self._pull(piece, team, door, dt)
            left = float(np.linalg.norm(self.nests.position[door, :2] - food.position[piece, :2]))
            if left < float(self.nests.radius[door]):
                self._bring(first, door, piece)
                continue
            gained = GAINED if left < far[nearest] else 0.0
            colonies.patience[team] = np.minimum(colonies.patience[team] + (gained - 1.0) * dt, HAUL_PATIENCE)
            for row in team[colonies.patience[team] <= 0.0].tolist():
                self.drop(row)
                colonies.pause[row] = GIVEN_UP_REST

    def _pull(self, piece: int, team: Array, door: int, dt: float) -> None:
        """Move a piece by what those who are at it can, around what stands in the way."""
        first, at = int(team[0]), self.food.position[piece]
        mass = self._mass(first, float(self.food.amount[piece]))
        ready = team[np.linalg.norm(self.creatures.position[team, :2] - at[:2], axis=1) < 1.2 * self.trunks.size[first]]
        if float(self.trunks.strength[ready].sum()) < mass:
            return
        share = max(1.0 - PULL_SLOWING * mass / len(ready), SLOWEST_SHARE)  # as what one carries slows it
        step = HAUL_SPEED * share * float(self.brains.parameters[ready, Brain.SPEED].mean()) * dt
        way = self.nests.position[door, :2] - at[:2]
        far = float(np.linalg.norm(way))
        way = self._around(first, at, way / max(far, 1e-9), dt)
        at[:2] += min(step, far) * way
        at[2] = self.world.terrain.elevation(at[None, :2])[0]
        self.world.props.food_moves += 1

    def _around(self, first: int, at: Array, way: Array, dt: float) -> Array:
        """The way (2,) of a piece beside what stands in its way, always to the side that was chosen first."""
        colonies, size = self.colonies, float(self.trunks.size[first])
        gap, *normal = nearest_wall(self.world.terrain.ground, self.index.solids, at[0], at[1], at[2] + PIECE_HEIGHT * size)
        level = float(np.hypot(normal[0], normal[1]))
        colonies.detour[first] = max(colonies.detour[first] - dt, 0.0)
        if gap >= PIECE_GAP * size or level < LEAST_WALL:
            return way
        out = np.array(normal[:2]) / level
        into = float(way @ out)
        if into >= 0.0:
            return way
        aside = np.array([-out[1], out[0]])
        if colonies.detour[first] == 0.0 or colonies.side[first] == 0:
            colonies.side[first] = 1 if float(aside @ way) >= 0.0 else -1
        colonies.detour[first] = DETOUR
        along: Array = colonies.side[first] * aside + (1.0 - gap / (PIECE_GAP * size)) * out
        return along / float(np.linalg.norm(along))

    def _lay(self, rows: Array, dt: float) -> None:
        """Who brings something home lays a trail."""
        errand = self.colonies.errand[rows]
        share = np.where(errand == Errand.HOMEWARD, 1.0, np.where(errand == Errand.HAUL, WAITING_TRAIL, 0.0))
        share[self.colonies.carried[rows] < 0] = 0.0  # who comes home with nothing has nothing to tell
        laying = rows[share > 0.0]
        if laying.size:
            amounts = share[share > 0.0] * self.colonies.parameters[laying, Colony.TRAIL] * dt
            self.trails.lay(laying, amounts, self.creatures.position[laying])

    def _carry(self, rows: Array) -> None:
        """What jaws hold moves with them."""
        holding = rows[(self.colonies.carried[rows] >= 0) & (self.colonies.errand[rows] != Errand.HAUL)]
        self.food.position[self.colonies.carried[holding]] = self.diets.mouth[holding]

    def _settle_jaws(self, rows: Array) -> None:
        """Who held a piece that is gone begins anew; pieces whose carriers are dead or gone lie on the ground again."""
        food, colonies = self.food, self.colonies
        holding = rows[(colonies.carried[rows] >= 0) & (colonies.errand[rows] != Errand.HAUL)]
        bereft = holding[food.carrier[colonies.carried[holding]] != colonies.owner[holding]]
        for row in bereft.tolist():
            self._set_out(row)
        pieces = food.spans[:, 0]
        held = pieces[food.carrier[pieces] != NO_OWNER]
        if held.size == holding.size - bereft.size:  # every piece has its carrier
            return
        orphans = held[~np.isin(food.carrier[held], colonies.owner[holding])]
        food.carrier[orphans] = NO_OWNER
        food.position[orphans, 2] = self.world.terrain.elevation(food.position[orphans, :2])
        food.version += 1

    def _tell(self, kind: str, row: int, at: Array, amount: float) -> None:
        creature = self.world.creatures[int(self.creatures.owner[row])]
        self.world.emit(kind, creature, food=at.tolist(), amount=amount)
