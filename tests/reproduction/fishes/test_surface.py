"""Checks F13 and F14 of the fish digest: the display surface, and the mesh that finds texture coordinates."""

import numpy as np
import pytest

from paludarium.components.fish.springs import SpringSpec, blueprint_of
from paludarium.components.fish.topology import NODES
from paludarium.examples.texture_snakes import ANCHOR_TOLERANCE, TextureMesh, silhouette, silhouette_distance
from paludarium.systems.fish.surface import (
    ACROSS,
    ALONG,
    DORSAL_FIRST,
    FIN_POINTS,
    LEFT,
    RIGHT,
    VENTRAL_FIRST,
    DisplaySurface,
    bspline_basis,
    greville,
)


@pytest.fixture(scope="module")
def surface():
    return DisplaySurface(blueprint_of(SpringSpec()).rest)


def turned(points, axis, angle):
    """Points turned about an axis through the origin."""
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return points @ (np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k).T


def bent(rest, bend, stroke=0.0, phase=0.0):
    """A body at rest, bent sideways: its line becomes an arc of `bend` radians, with a swimming wave on it."""
    length = -rest[:, 0].min()
    s = np.linspace(0.0, 1.0, 401)
    heading = bend * s + stroke * s**2 * np.sin(phase - 6.0 * s)
    x, y = (-np.cumsum(part) * length * (s[1] - s[0]) for part in (np.cos(heading), np.sin(heading)))
    place = -rest[:, 0] / length
    at, turn = np.column_stack([np.interp(place, s, x), np.interp(place, s, y)]), np.interp(place, s, heading)
    return np.column_stack([at[:, 0] - np.sin(turn) * rest[:, 1], at[:, 1] + np.cos(turn) * rest[:, 1], rest[:, 2]])


def outward(points, side):
    """How far every cell of a half body looks away from the middle of its section, as the cosine of an angle."""
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    normal = np.cross(c - a, d - b) if side == LEFT else np.cross(d - b, c - a)
    middle = 0.25 * (a + b + c + d)
    away = middle - 0.5 * (points[:1, :-1] + points[-1:, :-1] + points[:1, 1:] + points[-1:, 1:]) / 2.0
    size = np.linalg.norm(normal, axis=-1) * np.linalg.norm(away, axis=-1)
    return (normal * away).sum(axis=-1) / np.maximum(size, 1e-15)


def test_f13_the_surface_at_rest_is_the_modelled_one(surface, record_property):
    """Digest: every control point at rest reproduces the modelled surface to 1e-6 (book 5.4)."""
    length = -surface.rest[:, 0].min()
    controls = surface.controls(surface.rest)
    off = np.abs(controls - surface.rest_controls).max() / length
    shown = np.einsum("ij,hjkd,lk->hild", bspline_basis(ACROSS, greville(ACROSS)), controls,
                      bspline_basis(ALONG, greville(ALONG)))  # fmt: skip
    missed = np.abs(shown - surface.model).max() / length
    record_property("control points off (lengths)", off)
    record_property("surface off (lengths)", missed)
    assert controls.shape == (2, 9, 21, 3)
    assert off < 1e-6
    assert missed < 1e-6


def test_f13a_the_surface_moves_rigidly_with_the_nodes(surface, record_property):
    """Digest: after a rigid motion of all nodes the surface moves rigidly (book 5.4)."""
    still, worst = surface.points(surface.rest), 0.0
    for axis, angle, shift in (((0, 0, 1), 1.1, (3.0, -2.0, 1.0)), ((1, 2, -1), 2.7, (-4.0, 0.5, 9.0))):
        moved = surface.points(turned(surface.rest, axis, angle) + shift)
        worst = max(worst, float(np.abs(moved - (turned(still, axis, angle) + shift)).max()))
    record_property("largest error (lengths)", worst / -surface.rest[:, 0].min())
    assert worst < 1e-9


@pytest.mark.parametrize(("bend", "stroke"), [(0.0, 1.2), (1.2, 0.0), (-1.2, 0.6), (1.6, 0.8)])
def test_f13b_bending_folds_nothing_over(surface, bend, stroke, record_property):
    """Digest: bending keeps the surface free of foldover (book 5.4)."""
    least = 1.0
    for phase in np.linspace(0.0, 2.0 * np.pi, 9):
        points = surface.points(bent(surface.rest, bend, stroke, phase))
        for side in (LEFT, RIGHT):
            least = min(least, float(outward(points[side], side)[:, 1:].min()))
    record_property("smallest cosine outward", least)
    assert least > 0.0


def test_f13c_fins_hold_on_to_the_body(surface, record_property):
    """Digest C.1: fins of 2 x 12 control points, one row of them the body's own."""
    nodes = bent(surface.rest, 0.9, 0.5, 1.0)
    controls, fins = surface.controls(nodes), surface.fins(nodes)
    gap = max(np.abs(fins[0, 0] - controls[LEFT, 0, DORSAL_FIRST : DORSAL_FIRST + FIN_POINTS]).max(),
              np.abs(fins[1, 0] - controls[LEFT, -1, VENTRAL_FIRST : VENTRAL_FIRST + FIN_POINTS]).max())  # fmt: skip
    record_property("gap (units)", gap)
    assert fins.shape == (2, 2, 12, 3)
    assert gap == 0.0
    assert np.allclose(controls[LEFT, [0, -1]], controls[RIGHT, [0, -1]])
    assert surface.tail(nodes).shape == (4, 3)


def test_other_bodies_are_refused(surface):
    with pytest.raises(ValueError, match=f"allowed is \\({NODES}, 3\\)"):
        surface.controls(np.zeros((22, 3)))


@pytest.mark.parametrize(("shift", "turn"), [((0.0, 0.0), 0.0), ((6.0, -5.0), 0.0), ((-5.0, 4.0), 0.08)])
def test_f14_the_border_of_a_texture_mesh_finds_the_outline(shift, turn, record_property):
    """Digest: the border converges to a silhouette, mean error below 1.5 px, from an offset start; anchors stay (book A)."""
    image = silhouette()
    mesh = TextureMesh.around(image, shift=shift, turn=turn)
    started = silhouette_distance(mesh.border, image).mean()
    held = mesh.anchors.copy()
    steps = mesh.settle(image)
    error = silhouette_distance(mesh.border, image).mean()
    slip = np.linalg.norm(mesh.anchor_points - held, axis=-1).max()
    record_property("mean error at the start (px)", started)
    record_property("at the end (px)", error)
    record_property("anchors moved (px)", slip)
    record_property("steps", steps)
    assert error < 1.5
    assert slip < ANCHOR_TOLERANCE
    assert not mesh.folded
