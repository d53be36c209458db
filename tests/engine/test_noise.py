"""Noise fields: agreement with the `noise` package, closed forms of the lattice, seeds and bad input."""

from __future__ import annotations

import builtins
import importlib.util

import numpy as np
import pytest

from paludarium.engine.noise_field import NoiseError, noise_at, noise_grid

needs_noise = pytest.mark.skipif(importlib.util.find_spec("noise") is None, reason="the package noise is not installed")

SETTINGS = [
    {},
    {"octaves": 6},
    {"octaves": 4, "persistence": 0.7, "lacunarity": 2.3},
    {"octaves": 3, "base": 1},
    {"octaves": 5, "seed": 11},
]


def points(count: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    spread = np.random.default_rng(3).uniform(-300.0, 300.0, (2, count))
    return spread[0], spread[1]


@needs_noise
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("kind", ["perlin", "simplex"])
def test_own_noise_agrees_with_the_noise_package(kind, settings):
    x, y = points()
    own = noise_at(x, y, kind=kind, **settings)
    theirs = noise_at(x, y, kind=kind, backend="noise", **settings)
    assert np.abs(own - theirs).max() <= 1e-6
    assert own.std() > 0.05


@needs_noise
def test_the_noise_backend_calls_the_package_with_the_same_point():
    import noise

    assert noise_at([1.25], [-3.5], octaves=3, backend="noise")[0] == noise.pnoise2(1.25, -3.5, octaves=3)
    assert noise_at([1.25], [-3.5], octaves=3, kind="simplex", backend="noise")[0] == noise.snoise2(
        1.25, -3.5, octaves=3
    )


def test_perlin_noise_vanishes_on_its_lattice():
    x, y = np.meshgrid(np.arange(-300, 300, 7), np.arange(-300, 300, 11))
    assert np.all(noise_at(x, y) == 0.0)


def test_perlin_noise_repeats_after_256_cells():
    x, y = np.random.default_rng(0).integers(-640, 640, (2, 500)) / 64.0
    np.testing.assert_array_equal(noise_at(x, y), noise_at(x + 256.0, y - 256.0))


@pytest.mark.parametrize("kind", ["perlin", "simplex"])
def test_noise_is_continuous_across_cell_borders(kind):
    x, y = np.random.default_rng(1).uniform(-20.0, 20.0, (2, 5000))
    step = 1.0 / 4096.0
    assert np.abs(noise_at(x + step, y, kind=kind) - noise_at(x, y, kind=kind)).max() < 8.0 * step


@pytest.mark.parametrize("kind", ["perlin", "simplex"])
def test_octaves_are_the_weighted_sum_of_single_ones(kind):
    x, y = np.random.default_rng(2).integers(-512, 512, (2, 300)) / 32.0
    single = [noise_at(x * 2.0**k, y * 2.0**k, kind=kind) * 0.5**k for k in range(4)]
    np.testing.assert_allclose(noise_at(x, y, kind=kind, octaves=4), np.sum(single, axis=0) / 1.875, atol=1e-6)


@pytest.mark.parametrize("kind", ["perlin", "simplex"])
def test_noise_stays_within_about_one(kind):
    values = noise_at(*points(50_000), kind=kind)
    assert np.abs(values).max() <= 1.01
    assert abs(values.mean()) < 0.02


def test_the_same_seed_gives_the_same_field_and_another_seed_another():
    x, y = np.linspace(0.0, 9.0, 40), np.linspace(0.0, 5.0, 30)
    first = noise_grid(x, y, octaves=3, seed=5)
    np.testing.assert_array_equal(first, noise_grid(x, y, octaves=3, seed=5))
    assert np.abs(first - noise_grid(x, y, octaves=3, seed=6)).max() > 0.1


def test_grid_entries_belong_to_their_pair_of_coordinates():
    x, y = np.linspace(-3.0, 4.0, 11), np.linspace(2.0, 8.0, 7)
    grid = noise_grid(x, y, kind="simplex", octaves=2)
    assert grid.shape == (11, 7)
    assert grid[4, 5] == noise_at(x[4], y[5], kind="simplex", octaves=2)


def test_noise_of_nothing_is_nothing():
    assert noise_at([], []).shape == (0,)
    assert noise_grid([], [1.0, 2.0]).shape == (0, 2)


def test_noise_far_away_is_finite():
    assert np.isfinite(noise_at([1e30, -1e12, 3e9], [0.0, 1e30, 1.0], octaves=8)).all()
    assert np.isfinite(noise_at([1e38], [1e38], kind="simplex", octaves=8)).all()


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"kind": "worley"}, "kind"),
        ({"backend": "gpu"}, "backend"),
        ({"octaves": 0}, "octaves"),
        ({"octaves": 2.0}, "octaves"),
        ({"persistence": float("nan")}, "persistence"),
        ({"lacunarity": 0.0}, "lacunarity"),
        ({"base": -1}, "base"),
        ({"seed": -1}, "seed"),
        ({"backend": "noise", "base": 2}, "base"),
    ],
)
def test_bad_noise_settings_are_named(settings, named):
    with pytest.raises(NoiseError, match=named):
        noise_at([0.5], [0.5], **settings)


def test_coordinates_that_are_not_numbers_are_refused():
    with pytest.raises(NoiseError, match="finite"):
        noise_at([0.5, np.nan], [0.0, 0.0])


def test_a_missing_noise_package_names_the_extra(monkeypatch):
    real_import = builtins.__import__

    def without_noise(name, *arguments, **keywords):
        if name == "noise":
            raise ImportError(name)
        return real_import(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_noise)
    with pytest.raises(NoiseError, match=r"paludarium\[noise\]"):
        noise_at([0.5], [0.5], backend="noise")
