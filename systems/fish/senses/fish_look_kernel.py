"""A look of a fish: whom it sees of its kind, what it fears, what it could eat, and how the water is. [Tu99 6.3-6.6]"""

from __future__ import annotations

from math import acos, cos, hypot, isnan, pi
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....components.fish.eyes import MATES, NEIGHBOURS, NOBODY, THREATS, UNSEEN, Alarm, Eye
from ....components.fish.intentions import Habit, Intention, Temper
from ....components.fish.mind import Mind
from ....components.fish.topology import CORNERS, NODES, RINGS
from ....engine.kernel import kernel
from ....engine.kernel_types import int64, uint64
from ....engine.sea.climate_kernel import brightness_at, temperature_at
from ....engine.spatial_hash import next_item, open_query
from ....engine.water.sample_kernel import sample_water
from .fish_lists_kernel import can_eat, has_list_turn, insert_row, list_nearby
from .fish_view_kernel import HERE, distance_between, hides, in_view, seen_from, sees_nodes
from .food_reach_kernel import CLEARLY, is_in_reach
from .weed_view_kernel import light_through_weed

if TYPE_CHECKING:
    from ....components.diet import DietPool
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.nodes import NodePool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector
    from ....engine.props import FoodPool
    from ....engine.sea.sea_layout import SeaArrays
    from ....engine.spatial_hash import SpatialHash
    from ....engine.water.pond_layout import WaterArrays
    from ...spatial_index.index import Around
    from .sight import Scene

BED_COUNTS = 4.0  # lengths; nearer things are not asked whether the bed hides them
COMPANY_RANGE = 3.0  # lengths; who has company within is hard to single out
ENOUGH_COMPANY = 3.0  # that make a school
SNIFF_TICKS = 16  # between two searches for food that is far away
NEAR_FOOD = 4.0  # lengths; a first circle in which food is looked for
SCHOOLED, BEHIND = 0.5, 0.2  # what company and a turn add to the cost of prey [Tu99 7.9.1]
SUSPECTS = THREATS + 2  # that are looked for: of the nearest, some may be hidden
HOSTILE = 1  # value of the table of relations
FOODS = 3
CROWD_RANGE = 3.0  # lengths; of both together: others farther away cannot be in the box


@kernel(refcount=False)
def is_fish(row: int, fishes: FishBodyPool) -> bool:
    """Return whether a creature is a fish."""
    return fishes.owner[row] != NOBODY


@kernel(refcount=False)
def place_of(row: int, creatures: CreaturePool, fishes: FishBodyPool) -> Vector:
    """Return where a creature's middle is: of a fish its centre, of others what they call their place."""
    if is_fish(row, fishes):
        return fishes.centre[row, 0], fishes.centre[row, 1], fishes.centre[row, 2]
    return creatures.position[row, 0], creatures.position[row, 1], creatures.position[row, 2]


@kernel(refcount=False)
def sees_creature(c: int, row: int, o: Vector, axis: Vector, reach: float, narrowest: float, creatures: CreaturePool,
                  fishes: FishBodyPool, nodes: NodePool, eyes: EyePool, around: Around, water: WaterArrays,
                  scene: Scene) -> bool:  # fmt: skip
    """Return whether a fish sees another creature: the larger it is, the farther. [Tu99 6.3.1, 6.4.2]"""
    length = fishes.length[c]
    p = place_of(row, creatures, fishes)
    factor = seen_from(eyes.parameters[row, Eye.VISIBILITY], creatures.length[row], length)
    if not in_view(o, axis, p, factor * reach, narrowest):
        return False
    if distance_between(o, p) > factor * reach * light_through_weed(o, p, scene):
        return False
    far = BED_COUNTS * length
    if is_fish(row, fishes):
        return sees_nodes(o, p, fishes.first_node[row], nodes, far, around, water)
    return not hides(o, p, far, around, water)


@kernel(refcount=False)
def prey_cost(distance: float, schooled: float, angle: float) -> float:
    """Return what it costs to get a prey: far away, in company or behind the hunter it is safer. [Tu99 7.9.1]"""
    return distance * (1.0 + SCHOOLED * schooled + BEHIND * angle / pi)


@kernel(refcount=False)
def turning_angle(o: Vector, axis: Vector, p: Vector) -> float:
    """Return the angle by which one has to turn to face a point, 0 to pi."""
    d = distance_between(o, p)
    if d < HERE:
        return 0.0
    cosine = ((p[0] - o[0]) * axis[0] + (p[1] - o[1]) * axis[1] + (p[2] - o[2]) * axis[2]) / d
    return acos(min(max(cosine, -1.0), 1.0))


@kernel(refcount=False)
def cost_of(row: int, o: Vector, axis: Vector, fishes: FishBodyPool, creatures: CreaturePool, minds: MindPool) -> float:
    """Return the cost of one prey for the mouth at o."""
    p = place_of(row, creatures, fishes)
    schooled = 1.0 if minds.seen_mode[row] == Intention.SCHOOL.value else min(minds.seen_company[row] / ENOUGH_COMPANY, 1.0)
    return prey_cost(distance_between(o, p), schooled, turning_angle(o, axis, p))


@kernel(refcount=False)
def share_in_box(c: int, row: int, scale: float, fishes: FishBodyPool, nodes: NodePool, eyes: EyePool) -> float:
    """Return which share of another fish's centre line is in the box around one fish. [Tu99 6.6.1]"""
    if not is_fish(row, fishes):
        return 0.0
    own, axes, centre, length = eyes.parameters[c], fishes.axes[c], fishes.centre[c], scale * fishes.length[c]
    first, position, inside = fishes.first_node[row], nodes.position, 0
    for station in range(RINGS + 2):
        start, count = (0, 1) if station == 0 else (1 + CORNERS * (station - 1), CORNERS)
        if station == RINGS + 1:
            count = NODES - start
        x, y, z = 0.0, 0.0, 0.0
        for k in range(start, start + count):
            x, y, z = x + position[first + k, 0], y + position[first + k, 1], z + position[first + k, 2]
        x, y, z = x / count - centre[0], y / count - centre[1], z / count - centre[2]
        ahead = x * axes[0, 0] + y * axes[0, 1] + z * axes[0, 2]
        left = x * axes[1, 0] + y * axes[1, 1] + z * axes[1, 2]
        up = x * axes[2, 0] + y * axes[2, 1] + z * axes[2, 2]
        along = -own[Eye.BOX_BACK] * length <= ahead <= own[Eye.BOX_FRONT] * length
        if along and abs(left) <= own[Eye.BOX_SIDE] * length and abs(up) <= own[Eye.BOX_HEIGHT] * length:
            inside += 1
    return inside / (RINGS + 2)


@kernel(refcount=False)
def note_crowd(c: int, row: int, d: float, scale: float, fishes: FishBodyPool, nodes: NodePool, creatures: CreaturePool,
               eyes: EyePool) -> None:  # fmt: skip
    """Update who is deepest in the box around one fish."""
    if d > CROWD_RANGE * 0.5 * (fishes.length[c] + creatures.length[row]):
        return
    share = share_in_box(c, row, scale, fishes, nodes, eyes)
    if share > eyes.crowd_share[c]:
        eyes.crowd[c], eyes.crowd_share[c] = row, share


@kernel()
def see_kin(c: int, o: Vector, axis: Vector, reach: float, narrowest: float, creatures: CreaturePool, fishes: FishBodyPool,
            nodes: NodePool, eyes: EyePool, minds: MindPool, around: Around, water: WaterArrays,
            scene: Scene) -> None:  # fmt: skip
    """Update neighbours, mates, company and crowding from those of its kind that one fish sees."""
    near, wooed = np.empty(NEIGHBOURS), np.empty(MATES)
    neighbours, mates, count, mate_count, company = eyes.neighbours[c], eyes.mates[c], 0, 0, 0
    courts = minds.parameters[c, Mind.KIND] == Temper.PACIFIST.value
    scale = eyes.parameters[c, Eye.BOX_FORMATION] if minds.mode[c] == Intention.SCHOOL.value else 1.0
    for k in range(eyes.kin.shape[1]):
        row = int64(eyes.kin[c, k])
        if row == NOBODY:
            break
        if fishes.owner[row] == NOBODY or creatures.dead[row] != 0:
            continue
        d = distance_between(o, place_of(row, creatures, fishes))
        if d < COMPANY_RANGE * fishes.length[c]:
            company += 1
        woos = courts and (minds.habits[row] ^ minds.habits[c]) & Habit.FEMALE.value != 0
        woos = woos and (mate_count < MATES or d < wooed[MATES - 1])
        if count == NEIGHBOURS and d > near[NEIGHBOURS - 1] and not woos:
            continue  # there are nearer ones
        if not sees_creature(c, row, o, axis, reach, narrowest, creatures, fishes, nodes, eyes, around, water, scene):
            continue
        count = insert_row(neighbours, near, count, row, d)
        if woos:
            mate_count = insert_row(mates, wooed, mate_count, row, d)
        note_crowd(c, row, d, scale, fishes, nodes, creatures, eyes)
    neighbours[count:] = NOBODY
    mates[mate_count:] = NOBODY
    eyes.company[c] = company


@kernel(refcount=False)
def see_others(c: int, o: Vector, axis: Vector, reach: float, narrowest: float, creatures: CreaturePool,
               fishes: FishBodyPool, nodes: NodePool, eyes: EyePool, minds: MindPool, diets: DietPool, around: Around,
               water: WaterArrays, scene: Scene) -> None:  # fmt: skip
    """Update the cheapest prey and crowding from the others that one fish sees."""
    eyes.prey[c], eyes.prey_cost[c] = NOBODY, UNSEEN
    for k in range(eyes.others.shape[1]):
        row = int64(eyes.others[c, k])
        if row == NOBODY:
            break
        if creatures.owner[row] == NOBODY or creatures.dead[row] != 0:
            continue
        if not sees_creature(c, row, o, axis, reach, narrowest, creatures, fishes, nodes, eyes, around, water, scene):
            continue
        note_crowd(c, row, distance_between(o, place_of(row, creatures, fishes)), 1.0, fishes, nodes,
                   creatures, eyes)  # fmt: skip
        if can_eat(c, row, creatures, diets, scene.food_web):
            cost = cost_of(row, o, axis, fishes, creatures, minds)
            if cost < eyes.prey_cost[c]:
                eyes.prey[c], eyes.prey_cost[c] = row, cost


@kernel(refcount=False)
def frightens(row: int, c: int, creatures: CreaturePool, diets: DietPool, scene: Scene) -> bool:
    """Return whether one creature is a danger to another: it eats it, or their factions are at war."""
    if can_eat(row, c, creatures, diets, scene.food_web):
        return True
    mine, theirs = creatures.faction[c], creatures.faction[row]
    return theirs < scene.relation.shape[0] and mine < scene.relation.shape[0] and scene.relation[mine, theirs] == HOSTILE


@kernel(refcount=False)
def nearest_hunters(c: int, o: Vector, axis: Vector, reach: float, narrowest: float, creatures: CreaturePool,
                    fishes: FishBodyPool, eyes: EyePool, diets: DietPool, scene: Scene, rows: Array,
                    distances: Array) -> int:  # fmt: skip
    """Update the nearest of those that frighten one fish and are in its view volume; return how many they are."""
    count = 0
    cells, cursor = open_query(scene.hunter_hash, o[0], o[1], o[0], o[1])
    while True:
        item, cursor = next_item(scene.hunter_hash, cells, cursor)
        if item < 0:
            return count
        row = int64(scene.hunters[item])
        factor = seen_from(eyes.parameters[row, Eye.VISIBILITY], creatures.length[row], fishes.length[c])
        if row == c or not in_view(o, axis, place_of(row, creatures, fishes), factor * reach, narrowest):
            continue
        if frightens(row, c, creatures, diets, scene):
            head = creatures.position[row]
            count = insert_row(rows, distances, count, row, distance_between(o, (head[0], head[1], head[2])))


@kernel()
def see_threats(c: int, o: Vector, axis: Vector, reach: float, narrowest: float, creatures: CreaturePool,
                fishes: FishBodyPool, nodes: NodePool, eyes: EyePool, diets: DietPool, around: Around, water: WaterArrays,
                scene: Scene) -> None:  # fmt: skip
    """Update the threats that one fish sees, nearest first; those it may see say so by the squares around them."""
    rows, far = np.empty(SUSPECTS, np.int32), np.empty(SUSPECTS)
    threats, distances, count = eyes.threats[c], eyes.threat_distance[c], 0
    found = nearest_hunters(c, o, axis, reach, narrowest, creatures, fishes, eyes, diets, scene, rows, far)
    for k in range(found):
        row = int64(rows[k])
        if sees_creature(c, row, o, axis, reach, narrowest, creatures, fishes, nodes, eyes, around, water, scene):
            threats[count], distances[count] = row, far[k]
            count += 1
            if count == THREATS:
                return
    threats[count:] = NOBODY
    distances[count:] = UNSEEN


@kernel(refcount=False)
def feel_alarms(c: int, o: Vector, eyes: EyePool, alarms: Array) -> None:
    """Update the worst threat that the game has put into the world, as felt by one fish."""
    worst = 0.0
    for k in range(alarms.shape[0]):
        d = distance_between(o, (alarms[k, 0], alarms[k, 1], alarms[k, 2]))
        flat = hypot(alarms[k, 0] - o[0], alarms[k, 1] - o[1])  # they are told by a place of the map
        level = alarms[k, Alarm.STRENGTH] * (1.0 - min(flat, d) / alarms[k, Alarm.RADIUS])
        if level > worst:
            worst = level
            eyes.alarm[c, 0], eyes.alarm[c, 1], eyes.alarm[c, 2] = alarms[k, 0], alarms[k, 1], alarms[k, 2]
    eyes.alarm[c, Alarm.STRENGTH] = min(worst, 1.0)


@kernel(refcount=False)
def gather_food(c: int, o: Vector, reach: float, count: int, fishes: FishBodyPool, eyes: EyePool, diets: DietPool,
                food: FoodPool, claims: Array, water: WaterArrays, food_rows: Array,
                hashed: SpatialHash) -> int:  # fmt: skip
    """Update the nearest food with that of one hash; return how much is known now."""
    rows, distances = eyes.food[c], eyes.food_distance[c]
    cells, cursor = open_query(hashed, o[0] - reach, o[1] - reach, o[0] + reach, o[1] + reach)
    while True:
        item, cursor = next_item(hashed, cells, cursor)
        if item < 0:
            return count
        k = food_rows[item]
        if food.amount[k] <= 0.0 or (diets.foods[c] >> uint64(food.kind[k])) & uint64(1) == 0:
            continue
        place = food.position[k]
        d = distance_between(o, (place[0], place[1], place[2]))
        if d > reach or (count == FOODS and d > distances[FOODS - 1]) or claims[k] < CLEARLY * d:
            continue
        if is_in_reach(c, (place[0], place[1], place[2]), fishes, diets, water):
            count = insert_row(rows, distances, count, k, d)


@kernel(refcount=False)
def find_food(c: int, o: Vector, reach: float, fishes: FishBodyPool, eyes: EyePool, diets: DietPool, food: FoodPool,
              around: Around, water: WaterArrays, scene: Scene) -> int:  # fmt: skip
    """Update the nearest food that one fish sees or smells within reach, any way it looks; return how much was found."""
    claims = scene.claims
    count = gather_food(c, o, reach, 0, fishes, eyes, diets, food, claims, water, around.food_rows, around.food_hash)
    count = gather_food(c, o, reach, count, fishes, eyes, diets, food, claims, water, scene.adrift, scene.adrift_hash)
    eyes.food[c, count:] = NOBODY
    eyes.food_distance[c, count:] = UNSEEN
    return count


@kernel(refcount=False)
def find_bait(c: int, o: Vector, reach: float, eyes: EyePool, baits: Array) -> None:
    """Update the nearest bait within reach of one fish."""
    eyes.bait[c], eyes.bait_distance[c] = NOBODY, UNSEEN
    for k in range(baits.shape[0]):
        d = distance_between(o, (baits[k, 0], baits[k, 1], baits[k, 2]))
        if d <= reach and d < eyes.bait_distance[c]:
            eyes.bait[c], eyes.bait_distance[c] = k, d


@kernel(refcount=False)
def has_far_food(c: int, o: Vector, eyes: EyePool, food: FoodPool, near: float, reach: float) -> bool:
    """Update the distances of the food that one fish knows of; return whether the nearest is far, but not out of range."""
    for k in range(FOODS):
        row = eyes.food[c, k]
        if row == NOBODY:
            break
        if not 0 <= row < food.owner.shape[0] or food.owner[row] == NOBODY or food.amount[row] <= 0.0:
            return False
        place = food.position[row]
        eyes.food_distance[c, k] = distance_between(o, (place[0], place[1], place[2]))
    return near < eyes.food_distance[c, 0] <= reach or eyes.food[c, 0] == NOBODY


@kernel(refcount=False)
def smell_food(c: int, o: Vector, fishes: FishBodyPool, eyes: EyePool, minds: MindPool, diets: DietPool, food: FoodPool,
               around: Around, water: WaterArrays, length: float, scene: Scene) -> None:  # fmt: skip
    """Update what food one fish knows of: all that is in range if it is hungry, else only what is before its mouth."""
    eats = diets.owner[c] != NOBODY and diets.foods[c] != 0
    own = minds.parameters[c]
    bites = diets.owner[c] != NOBODY and minds.sated[c] == 0
    find_bait(c, o, eyes.parameters[c, Eye.RANGE] * length if bites else 0.0, eyes, scene.baits)
    if not eats or minds.sated[c] != 0 or around.food_rows.shape[0] + scene.adrift.shape[0] == 0:
        eyes.food[c, :] = NOBODY
        eyes.food_distance[c, :] = UNSEEN
        return
    reach = eyes.parameters[c, Eye.FOOD_RANGE] * length
    if minds.urges[c, 0] < own[Mind.EAT_RELEASE]:
        find_food(c, o, min(reach, own[Mind.FOOD_FAR] * length), fishes, eyes, diets, food, around, water, scene)
        return
    if has_far_food(c, o, eyes, food, NEAR_FOOD * length, reach) and (scene.tick - c) % SNIFF_TICKS != 0:
        return
    near = min(reach, NEAR_FOOD * length)
    if find_food(c, o, near, fishes, eyes, diets, food, around, water, scene) == 0 and near < reach:
        find_food(c, o, reach, fishes, eyes, diets, food, around, water, scene)


@kernel(refcount=False)
def feel_water(c: int, o: Vector, eyes: EyePool, sea: SeaArrays) -> None:
    """Update what one fish knows of the water it is in; out of it it remembers."""
    surface, depth, _, _ = sample_water(sea.water, o[0], o[1])
    if not isnan(surface):
        eyes.surface[c], eyes.bed[c] = surface, surface - depth
    eyes.brightness[c] = brightness_at(sea, o[0], o[1], o[2])
    eyes.temperature[c] = temperature_at(sea, o[0], o[1], o[2])


@kernel()
def look_of_fish(c: int, creatures: CreaturePool, fishes: FishBodyPool, nodes: NodePool, eyes: EyePool, minds: MindPool,
                 diets: DietPool, food: FoodPool, around: Around, sea: SeaArrays, scene: Scene) -> None:  # fmt: skip
    """Update all that one fish perceives."""
    length, own, water = fishes.length[c], eyes.parameters[c], sea.water
    if has_list_turn(c, scene.tick):
        list_nearby(c, length, minds.habits[c] & Habit.SCHOOLING.value != 0, creatures, eyes, diets, scene)
    o = (fishes.mouth[c, 0], fishes.mouth[c, 1], fishes.mouth[c, 2])
    axis = (fishes.axes[c, 0, 0], fishes.axes[c, 0, 1], fishes.axes[c, 0, 2])
    reach, narrowest = own[Eye.RANGE] * length * scene.clarity, cos(0.5 * own[Eye.FIELD])
    eyes.crowd[c], eyes.crowd_share[c] = NOBODY, 0.0
    see_kin(c, o, axis, reach, narrowest, creatures, fishes, nodes, eyes, minds, around, water, scene)
    see_others(c, o, axis, reach, narrowest, creatures, fishes, nodes, eyes, minds, diets, around, water, scene)
    see_threats(c, o, axis, reach, narrowest, creatures, fishes, nodes, eyes, diets, around, water, scene)
    feel_alarms(c, o, eyes, scene.alarms)
    smell_food(c, o, fishes, eyes, minds, diets, food, around, water, length, scene)
    feel_water(c, o, eyes, sea)


@kernel(parallel=True)
def look_of_fishes(rows: Array, creatures: CreaturePool, fishes: FishBodyPool, nodes: NodePool, eyes: EyePool,
                   minds: MindPool, diets: DietPool, food: FoodPool, around: Around, sea: SeaArrays,
                   scene: Scene) -> None:  # fmt: skip
    """Update all that the listed fishes perceive."""
    for r in prange(rows.size):
        look_of_fish(int64(rows[r]), creatures, fishes, nodes, eyes, minds, diets, food, around, sea, scene)
