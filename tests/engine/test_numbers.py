"""Limits of numbers and angles, and the curve through points, against what they must be."""

import numpy as np

from paludarium.engine.number_kernel import limited, wrapped
from paludarium.systems.render.creatures.curve_kernel import curve


def test_numbers_and_angles_stay_within_their_limits():
    assert [limited(value, -1.0, 2.0) for value in (-3.0, 0.5, 9.0)] == [-1.0, 0.5, 2.0]
    for angle in np.linspace(-20.0, 20.0, 401):
        found = wrapped(angle)
        assert -np.pi <= found <= np.pi
        assert np.isclose(np.exp(1j * found), np.exp(1j * angle), atol=1e-13)


def test_the_curve_passes_through_its_points_and_keeps_to_lines():
    points, out = np.random.default_rng(1).normal(size=(1, 6, 3)), np.zeros(3)
    for k in range(5):
        curve(points, 0, 5, float(k), out)
        assert np.allclose(out, points[0, k], atol=1e-14)
    line = np.linspace((0.0, 1.0, 2.0), (4.0, 1.0, 0.0), 5)[None]
    for g in np.linspace(1.0, 3.0, 9):
        curve(line, 0, 5, g, out)
        assert np.allclose(out, (g, 1.0, 2.0 - g / 2.0), atol=1e-14)
