"""Smooth random fields over the plane: Perlin or simplex noise in octaves, ours or that of the `noise` package."""

from __future__ import annotations

from types import ModuleType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import PaludariumError
from .kernel_types import float32
from .noise_kernel import layered_everywhere

Array = NDArray[np.float64]
NoiseKind = Literal["perlin", "simplex"]
NoiseBackend = Literal["own", "noise"]

LATTICE_PERIOD = 256  # cells after which the noise repeats; seeds pick a starting cell in it
LARGEST_PACKAGE_BASE = 1  # pnoise2 of noise 1.2.2 looks up entry 510 + base of a table with 512 entries


class NoiseError(PaludariumError, ValueError):
    """A noise field was asked for with settings that cannot work; the message says what is allowed."""


def noise_at(
    x: ArrayLike,
    y: ArrayLike,
    *,
    kind: NoiseKind = "perlin",
    octaves: int = 1,
    persistence: float = 0.5,
    lacunarity: float = 2.0,
    base: int = 0,
    seed: int | None = None,
    backend: NoiseBackend = "own",
) -> Array:
    """Noise of about -1..1 at points x, y of any matching shapes; the lattice has one cell per unit.

    ``base`` shifts the permutation as in the `noise` package; ``seed`` moves the whole field to another place, the
    same one for both backends. Coordinates are taken in single precision, as that package does.

    Example::

        >>> noise_at([0.5, 1.5], [0.25, 0.25], octaves=3, seed=7).shape
        (2,)
    """
    _check(kind, octaves, persistence, lacunarity, base, backend)
    columns, rows = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))
    if not (np.isfinite(columns).all() and np.isfinite(rows).all()):
        raise NoiseError("a coordinate is not a finite number")
    start_x, start_y = _starting_cell(seed)
    points_x = (columns.ravel() + start_x).astype(np.float32)
    points_y = (rows.ravel() + start_y).astype(np.float32)
    if backend == "noise":
        values = _from_package(points_x, points_y, kind, octaves, persistence, lacunarity, base)
    else:
        values = np.zeros(points_x.size, dtype=np.float32)
        shrink, grow = float32(persistence), float32(lacunarity)
        layered_everywhere(points_x, points_y, kind == "simplex", octaves, shrink, grow, base, values)
    return values.astype(np.float64).reshape(columns.shape)


def noise_grid(
    x: ArrayLike,
    y: ArrayLike,
    *,
    kind: NoiseKind = "perlin",
    octaves: int = 1,
    persistence: float = 0.5,
    lacunarity: float = 2.0,
    base: int = 0,
    seed: int | None = None,
    backend: NoiseBackend = "own",
) -> Array:
    """Noise on the grid of all pairs of x and y: ``noise_grid(x, y)[i, j]`` belongs to ``(x[i], y[j])``.

    Example::

        >>> noise_grid(range(3), range(4), kind="simplex").shape
        (3, 4)
    """
    columns, rows = np.ravel(np.asarray(x, dtype=np.float64)), np.ravel(np.asarray(y, dtype=np.float64))
    return noise_at(
        columns[:, None],
        rows[None, :],
        kind=kind,
        octaves=octaves,
        persistence=persistence,
        lacunarity=lacunarity,
        base=base,
        seed=seed,
        backend=backend,
    )


def _check(kind: str, octaves: int, persistence: float, lacunarity: float, base: int, backend: str) -> None:
    if kind not in ("perlin", "simplex"):
        raise NoiseError(f"noise kind is {kind!r}; allowed are 'perlin' and 'simplex'")
    if backend not in ("own", "noise"):
        raise NoiseError(f"noise backend is {backend!r}; allowed are 'own' and 'noise'")
    if isinstance(octaves, bool) or not isinstance(octaves, int | np.integer) or octaves < 1:
        raise NoiseError(f"octaves is {octaves!r}; allowed is a whole number of at least 1")
    if not (np.isfinite(persistence) and persistence > 0.0):
        raise NoiseError(f"persistence is {persistence!r}; allowed is a finite number above 0")
    if not (np.isfinite(lacunarity) and lacunarity > 0.0):
        raise NoiseError(f"lacunarity is {lacunarity!r}; allowed is a finite number above 0")
    if isinstance(base, bool) or not isinstance(base, int | np.integer) or base < 0:
        raise NoiseError(f"base is {base!r}; allowed is a whole number of at least 0")
    if backend == "noise" and kind == "perlin" and base > LARGEST_PACKAGE_BASE:
        raise NoiseError(f"base is {base}; allowed with backend 'noise' are 0 and 1, as it reads past its table beyond")


def _starting_cell(seed: int | None) -> tuple[float, float]:
    if seed is None:
        return 0.0, 0.0
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise NoiseError(f"seed is {seed!r}; allowed is a whole number of at least 0")
    start = np.random.default_rng(seed).uniform(0.0, LATTICE_PERIOD, 2)
    return float(start[0]), float(start[1])


def _from_package(
    x: NDArray[np.float32],
    y: NDArray[np.float32],
    kind: str,
    octaves: int,
    persistence: float,
    lacunarity: float,
    base: int,
) -> NDArray[np.float32]:
    package = _noise_package()
    function = package.snoise2 if kind == "simplex" else package.pnoise2
    points = zip(x.tolist(), y.tolist(), strict=True)
    values = [
        function(u, v, octaves=octaves, persistence=persistence, lacunarity=lacunarity, base=base) for u, v in points
    ]
    return np.array(values, dtype=np.float32)


def _noise_package() -> ModuleType:
    try:
        import noise  # optional, and it needs a C compiler to install: only those who ask for it pay
    except ImportError as problem:
        raise NoiseError(
            "backend 'noise' needs the package noise: pip install 'paludarium[noise]', or use backend 'own'"
        ) from problem
    return noise
