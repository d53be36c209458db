"""What an ant of a colony wants: to search, to follow a trail, to carry home, to give way, to greet. [insect 7]

Serial numbers and rows of others come from the index of bodies; every ant reads where others were, and writes only itself.
"""

from __future__ import annotations

from math import atan2, cos, hypot, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.insect.colony import NO_NEST, Colony, Errand
from ....engine.kernel import kernel
from ....engine.kernel_types import int64, uint64
from ....engine.number_kernel import wrapped
from ....engine.spatial_hash import next_item, open_query
from ...senses.random_stream_kernel import advance, uniform
from .trail_field_kernel import feel_trail

if TYPE_CHECKING:
    from ....components.antennae import AntennaPool
    from ....components.head_command import HeadCommandPool
    from ....components.insect.colony import ColonyPool, NestPool
    from ....components.insect.trunk import TrunkPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array
    from ....engine.props import FoodPool
    from .forage_mode import ForageScene

TURN_GAIN, FASTEST_TURN = 3.0, 3.5  # 1/s, rad/s [insect 7]
SLOWEST = 0.25  # of the speed, in a sharp turn
TRAIL_SOFTENING = 0.01  # strength below which a trail is not felt
STRONG_TRAIL = 0.4  # sum over four places: fresh enough that it leads to food
LANE = 0.25  # of a trail's pull: it is kept on the left, so that those who come and those who go have a side each
HOME_TRAIL = 0.5  # share of the pull of a trail that one on its way home feels
NEAR = 1.67  # lengths within which others are given way to [insect 7]
AHEAD_WIDTH = 0.6  # lengths to either side of the way ahead
WRONG_SIDE = -0.25  # lengths to the right from where on one who comes is passed on that side
SAME_WAY = 1.2  # lengths at which one turns away from who goes the same way
BRAKE = 1.0  # lengths behind another one at which it slows down
ALONE = 2.0  # lengths around food and nest within which nobody gives way: a ring of waiting ants would close it
WALL_AHEAD = 0.9  # lengths of free way below which it turns aside
ARRIVED = 0.4  # lengths from an entrance or a piece that count as there
VEER_RATE = 1.2  # 1/s: how soon chance changes its mind [insect 7]
ON_TRAIL = 0.25  # share of veering that is left on a trail
INWARD, OUTWARD_TURN = -0.2, 2.5  # cosine; rad/s: who goes toward the nest with empty jaws turns round
DETOUR_TIME, TURN_BACK = 0.8, 0.2  # s; share of a turn back toward what is gone around
HAUL_GAP, HAUL_GAIN = 0.7, 4.0  # lengths from the head to what it pulls at; 1/s
OWN_DOOR = 6.0  # lengths by which the entrance of this trip counts as nearer
PER_ANT, PER_TRIP = 7919, 104729  # primes, so that neither neighbours nor trips take the same one
GUARD_TURN = 1.5  # rad/s with which a guard turns back at the edge of its round
LEAVING = 3.0  # lengths from the nest within which a searching ant goes outward


@kernel()
def strength_share(strength: float) -> float:
    """Return 0 where there is no trail, to 1 on a strong one."""
    return strength / (strength + 10.0 * TRAIL_SOFTENING)


@kernel()
def turn_of_trail(x: float, y: float, heading: float, reach: float, spread: float,
                  scene: ForageScene) -> tuple[float, float]:  # fmt: skip
    """Return which way a trail leads, -1 right to 1 left, and its strength, felt at both antennae."""
    left = feel_trail(scene.trails, scene.frame, x + reach * cos(heading + spread), y + reach * sin(heading + spread))
    right = feel_trail(scene.trails, scene.frame, x + reach * cos(heading - spread), y + reach * sin(heading - spread))
    return (left - right) / (left + right + TRAIL_SOFTENING) - LANE * strength_share(left + right), left + right


@kernel()
def nearest_food(c: int, x: float, y: float, reach: float, colonies: ColonyPool, food: FoodPool,
                 scene: ForageScene) -> tuple[int, float]:  # fmt: skip
    """Return the nearest piece of food that it would carry, and how far it is; -1 if none is near."""
    best, least = int64(-1), reach * reach
    cells, cursor = open_query(scene.food_hash, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(scene.food_hash, cells, cursor)
        if k < 0:
            break
        row = int64(scene.food_rows[k])
        wanted = (colonies.carries[c] >> uint64(food.kind[row])) & uint64(1)
        if wanted == 0 or food.carrier[row] >= 0 or food.amount[row] <= 0.0:
            continue
        dx, dy = food.position[row, 0] - x, food.position[row, 1] - y
        squared = dx * dx + dy * dy
        if squared < least or (squared == least and row < best):
            best, least = row, squared
    return best, sqrt(least)


@kernel()
def own_entrance(c: int, x: float, y: float, size: float, colonies: ColonyPool, nests: NestPool,
                 scene: ForageScene) -> tuple[int, float]:  # fmt: skip
    """Return the entrance by which it goes home this time, and how far it is, or -1.

    Each trip has an entrance of its own, which counts as nearer than it is: so all of them share the traffic.
    """
    count = int64(0)
    for k in range(scene.doors.size):
        if nests.nest[scene.doors[k]] == colonies.nest[c]:
            count += 1
    if count == 0:
        return int64(-1), 1e30
    choice = (int64(c) * PER_ANT + int64(colonies.trips[c]) * PER_TRIP) % count
    best, least, found, place = int64(-1), 1e30, 1e30, int64(0)
    for k in range(scene.doors.size):
        row = int64(scene.doors[k])
        if nests.nest[row] != colonies.nest[c]:
            continue
        distance = hypot(nests.position[row, 0] - x, nests.position[row, 1] - y)
        cost = distance - (OWN_DOOR * size if place == choice else 0.0)
        place += 1
        if cost < least:
            best, least, found = row, cost, distance
    return best, found


@kernel()
def nearest_entrance(c: int, x: float, y: float, colonies: ColonyPool, nests: NestPool,
                     scene: ForageScene) -> tuple[int, float]:  # fmt: skip
    """Return the entrance of its own nest that is nearest, or -1."""
    best, least = int64(-1), 1e30
    for k in range(scene.doors.size):
        row = int64(scene.doors[k])
        if nests.nest[row] != colonies.nest[c]:
            continue
        dx, dy = nests.position[row, 0] - x, nests.position[row, 1] - y
        if dx * dx + dy * dy < least:
            best, least = row, dx * dx + dy * dy
    return best, sqrt(least) if best >= 0 else 1e30


@kernel()
def give_way(c: int, x: float, y: float, heading: float, size: float, creatures: CreaturePool, colonies: ColonyPool,
             scene: ForageScene) -> tuple[float, float, int]:  # fmt: skip
    """Return how to turn, how much of the speed to keep, and whom it has met."""
    reach, turn, share, met, met_at = NEAR * size, 0.0, 1.0, int64(-1), 1e30
    ux, uy = cos(heading), sin(heading)
    cells, cursor = open_query(scene.herd_hash, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(scene.herd_hash, cells, cursor)
        if k < 0:
            return turn, share, met
        other = int64(scene.herd[k])
        if other == c or creatures.dead[other] != 0:
            continue
        dx, dy = creatures.position[other, 0] - x, creatures.position[other, 1] - y
        d = hypot(dx, dy)
        along, aside = dx * ux + dy * uy, -dx * uy + dy * ux
        if d > reach or along < 0.0 or abs(aside) > AHEAD_WIDTH * size:
            continue
        facing = cos(creatures.heading[other] - heading)
        near = 1.0 - d / reach
        if facing < 0.0:  # oncoming: both go to the right, so that lanes form
            passing = max(1.0 - max(aside, 0.0) / (AHEAD_WIDTH * size), 0.0)  # who is on the left already is passed as it is
            if aside < WRONG_SIDE * size:
                passing = -1.0  # and who is on the right is passed there: ways would cross, and both see the same
            turn -= colonies.parameters[c, Colony.KEEP_RIGHT] * near * NEAR * passing
            if d < met_at:
                met, met_at = other, d
        elif d < SAME_WAY * size:
            turn -= (1.2 if aside >= 0.0 else -1.2) * (SAME_WAY - d / size)
            if along < BRAKE * size:
                share = min(share, max(along / (BRAKE * size), 0.3))


@kernel()
def wish_of(want: float, heading: float, speed: float) -> tuple[float, float]:
    """Return speed and yaw rate that turn a heading into the wanted one."""
    error = wrapped(want - heading)
    return speed * max(cos(error), SLOWEST), min(max(TURN_GAIN * error, -FASTEST_TURN), FASTEST_TURN)


@kernel()
def search(c: int, x: float, y: float, heading: float, size: float, speed: float, door: int, door_at: float, nests: NestPool,
           colonies: ColonyPool, scene: ForageScene, dt: float) -> tuple[float, float]:  # fmt: skip
    """Return speed and yaw rate of a searching ant: it veers as chance has it, follows trails away from the nest, and leaves
    the nest behind."""
    p = colonies.parameters[c]
    wander = veer(c, colonies, dt)
    reach = p[Colony.SMELL] * size
    side, strength = turn_of_trail(x, y, heading, reach, p[Colony.SPREAD], scene)
    strength += feel_trail(scene.trails, scene.frame, x + reach * cos(heading), y + reach * sin(heading))
    strength += feel_trail(scene.trails, scene.frame, x, y)
    on_trail = strength > TRAIL_SOFTENING
    if strength > STRONG_TRAIL:
        colonies.patience[c] += dt  # others have found something there: it does not lose patience on the way
    turn = (ON_TRAIL if on_trail else 1.0) * wander + p[Colony.FOLLOW] * side
    if door >= 0 and (on_trail or door_at < LEAVING * size):
        outward = atan2(y - nests.position[door, 1], x - nests.position[door, 0])
        if cos(heading - outward) < INWARD:  # never home with empty jaws
            turn = OUTWARD_TURN if door_at < LEAVING * size or sin(outward - heading) > 0.0 else -OUTWARD_TURN
    return speed, min(max(turn, -FASTEST_TURN), FASTEST_TURN)


@kernel()
def veer(c: int, colonies: ColonyPool, dt: float) -> float:
    """Return the turn of one that goes where chance has it, and update it."""
    colonies.stream[c] = advance(colonies.stream[c])
    noise = uniform(colonies.stream[c], -1.0, 1.0) * colonies.parameters[c, Colony.WANDER] * sqrt(3.0 * dt)
    colonies.veer[c] = min(max(colonies.veer[c] * (1.0 - VEER_RATE * dt) + noise, -FASTEST_TURN), FASTEST_TURN)
    return colonies.veer[c]


@kernel()
def keep_guard(c: int, x: float, y: float, heading: float, size: float, speed: float, door: int, door_at: float,
               nests: NestPool, colonies: ColonyPool, dt: float) -> tuple[float, float]:  # fmt: skip
    """Return speed and yaw rate of a guard: it goes about as chance has it, no farther from the nest than its round."""
    turn, home = veer(c, colonies, dt), atan2(nests.position[door, 1] - y, nests.position[door, 0] - x)
    if door_at > colonies.parameters[c, Colony.GUARD] * size and cos(heading - home) < 0.0:
        turn = GUARD_TURN if sin(home - heading) > 0.0 else -GUARD_TURN
    elif door_at < nests.radius[door] + size and cos(heading - home) > 0.0:  # it leaves the way in free
        turn = -GUARD_TURN if sin(home - heading) > 0.0 else GUARD_TURN
    return speed, min(max(turn, -FASTEST_TURN), FASTEST_TURN)


@kernel()
def go_home(c: int, x: float, y: float, heading: float, size: float, door: int, door_at: float, colonies: ColonyPool,
            nests: NestPool, scene: ForageScene) -> float:  # fmt: skip
    """Return where one with a load wants to go, and note when it is there."""
    p = colonies.parameters[c]
    want = atan2(nests.position[door, 1] - y, nests.position[door, 0] - x)
    side, strength = turn_of_trail(x, y, heading, p[Colony.SMELL] * size, p[Colony.SPREAD], scene)
    if strength > TRAIL_SOFTENING and door_at > LEAVING * size:
        want += HOME_TRAIL * p[Colony.FOLLOW] * side / TURN_GAIN
    if door_at < nests.radius[door] + ARRIVED * size:
        colonies.wants_store[c] = door
    return want


@kernel()
def haul(c: int, x: float, y: float, heading: float, size: float, speed: float, colonies: ColonyPool,
         food: FoodPool) -> tuple[float, float]:  # fmt: skip
    """Return speed and yaw rate of one that pulls at a heavy piece: it faces it and keeps at the length of its jaws."""
    row = colonies.carried[c]
    dx, dy = food.position[row, 0] - x, food.position[row, 1] - y
    gap = hypot(dx, dy) - HAUL_GAP * size
    _, turn = wish_of(atan2(dy, dx), heading, speed)
    return min(max(HAUL_GAIN * gap, -0.6 * speed), speed), turn


@kernel()
def keep_off_walls(c: int, heading: float, size: float, wish_speed: float, wish_turn: float, heads: HeadCommandPool,
                   antennae: AntennaPool, colonies: ColonyPool, dt: float) -> tuple[float, float]:  # fmt: skip
    """Return a wish that leads around what stands in the way, always to the side that was chosen first."""
    free, limit = antennae.free_path[c, 0], WALL_AHEAD * size
    colonies.detour[c] = max(colonies.detour[c] - dt, 0.0)
    if free >= limit:
        if colonies.detour[c] > 0.0 and wish_turn * colonies.side[c] < 0.0:
            wish_turn *= TURN_BACK  # not at once into it again
        return wish_speed, wish_turn
    if colonies.detour[c] == 0.0 or colonies.side[c] == 0:
        way = heads.way[c]
        along = wrapped(atan2(way[1], way[0]) - heading) if hypot(way[0], way[1]) > 0.05 else 0.0
        turned = along if abs(along) > 0.05 else wish_turn
        colonies.side[c] = 1 if turned > 0.0 or (turned == 0.0 and c % 2 == 0) else -1
    colonies.detour[c] = DETOUR_TIME
    near = max(free / limit, 0.0)
    colonies.veer[c] = 0.0
    return wish_speed * max(near, 0.3), colonies.side[c] * FASTEST_TURN * max(1.0 - near, 0.3)


@kernel()
def wish_errand(c: int, x: float, y: float, heading: float, size: float, speed: float, colonies: ColonyPool, nests: NestPool,
                food: FoodPool, scene: ForageScene, dt: float) -> tuple[float, float, bool]:  # fmt: skip
    """Return speed and yaw rate that one wants by its errand, and whether it gives way to others on the way."""
    p, errand = colonies.parameters[c], colonies.errand[c]
    door, door_at = nearest_entrance(c, x, y, colonies, nests, scene)
    if errand == Errand.ALARM.value:
        dx, dy = colonies.alarm_at[c, 0] - x, colonies.alarm_at[c, 1] - y
        if colonies.pause[c] <= 0.0:
            colonies.errand[c] = Errand.HOMEWARD.value if colonies.carried[c] >= 0 else Errand.SEARCH.value
        want = atan2(dy, dx) + (0.0 if hypot(dx, dy) > 2.0 * size else 1.2)
        wish_speed, wish_turn = wish_of(want, heading, 1.5 * speed)
        return wish_speed, wish_turn, True
    if errand == Errand.HOMEWARD.value:
        door, door_at = own_entrance(c, x, y, size, colonies, nests, scene)
        if door < 0:
            return 0.0, 0.0, True
        want = go_home(c, x, y, heading, size, door, door_at, colonies, nests, scene)
        wish_speed, wish_turn = wish_of(want, heading, speed)
        return wish_speed, wish_turn, door_at > ALONE * size
    if p[Colony.GUARD] > 0.0 and door >= 0:
        wish_speed, wish_turn = keep_guard(c, x, y, heading, size, speed, door, door_at, nests, colonies, dt)
        return wish_speed, wish_turn, True
    row, distance = nearest_food(c, x, y, p[Colony.SIGHT] * size, colonies, food, scene)
    if row >= 0 and colonies.nest[c] != NO_NEST and colonies.pause[c] <= 0.0:
        if distance < (ARRIVED + 0.5) * size:
            colonies.wants_food[c] = row
        wish_speed, wish_turn = wish_of(atan2(food.position[row, 1] - y, food.position[row, 0] - x), heading, speed)
        return wish_speed, wish_turn, False
    if colonies.patience[c] <= 0.0:  # nothing found for so long: it begins again from the nest
        colonies.errand[c] = Errand.HOMEWARD.value
    wish_speed, wish_turn = search(c, x, y, heading, size, speed, door, door_at, nests, colonies, scene, dt)
    return wish_speed, wish_turn, True


@kernel()
def forage_one(c: int, speed: float, creatures: CreaturePool, trunks: TrunkPool, heads: HeadCommandPool,
               antennae: AntennaPool, colonies: ColonyPool, nests: NestPool, food: FoodPool, scene: ForageScene,
               dt: float) -> tuple[float, float]:  # fmt: skip
    """Update the errand of one ant; return speed and yaw rate that it wishes."""
    x, y, heading, size = creatures.position[c, 0], creatures.position[c, 1], creatures.heading[c], trunks.size[c]
    colonies.wants_food[c] = colonies.wants_store[c] = colonies.meets[c] = -1
    colonies.rest[c], colonies.pause[c] = max(colonies.rest[c] - dt, 0.0), max(colonies.pause[c] - dt, 0.0)
    if colonies.errand[c] == Errand.SEARCH.value:
        colonies.patience[c] = max(colonies.patience[c] - dt, 0.0)
    if colonies.errand[c] == Errand.GREET.value:
        if colonies.pause[c] > 0.0:
            return 0.0, 0.0
        colonies.errand[c] = colonies.before[c]
    if colonies.errand[c] == Errand.HAUL.value:
        return haul(c, x, y, heading, size, speed, colonies, food)
    wish_speed, wish_turn, gives_way = wish_errand(c, x, y, heading, size, speed, colonies, nests, food, scene, dt)
    turn, share, met = give_way(c, x, y, heading, size, creatures, colonies, scene)
    if gives_way:
        wish_turn = min(max(wish_turn + turn, -FASTEST_TURN), FASTEST_TURN)
        wish_speed *= share
        colonies.meets[c] = met
    return keep_off_walls(c, heading, size, wish_speed, wish_turn, heads, antennae, colonies, dt)


@kernel(parallel=True)
def forage(rows: Array, creatures: CreaturePool, trunks: TrunkPool, heads: HeadCommandPool, antennae: AntennaPool,
           colonies: ColonyPool, nests: NestPool, food: FoodPool, scene: ForageScene, wish: Array,
           dt: float) -> None:  # fmt: skip
    """Update errands and `wish` (rows, 2) of the listed ants. scene: a `ForageScene`."""
    for r in prange(rows.size):
        c = int64(rows[r])
        speed, turn = forage_one(c, scene.own_speed[r], creatures, trunks, heads, antennae, colonies, nests, food, scene, dt)
        wish[r, 0], wish[r, 1] = speed, turn
