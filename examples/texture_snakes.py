"""A mesh of snakes finds texture coordinates of a fish in a picture: its border creeps to the outline. [Tu99 App. A]

9 x 21 nodes form 9 snakes along the body and 21 across it that share their crossings. Snakes are springs that also resist
bending; nodes on the border climb to where the brightness changes most, inner ones follow elastically, a few are anchored.
Plain numpy, no world. ``python -m paludarium.examples.texture_snakes [FILE]`` saves a picture of it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

ROWS, COLUMNS = 9, 21  # as the control points of the display surface
WIDTH, HEIGHT = 200, 110  # px of the picture
TENSION, STIFFNESS = 0.10, 0.02  # a and b of all snakes
IMAGE_GAIN, ANCHOR_GAIN = 30.0, 6.0  # px per px of slope of the edge map; lambda
DAMPING, STEP = 1.0, 0.12  # g; time per step of explicit Euler
SIGMAS = (6.0, 3.0, 1.6)  # px: the edge map is first blurred widely, to be felt from afar
SLOWEST = 2e-3  # px per step: below it the mesh is static
MOST_STEPS = 1500  # per blur
ANCHOR_TOLERANCE = 1.0  # px


def outline(count: int = 720) -> Array:
    """The outline (count, 2) of a fish from the side, without tail fin: x to the right, y down, beginning at the nose."""
    angle = 2.0 * np.pi * np.arange(count) / count
    x = -np.cos(angle)
    deep = np.sin(angle)
    tall = np.where(deep < 0.0, 30.0, 26.0) * (1.0 - 0.38 * np.clip(x - 0.1, 0.0, 1.0) ** 1.5)
    along, across = np.sign(x) * np.abs(x) ** 0.92, np.sign(deep) * np.abs(deep) ** 0.86
    return np.column_stack([100.0 + 78.0 * along, 54.0 + tall * across])


def silhouette() -> Array:
    """A picture (HEIGHT, WIDTH) of that fish: 1 inside, 0 outside, with soft pixels at the edge and a little texture."""
    points, fine = outline(), 3
    y, x = np.mgrid[0 : HEIGHT * fine, 0 : WIDTH * fine] / fine + 0.5 / fine
    inside = np.zeros(x.shape, dtype=bool)
    for (ax, ay), (bx, by) in zip(points, np.roll(points, -1, axis=0), strict=True):  # crossings of a ray to the right
        crosses = (ay > y) != (by > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside ^= crosses & (x < ax + (y - ay) / (by - ay) * (bx - ax))
    grey = inside.reshape(HEIGHT, fine, WIDTH, fine).mean(axis=(1, 3))
    noise = np.random.default_rng(2).normal(size=grey.shape)
    return np.clip(grey * (0.86 + 0.03 * blurred(noise, 1.0)), 0.0, 1.0)


def blurred(image: Array, sigma: float) -> Array:
    """An image after a Gaussian blur; beyond its edge it goes on as at the edge."""
    reach = int(3.0 * sigma) + 1
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        pad = [(reach, reach) if axis == k else (0, 0) for k in (0, 1)]
        wide = np.pad(image, pad, mode="edge")
        image = sum(w * np.take(wide, np.arange(image.shape[axis]) + k, axis=axis) for k, w in enumerate(weights))
    return image


def edge_force(image: Array, sigma: float) -> tuple[Array, Array]:
    """The slope of P, the blurred strength of edges: forces to the right and down, per pixel."""
    down, right = np.gradient(image)
    strength = blurred(np.hypot(right, down), sigma)
    slope_down, slope_right = np.gradient(strength / strength.max())
    return slope_right, slope_down


def sampled(image: Array, points: Array) -> Array:
    """Values of an image at points (..., 2), between four pixels."""
    x = np.clip(points[..., 0] - 0.5, 0.0, image.shape[1] - 1.001)
    y = np.clip(points[..., 1] - 0.5, 0.0, image.shape[0] - 1.001)
    i, j = x.astype(int), y.astype(int)
    a, b = x - i, y - j
    low = image[j, i] * (1.0 - a) + image[j, i + 1] * a
    high = image[j + 1, i] * (1.0 - a) + image[j + 1, i + 1] * a
    mixed: Array = low * (1.0 - b) + high * b
    return mixed


def silhouette_distance(points: Array, image: Array) -> Array:  # noqa: ARG001 - the outline of the picture is known
    """How far points (n, 2) lie from the true outline, px."""
    curve = outline(4000)
    return np.array([np.hypot(*(curve - point).T).min() for point in points])


def snake_forces(points: Array, rest: Array, axis: int) -> Array:
    """Minus alpha and beta of all snakes along an axis of the mesh: they shrink to their length and straighten."""
    x = np.moveaxis(points, axis, 0)
    step = np.diff(x, axis=0)
    length = np.maximum(np.linalg.norm(step, axis=-1, keepdims=True), 1e-9)
    pull = TENSION * (length - np.moveaxis(rest, axis, 0)[..., None]) * step / length
    force = np.zeros_like(x)
    force[:-1] += pull
    force[1:] -= pull
    bend = STIFFNESS * (x[2:] - 2.0 * x[1:-1] + x[:-2])
    force[:-2] -= bend
    force[1:-1] += 2.0 * bend
    force[2:] -= bend
    return np.moveaxis(force, 0, axis)


@dataclass
class TextureMesh:
    """Nodes (9, 21, 2) in pixels of a picture; where they come to rest are the texture coordinates.

    Example::

        image = silhouette()
        mesh = TextureMesh.around(image, shift=(6.0, -5.0))
        mesh.settle(image)
        mesh.coordinates        # (9, 21, 2) from 0 to 1
    """

    points: Array
    anchor_nodes: list[tuple[int, int]]
    anchors: Array  # (anchors, 2) where those nodes are to stay
    rest: tuple[Array, Array] = field(init=False)

    def __post_init__(self) -> None:
        self.rest = (np.linalg.norm(np.diff(self.points, axis=0), axis=-1),
                     np.linalg.norm(np.diff(self.points, axis=1), axis=-1))  # fmt: skip

    @classmethod
    def around(cls, image: Array, shift: tuple[float, float] = (0.0, 0.0), turn: float = 0.0) -> TextureMesh:  # noqa: ARG003
        """A mesh in an oval roughly where the fish is, moved aside and turned; nose and tail are anchored by hand."""
        corner = 0.30 * np.pi  # of the oval: where the long sides begin
        top = np.linspace(-np.pi + corner, -corner, COLUMNS)
        end = np.linspace(-corner, corner, ROWS)
        borders = (top, -top, np.pi - end, end)  # upper and lower side; nose and tail
        upper, lower, nose, tail = (np.column_stack([74.0 * np.cos(a), 25.0 * np.sin(a)]) for a in borders)
        v, u = np.linspace(0.0, 1.0, ROWS)[:, None, None], np.linspace(0.0, 1.0, COLUMNS)[None, :, None]
        nose = nose[np.argsort(nose[:, 1])]
        tail = tail[np.argsort(tail[:, 1])]
        mixed = (1 - v) * upper[None] + v * lower[None] + (1 - u) * nose[:, None] + u * tail[:, None]
        mixed -= (1 - u) * (1 - v) * upper[0] + u * (1 - v) * upper[-1] + (1 - u) * v * lower[0] + u * v * lower[-1]
        c, s = np.cos(turn), np.sin(turn)
        curve = outline()
        anchors = np.array([curve[np.argmin(curve[:, 0])], curve[np.argmax(curve[:, 0])]])
        return cls(mixed @ np.array([[c, s], [-s, c]]) + (100.0 + shift[0], 54.0 + shift[1]),
                   [(ROWS // 2, 0), (ROWS // 2, COLUMNS - 1)], anchors)  # fmt: skip

    @property
    def border(self) -> Array:
        """All nodes of the border (56, 2), once around."""
        p = self.points
        return np.concatenate([p[0, :-1], p[:-1, -1], p[-1, :0:-1], p[:0:-1, 0]])

    @property
    def anchor_points(self) -> Array:
        """Where the anchored nodes are now."""
        return np.array([self.points[node] for node in self.anchor_nodes])

    @property
    def coordinates(self) -> Array:
        """Texture coordinates: nodes as shares of the picture."""
        return self.points / (WIDTH, HEIGHT)

    @property
    def folded(self) -> bool:
        """Whether any cell is turned inside out."""
        p = self.points
        one, two = p[1:, 1:] - p[:-1, :-1], p[1:, :-1] - p[:-1, 1:]
        return bool((one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0] <= 0.0).any())

    def step(self, forces: tuple[Array, Array]) -> float:
        """One step of g dx/dt + alpha + beta = f by explicit Euler; return how far (px) the fastest node went."""
        force = snake_forces(self.points, self.rest[0], 0) + snake_forces(self.points, self.rest[1], 1)
        edge = np.ones((ROWS, COLUMNS), dtype=bool)
        edge[1:-1, 1:-1] = False
        at = self.points[edge]
        force[edge] += IMAGE_GAIN * np.column_stack([sampled(forces[0], at), sampled(forces[1], at)])
        for node, anchor in zip(self.anchor_nodes, self.anchors, strict=True):
            force[node] += ANCHOR_GAIN * (anchor - self.points[node])
        moved = STEP / DAMPING * force
        self.points += moved
        return float(np.abs(moved).max())

    def settle(self, image: Array, most: int = MOST_STEPS) -> int:
        """Step until static, with ever sharper edges; return the number of steps."""
        steps = 0
        for sigma in SIGMAS:
            forces = edge_force(image, sigma)
            for _ in range(most):
                steps += 1
                if self.step(forces) < SLOWEST:
                    break
        return steps


class Tracing:
    """A mesh on its picture, to be stepped like a world."""

    def __init__(self) -> None:
        self.image = silhouette()
        self.mesh = TextureMesh.around(self.image, shift=(6.0, -5.0))

    def step(self, count: int = 1) -> None:
        """Let the mesh creep for some ticks of ten steps at every blur; inner nodes need longer than the border."""
        self.mesh.settle(self.image, most=10 * count)


def build_world() -> Tracing:
    """The picture of a fish, and a mesh beside its place."""
    return Tracing()


def check(tracing: Tracing) -> None:
    """The border has found the outline, and nothing is folded."""
    assert silhouette_distance(tracing.mesh.border, tracing.image).mean() < 1.5
    assert not tracing.mesh.folded


def main(file: str) -> None:
    """Save the picture with the mesh on it."""
    from paludarium.systems.render import save_png

    tracing, large = build_world(), 5
    tracing.step(MOST_STEPS)
    check(tracing)
    grey = np.kron((90 + 120 * tracing.image).astype(np.uint32), np.ones((large, large), dtype=np.uint32))
    pixels = grey << 16 | grey << 8 | grey
    points = tracing.mesh.points
    lines = [*zip(points[:, :-1].reshape(-1, 2), points[:, 1:].reshape(-1, 2), strict=True),
             *zip(points[:-1].reshape(-1, 2), points[1:].reshape(-1, 2), strict=True)]  # fmt: skip
    for a, b in lines:
        for t in np.linspace(0.0, 1.0, 80):
            x, y = ((a + t * (b - a)) * large).astype(int)
            pixels[y, x] = 0xE0491A
    save_png(file, pixels)
    print(f"mean error {silhouette_distance(tracing.mesh.border, tracing.image).mean():.2f} px; {file}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "texture_snakes.png")
