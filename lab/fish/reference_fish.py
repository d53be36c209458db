"""The fish as published, in the units of the source: for checks only. [Tu99 4] [artificial-fishes A, B]

A body 20 long that steps by 0.055; its motor controllers are those of the text, with triangle waves.

Example::

    fish = published_fish()
    for _ in range(1000):
        fish.swim(Stroke())
    fish.centre - start      # how far it swam
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...components.fish.topology import (
    CORNERS,
    CROSS,
    FACES,
    MUSCLE,
    MUSCLE_COUNT,
    NODES,
    PLAIN,
    SPRING_CLASS,
    SPRINGS,
    ring,
)
from ...engine.bundle import packed
from ...engine.pool import Array
from .reference_kernel import LINEARISED, add_water, published_step

LENGTH = 20.0
STEP = 0.055  # [Tu99 4.5.2]
RINGS = ((4.0, 1.2, 1.8), (8.0, 1.6, 2.6), (11.6, 1.4, 2.2), (14.8, 0.9, 1.3), (17.4, 0.24, 1.0))
"""Distance from the nose, half width and half height: not printed, a reconstruction. [artificial-fishes A.2]"""
TAIL_HALF_HEIGHT = 2.0
MASSES = (1.1, 6.6, 11.0, 6.6, 1.1, 1.1, 0.165)
"""Of the nose, the nodes of each ring and the tips. [Tu99 Tab. 4.1]"""
STIFFNESS = {CROSS: 38.0, MUSCLE: 28.0, PLAIN: 30.0}  # [Tu99 Tab. 4.2]
DAMPING = 0.1
SHORTEST = 0.6  # length of a fully contracted muscle, as a share of its own [artificial-fishes B.1]
FASTEST = 0.075  # share of the contraction per step [Tu99 4.6.1]
RELEASE = 0.01  # of a turn, per step [artificial-fishes B.3]
FIN_SHARES = {"equal": (1 / 3, 1 / 3, 1 / 3), "forward": (2 / 3, 1 / 3, 0.0)}
"""Of a fin's force on the rings: as printed, and weighted to the front. [artificial-fishes B.5]"""


class PublishedBody(NamedTuple):
    """Constants of the body, for the solver."""

    springs: Array
    stiffness: Array
    damping: Array
    mass: Array
    faces: Array  # (n, 4); triangles have a doubled corner
    weights: Array  # (n, 4) what part of a face's force each corner takes
    maxa: Array
    heights: Array
    wide_maxa: Array
    wide_heights: Array


@dataclass(frozen=True)
class Stroke:
    """Amplitudes r (0 contracts fully, 1 not at all) and rates s of the two swimming segments. [Tu99 4.6.1]"""

    r1: float = 0.01
    s1: float = FASTEST
    r2: float = 0.01
    s2: float = FASTEST
    lag: float = 0.5
    """Of the hind segment, in cycles: half a cycle as printed."""


@dataclass
class PublishedFish:
    """One fish: where its nodes are, and what its muscles do."""

    x: Array
    body: PublishedBody
    rest_length: Array
    mode: int = LINEARISED
    dt: float = STEP
    water: float = 1.0
    shortest: float = SHORTEST
    stream: Array = field(default_factory=lambda: np.zeros(3))
    v: Array = field(init=False)
    state: Array = field(init=False)
    """(12,) of the muscles, 1 at ease and 0 fully contracted."""
    phase: float = 0.0
    fins: tuple[float, float] = (np.pi / 2, np.pi / 2)
    fin_area: float = 10.0
    fin_split: str = "forward"

    def __post_init__(self) -> None:
        self.v, self.state = np.zeros_like(self.x), np.ones(MUSCLE_COUNT)
        self._sides, self._wide = np.zeros((NODES, 3)), np.zeros((3 * NODES, 1))
        self._store = np.zeros(int(self.body.wide_maxa[-1] + self.body.wide_heights[-1] + 1))
        self._packed, self._lengths = packed(self.body), self.rest_length.copy()

    @property
    def centre(self) -> Array:
        """Of mass."""
        return np.asarray(self.body.mass @ self.x / self.body.mass.sum())

    @property
    def velocity(self) -> Array:
        """Of the centre of mass."""
        return np.asarray(self.body.mass @ self.v / self.body.mass.sum())

    @property
    def forward(self) -> Array:
        """Along the front half of the body."""
        line = self.x[ring(0)].mean(axis=0) - self.x[ring(2)].mean(axis=0)
        return np.asarray(line / np.linalg.norm(line))

    @property
    def up(self) -> Array:
        """From belly to back, square to `forward`."""
        line = sum(self.x[ring(k)[0]] + self.x[ring(k)[3]] - self.x[ring(k)[1]] - self.x[ring(k)[2]] for k in range(3))
        line = line - (line @ self.forward) * self.forward
        return np.asarray(line / np.linalg.norm(line))

    def step(self) -> None:
        """Move on by one step with the muscles as they are."""
        share = self.shortest + self.state * (1.0 - self.shortest)  # [artificial-fishes B.1]
        self._lengths[:MUSCLE_COUNT] = self.rest_length[:MUSCLE_COUNT] * share
        force = self._fin_forces()
        add_water(self.x, self.v, self._packed, self.water, self.stream, force)
        published_step(self.x, self.v, self._lengths, force, self._packed, self.mode, self.dt, self._store, self._sides,
                       self._wide)  # fmt: skip

    def swim(self, stroke: Stroke) -> None:
        """One step of swim-MC: left and right in opposite phase, the hind segment behind by its lag. [Tu99 4.6.1]"""
        self.phase += stroke.s1 / (2.0 * (1.0 - stroke.r1))
        waves = (0.0, 0.5, -stroke.lag, 0.5 - stroke.lag)
        goal = [1.0 - (1.0 - r) * triangle(self.phase + wave) for r, wave in
                zip((stroke.r1, stroke.r1, stroke.r2, stroke.r2), waves, strict=True)]  # fmt: skip
        for pair, (value, rate) in enumerate(zip(goal, (1.0, 1.0, stroke.s2, stroke.s2), strict=True)):
            here = slice(CORNERS + 2 * pair, CORNERS + 2 * pair + 2)
            self.state[here] += np.clip(value - self.state[here], -rate, rate)
        self.state[:CORNERS] = 1.0
        self.step()

    def turn(self, side: int, r0: float, s0: float, r1: float, s1: float, release: float = RELEASE) -> None:
        """left- or right-turn-MC (side 1 or -1): bend two front segments fast, then let go slowly. [Tu99 4.6.1]"""
        depth, rate = np.repeat([r0, r1, 1.0], 2), np.repeat([s0, s1, 0.0], 2)
        own = np.arange(MUSCLE_COUNT).reshape(-1, 2)[0 if side > 0 else 1 :: 2].ravel()
        while (self.state[own] > depth).any():
            self.state[own] = np.maximum(self.state[own] - rate, depth)
            self.step()
        while (self.state[own] < 1.0).any():
            self.state[own] = np.minimum(self.state[own] + release, 1.0)
            self.step()

    def glide(self, steps: int) -> None:
        """glide-MC: all muscles return to their lengths at ease within so many steps. [Tu99 4.6.1]"""
        rate = (1.0 - self.state) / steps
        for _ in range(steps):
            self.state = np.minimum(self.state + rate, 1.0)
            self.step()
        self.state[:] = 1.0

    def _fin_forces(self) -> Array:
        """F = -A |v| (n.v) n of each fin, on the nodes of its side. [Tu99 eq. 4.16]"""
        force, v = np.zeros((NODES, 3)), self.velocity - self.stream
        if self.fins == (np.pi / 2, np.pi / 2):
            return force
        for side, gamma in enumerate(self.fins):
            n = np.cos(gamma) * self.forward + np.sin(gamma) * self.up
            total = -self.fin_area * np.linalg.norm(v) * (np.cos(gamma) * np.linalg.norm(v)) * n
            for number, share in enumerate(FIN_SHARES[self.fin_split]):
                force[ring(number)[2 * side : 2 * side + 2]] += 0.5 * share * total
        return force


def triangle(phase: float) -> float:
    """0 at whole cycles, 1 half way between them."""
    return 1.0 - abs(2.0 * (phase % 1.0) - 1.0)


def published_fish(*, faces: str = "triangles", mode: int = LINEARISED, dt: float = STEP, shortest: float = SHORTEST,
                   water: float = 1.0) -> PublishedFish:
    """A fish at rest at the origin, looking along x. faces: the 42 triangles of the source, or 24 quads."""
    x = np.zeros((NODES, 3))
    for number, (back, y, z) in enumerate(RINGS):
        x[ring(number)] = [(-back, y, z), (-back, y, -z), (-back, -y, -z), (-back, -y, z)]
    x[-2:] = [(-LENGTH, 0.0, TAIL_HALF_HEIGHT), (-LENGTH, 0.0, -TAIL_HALF_HEIGHT)]
    corners, weights = triangles() if faces == "triangles" else (FACES.astype(np.int64), np.full((len(FACES), 4), 0.25))
    mass = np.array([MASSES[0], *np.repeat(MASSES[1:-1], CORNERS), MASSES[-1], MASSES[-1]])
    stiffness = np.array([STIFFNESS[int(kind)] for kind in SPRING_CLASS])
    heights = profile(np.array([(int(a), int(b)) for a, b in SPRINGS]), NODES)
    pairs = [(3 * int(a) + p, 3 * int(b) + q) for a, b in SPRINGS for p in range(3) for q in range(3)]
    wide = profile(np.array(pairs + [(3 * i, 3 * i + 2) for i in range(NODES)] + [(3 * i, 3 * i + 1) for i in range(NODES)]),
                   3 * NODES)  # fmt: skip
    units = np.sort(SPRINGS.astype(np.int64), axis=1)
    body = PublishedBody(units, stiffness, np.full(len(SPRINGS), DAMPING), mass, corners, weights,
                         diagonal_places(heights), heights, diagonal_places(wide), wide)  # fmt: skip
    lengths = np.linalg.norm(x[SPRINGS[:, 1]] - x[SPRINGS[:, 0]], axis=1)
    return PublishedFish(x, body, lengths, mode, dt, water, shortest)


def triangles() -> tuple[Array, Array]:
    """(42, 4) corners of the triangles of the source, the last doubled, and what part of a force each takes."""
    corners = []
    for a, b, c, d in FACES.tolist():
        whole = [a, *(node for node, before in zip((b, c, d), (a, b, c), strict=True) if node != before)]
        whole = whole[:-1] if whole[-1] == whole[0] else whole
        corners += [(whole[0], whole[k], whole[k + 1], whole[k + 1]) for k in range(1, len(whole) - 1)]
    return np.array(corners), np.tile([1 / 3, 1 / 3, 1 / 3, 0.0], (len(corners), 1))


def profile(pairs: Array, count: int) -> Array:
    """Heights of the columns of a symmetric matrix over its diagonal: up to the first row that is not zero. [Tu99 4.5.1]"""
    heights = np.zeros(count, np.int64)
    for i, j in pairs:
        low, high = min(i, j), max(i, j)
        heights[high] = max(heights[high], high - low)
    return heights


def diagonal_places(heights: Array) -> Array:
    """MAXA: where the diagonal of each column is in the store. [Tu99 4.5.1]"""
    return np.concatenate([[0], np.cumsum(heights[:-1] + 1)]).astype(np.int64)


def skyline(matrix: Array) -> tuple[Array, Array, Array]:
    """A symmetric matrix in skyline storage: the store, MAXA and the heights of its columns.

    Example::

        store, maxa, heights = skyline(matrix)      # each column from the diagonal upward
    """
    heights = profile(np.argwhere(matrix != 0.0), len(matrix))
    columns = [matrix[j - heights[j] : j + 1, j][::-1] for j in range(len(matrix))]
    return np.concatenate(columns), diagonal_places(heights), heights
