"""A family of its own in one file: balls that roll downhill; drawn, hit, pushed, saved, tiered and inspected like any."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paludarium import Phase, Reading
from paludarium.components.body import BodyPool, Physics
from paludarium.components.segments import SegmentPool
from paludarium.engine.families import Family
from paludarium.engine.pool import Pool, column
from paludarium.engine.spec import number
from paludarium.systems.render.creatures.simple_shapes import balls
from paludarium.systems.summary_kernel import clear_pushes, summarise_bodies

DRAG = 0.4  # 1/s; how soon it comes to rest


@dataclass(frozen=True)
class BallSpec:
    radius: float = number(0.8, unit="u", low=0.05, high=20.0, doc="how large it is")
    row_count = staticmethod(lambda _specs: 1)


class BallPool(Pool):
    aligned, radius = True, column(np.float64)


@dataclass(frozen=True)
class Ball:
    pool: BallPool
    rows: tuple

    def readings(self):
        return [Reading("word", "shape", "sky", text=f"ball of {float(self.pool.view(self.rows, 'radius')[0]):.1f} u")]


def place_ball(birth, _spec, rows):
    """Put the one segment of a newborn on the ground, or where the game wants it."""
    world, row, radius = birth.world, birth.rows["creature"].start, birth.species.specs["ball"].radius
    s, body, c, here = world.pool(SegmentPool), world.pool(BodyPool), world.creature_pool, rows.start
    s.position[here], s.orientation[here, 0], s.half_extents[here], s.mass[here] = birth.at, 1.0, radius, radius**3
    s.position[here, 2] += 0.0 if birth.in_air else radius
    c.position[row], c.reach[row], c.length[row] = s.position[here], radius, 2.0 * radius
    body.physics[row], body.linked[row], world.pool(BallPool).radius[row] = Physics.OWN, 0, radius


class RollSystem:
    """Moves the balls of a world, and paints them."""

    def __init__(self, world):
        self.world, self.g = world, np.array([0.0, 0.0, -world.map.physics.gravity])
        self.s, self.body, self.balls = world.pool(SegmentPool), world.pool(BodyPool), world.pool(BallPool)
        world.picture.add_painter("ball", self)

    def process(self, dt):
        rows, s = np.ascontiguousarray(self.balls.spans[:, 0]), self.s
        here, r = self.body.first_segment[rows], self.balls.radius[rows, None]
        n, gap = self.world.terrain.normal(s.position[here]), self.world.terrain.height(s.position[here])[:, None] - r
        v = (s.velocity[here] + dt * (self.g + s.push[here, :3] / s.mass[here, None])) * np.exp(-DRAG * dt)
        v -= n * np.where(gap <= 0.0, np.minimum((v * n).sum(axis=1, keepdims=True), 0.0), 0.0)  # the ground holds it up
        s.velocity[here], s.position[here] = v, s.position[here] + dt * v - n * np.minimum(gap, 0.0)
        w, q = np.cross(n, v) / r, s.orientation[here]  # it rolls without slipping
        q = q + 0.5 * dt * np.column_stack([-(q[:, 1:] * w).sum(axis=1), q[:, :1] * w + np.cross(w, q[:, 1:])])
        s.angular_velocity[here], s.orientation[here] = w, q / np.linalg.norm(q, axis=1, keepdims=True)
        clear_pushes(rows, self.body, s)
        summarise_bodies(rows, self.body, s, self.world.creature_pool)

    def poses(self):
        here = self.body.first_segment[self.balls.spans[:, 0]]
        return {"position": self.s.position[here], "orientation": self.s.orientation[here]}

    def group(self, moving):
        rows, at, turn = self.balls.spans[:, 0], moving["position"], moving["orientation"]
        return balls(at, self.balls.radius[rows], "#C8502A", orientation=turn, spots="#F0E0C0", creature=rows)


def build(world):
    world.add_part("ball", BallSpec, BallPool, Ball, lambda *_birth: None)
    needs, rolls = frozenset({"ball"}), lambda ball: np.linalg.norm(ball.velocity) > 0.1
    world.add_family(Family("ball", needs, needs, lambda world: world.add_system(RollSystem, phase=Phase.MOVE),
                            complete=lambda tables: {**tables, "segments": {"count": 1}, "body": {}}, place=place_ball,
                            obeys=lambda _ball: False, doing=lambda ball: "roll" if rolls(ball) else "lie"))  # fmt: skip
    world.define_species("ball", family="ball", name="ball", ball={"radius_u": 1.0})
