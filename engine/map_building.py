"""From a map to the ground and the water of a world."""

from __future__ import annotations

import math

from .errors import ArgumentError, MapError
from .maps import Map, require_shores
from .noise_field import NoiseError
from .rng import Streams
from .terrain import Terrain, TerrainError, build_terrain
from .water import Water, WaterError
from .water.grid import LONGEST_STEP


def ground_of(world_map: Map, seed: int) -> Terrain:
    """The terrain that a map describes, or an error that names the table."""
    try:
        return build_terrain(world_map.terrain, seed, world_map.area.bounds, world_map.mesh_folders)
    except (TerrainError, NoiseError) as problem:
        raise MapError(world_map.file, "terrain", "", world_map.terrain, str(problem)) from problem


def ponds_of(world_map: Map, terrain: Terrain, streams: Streams, tick_rate: int) -> Water:
    """The ponds of a map, filled; land that does not hold them is an error, and so are ticks that water cannot take."""
    if world_map.water and tick_rate * LONGEST_STEP < 1.0:
        slowest = math.ceil(1.0 / LONGEST_STEP)
        raise ArgumentError(f"tick_rate = {tick_rate}: allowed on a map with ponds is {slowest} or more")
    seed = int(streams["rain"].integers(0, 2**63))
    try:
        water = Water(world_map.water, terrain, world_map.physics.gravity, seed)
    except WaterError as problem:
        raise MapError(world_map.file, "water", "", world_map.source.get("water"), str(problem)) from problem
    require_shores(world_map, terrain)
    return water
