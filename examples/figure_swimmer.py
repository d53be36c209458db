"""A swimmer, the water it moves, the two rows of vortices it leaves, and a clockwise turn. [Fang15 Fig. 5.7, 5.8, 5.9]

``python -m paludarium.examples.figure_swimmer [FILE]``
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from paludarium import Camera, Map, World
from paludarium.engine.creature import Creature
from paludarium.examples.figure_chart import Pixels, mark_path, photograph, save

WIDTH, SCALE = 880, 15.0
LANE_HEIGHT, TURN_HEIGHT = 220, 460
SPEED = 5.0  # u/s
LANE_SECONDS, TURN_SECONDS = 12, 15
ARROW_STEP = 1.25  # units between two arrows
ARROW_LENGTH, LONGEST_ARROW = 1.0, 1.6  # units at 1 u/s, growing with the root of the speed, and at most
SLOWEST = 0.08  # u/s; stiller water gets no arrow
ARROW, DOT, PAPER, BODY = 0xFFF2C8, 0xF4F1E8, 0x10181C, 0xE8E4D8
LEFT_TURNING, RIGHT_TURNING = (0xE0, 0x5A, 0x3C), (0x3C, 0x9C, 0xE0)  # water that turns counter-clockwise, clockwise
STRONGEST = 1.5  # 1/s; vorticity of full colour
LANE_DEPTH, TURN_DEPTH = 1.2, 2.0  # units; in the lane the swimmer nearly fills the water, as in the source


def build_world(depth: float = LANE_DEPTH) -> World:
    """A swimmer in a lane of still water that lets waves out."""
    open_edges = {f"edge_{side}": "absorbing" for side in ("west", "east", "south", "north")}
    water = {"bounds": [-60, -40, 60, 40], "level_u": depth, **open_edges}
    lane = Map.define(name="lane", area={"width_u": 120, "height_u": 80}, water=[water])
    world = World(seed=1, map=lane, precision="float32")
    world.spawn("swimmer", at=(-24.0, 0.0)).control(SPEED, 0.0)
    return world


def check(world: World) -> None:
    """It swims at about the ordered speed."""
    creature = next(iter(world.creatures.values()))
    assert 0.8 * SPEED < creature.segments.velocity[:, 0].mean() < 1.2 * SPEED


def draw_line(pixels: Pixels, start: NDArray[np.float64], end: NDArray[np.float64], color: int) -> None:
    """A thin line between two places of the screen."""
    for t in np.linspace(0.0, 1.0, int(np.abs(end - start).max()) + 2):
        x, y = (start + t * (end - start)).astype(int)
        if 0 <= x < pixels.shape[1] and 0 <= y < pixels.shape[0]:
            pixels[y, x] = color


def draw_flow(pixels: Pixels, world: World, camera: Camera, center: tuple[float, float]) -> None:
    """Arrows of the water's velocity: a dot where they begin, a line that is longer where the water is faster."""
    height, width = pixels.shape
    half = np.array([width, height]) / (2 * SCALE)
    x, y = (np.arange(center[axis] - half[axis], center[axis] + half[axis], ARROW_STEP) for axis in (0, 1))
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    velocity = world.water.velocity(points)
    speed = np.hypot(*velocity.T)
    moving = speed > SLOWEST
    length = np.minimum(ARROW_LENGTH * np.sqrt(speed[moving]), LONGEST_ARROW)
    along = velocity[moving] * (length / speed[moving])[:, None]
    starts, ends = camera.to_screen(points[moving]), camera.to_screen(points[moving] + along)
    for start, end in zip(starts, ends, strict=True):
        draw_line(pixels, start, end, ARROW)
    mark_path(pixels, points[moving], center, SCALE, ARROW)


def vorticity_picture(world: World, creature: Creature, center: tuple[float, float], height: int) -> Pixels:
    """The vertical vorticity of the water around a point, and the body as a line."""
    grid = world.water.grids[0]
    u, v = grid.velocity
    curl = (v[1:-1, 1:] - v[1:-1, :-1] - u[1:, 1:-1] + u[:-1, 1:-1]) / grid.cell  # at the inner corners of the cells
    camera = Camera((WIDTH, height), center=center, pixels_per_unit=SCALE)
    columns = ((center[0] + (np.arange(WIDTH) + 0.5 - WIDTH / 2) / SCALE - grid.origin[0]) / grid.cell - 0.5).astype(int)
    rows = ((center[1] - (np.arange(height) + 0.5 - height / 2) / SCALE - grid.origin[1]) / grid.cell - 0.5).astype(int)
    values = curl[np.ix_(np.clip(rows, 0, curl.shape[0] - 1), np.clip(columns, 0, curl.shape[1] - 1))]
    strength = np.clip(np.abs(values) / STRONGEST, 0.0, 1.0)[..., None]
    paper = np.array([PAPER >> 16, PAPER >> 8 & 255, PAPER & 255])
    full = np.where((values > 0.0)[..., None], LEFT_TURNING, RIGHT_TURNING)
    color = (paper + strength * (full - paper)).astype(np.uint32)
    pixels: Pixels = (color[..., 0] << 16) | (color[..., 1] << 8) | color[..., 2]
    places = camera.to_screen(creature.segments.position[:, :2])
    for start, end in zip(places[:-1], places[1:], strict=True):
        draw_line(pixels, start, end, BODY)
    return pixels


def swim_straight() -> list[Pixels]:
    """The swimmer with the velocity field around it, and below it the vorticity of its wake."""
    world = build_world()
    creature = next(iter(world.creatures.values()))
    world.step(60 * LANE_SECONDS)
    check(world)
    center = (float(creature.segments.position[:, 0].mean()) - 14.0, 0.0)
    view = photograph(world, center, (WIDTH, LANE_HEIGHT), SCALE)
    wake = vorticity_picture(world, creature, center, LANE_HEIGHT)
    for pixels in (view, wake):
        draw_flow(pixels, world, Camera((WIDTH, LANE_HEIGHT), center=center, pixels_per_unit=SCALE), center)
    return [view, wake]


def swim_clockwise() -> Pixels:
    """The body is bent to the right: it turns clockwise, seen from above. The dots are the way of the head."""
    world = build_world(TURN_DEPTH)
    creature = next(iter(world.creatures.values()))
    creature.control(SPEED, -0.5)
    path, turned, before = [], 0.0, creature.heading
    for tick in range(60 * TURN_SECONDS):
        world.step()
        turned += (creature.heading - before + np.pi) % (2.0 * np.pi) - np.pi
        before = creature.heading
        if tick % 10 == 0:
            path.append(creature.segments.position[0].copy())
    assert turned < -np.pi / 2
    middle = (np.min(path, axis=0) + np.max(path, axis=0)) / 2
    center = (float(middle[0]), float(middle[1]))
    view = photograph(world, center, (WIDTH, TURN_HEIGHT), SCALE)
    mark_path(view, np.array(path), center, SCALE, DOT)
    return view


def main(file: str | None = None) -> None:
    print(save("swimmer.png", *swim_straight(), swim_clockwise(), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
