"""Articulated swimmers in exports: tubes, fins and eyes of the picture round their links, in the colours of their look."""

import numpy as np
import pytest

from paludarium import Map, Recorder, World
from paludarium.components.articulated.skin import COLOURS
from paludarium.systems.articulated.painter import part_fields as f
from paludarium.systems.articulated.swimmer_modeller import TUBE_POINTS, SwimmerModeller, _cloud, _turns
from paludarium.systems.export.modellers import Modellers
from paludarium.systems.export.posed_meshes import body_meshes

KINDS = ("eel", "jointed_clownfish", "sea_turtle", "frog", "manta", "alien", "accordion")
BEYOND = {"manta": 0.5}
"""Body lengths that tips of wings and whips of tails go on beyond the links; others at most 0.25."""
WALLS = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}
POND = Map.define(area={"width_u": 160, "height_u": 160}, water=[{"bounds": [-80, -80, 80, 80], "level_u": 12.0, **WALLS}])


@pytest.fixture(scope="module")
def sea():
    world = World(seed=3, map=POND)
    for place, kind in enumerate(KINDS):
        world.spawn(kind, at=(20.0 * place - 60.0, 0.0, 6.0), heading=0.4 * place)
    world.step(20)
    return world


@pytest.fixture(params=KINDS)
def swimmer(sea, request):
    creature = next(c for c in sea.creatures.values() if c.species.key == request.param)
    modeller = sea.resource(Modellers).of("articulated")
    assert isinstance(modeller, SwimmerModeller)
    return creature, modeller, modeller.plan(creature), modeller.poses([creature])[0]


def tubes_of(modeller, creature):
    """Triangles of every tube in the numbers of its own points."""
    model = modeller._models[creature.serial]
    number = len(model.of_kind(f.TUBE))
    triangles = np.concatenate([piece.corners[piece.triangles] for piece in model.pieces])
    return [own - TUBE_POINTS * k for k in range(number) if len(own := triangles[triangles[:, 0] // TUBE_POINTS == k])]


def test_tubes_are_closed(swimmer):
    creature, modeller, _, _ = swimmer
    tubes = tubes_of(modeller, creature)
    assert tubes
    for triangles in tubes:
        edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        there, back = ({tuple(edge) for edge in rows.tolist()} for rows in (edges, edges[:, ::-1]))
        assert len(there) == len(edges)
        assert there == back
        assert len(np.unique(triangles)) == TUBE_POINTS


def test_all_of_it_is_finite_and_looks_outward(swimmer):
    creature, modeller, plan, pose = swimmer
    assert pose.nodes.shape == (plan.node_starts[-1], 3)
    assert np.isfinite(pose.nodes).all()
    assert np.isfinite(pose.points).all()
    for _, mesh, _ in body_meshes(plan, pose):
        assert np.isfinite(mesh.normals).all()
    model = modeller._models[creature.serial]
    stations, _, points = modeller._laid(creature, model)
    cloud = _cloud(model, stations, points, _turns(creature.segments.orientation), creature.length)
    for number, triangles in enumerate(tubes_of(modeller, creature)):
        a, b, c = np.moveaxis(cloud[TUBE_POINTS * number + triangles], 1, 0)
        middle = cloud[TUBE_POINTS * number : TUBE_POINTS * (number + 1)].mean(axis=0)
        assert np.einsum("ij,ij->i", a - middle, np.cross(b - a, c - a)).sum() > 0.0  # six times its volume


def test_colours_are_those_of_its_look(swimmer):
    creature, _, plan, _ = swimmer
    look = creature.species.specs["skin"]
    for name, material in zip(COLOURS, plan.materials[: len(COLOURS)], strict=True):
        assert material.name == name
        np.testing.assert_allclose(material.colour, getattr(look, name))
    own = {material.colour for material in plan.materials[: len(COLOURS)]}
    for material in plan.materials[len(COLOURS) :]:
        assert material.name in ("fin", "eye", "pupil", "rod") or material.colour in own
    shown = {plan.materials[block.material].name for block in plan.blocks}
    assert {"belly", "eye", "pupil"} <= shown
    assert len(shown) >= 4


def test_it_lies_round_its_segments(swimmer):
    creature, _, plan, pose = swimmer
    s = creature.segments
    points = np.concatenate([mesh.vertices for _, mesh, _ in body_meshes(plan, pose)])
    reach = np.linalg.norm(s.half_extents, axis=1)[:, None]
    low, high = (s.position - reach).min(axis=0), (s.position + reach).max(axis=0)
    slack = BEYOND.get(creature.species.key, 0.25) * creature.length
    assert (points.min(axis=0) > low - slack).all()
    assert (points.max(axis=0) < high + slack).all()
    extent, wanted = np.ptp(points[:, :2], axis=0).max(), np.ptp(s.position[:, :2], axis=0).max()
    assert extent > 0.9 * wanted


def test_weights_are_shares_and_name_segments(swimmer):
    _, _, plan, _ = swimmer
    for block in plan.blocks:
        np.testing.assert_allclose(block.weights.sum(axis=1), 1.0)
        assert (block.weights >= 0.0).all()
        assert all(0 <= segment < plan.segments for segment in block.segments)


def test_poses_are_copies_that_follow_the_links(sea):
    modeller = sea.resource(Modellers).of("articulated")
    eel = next(c for c in sea.creatures.values() if c.species.key == "eel")
    plan, (before,) = modeller.plan(eel), modeller.poses([eel])
    kept, old = before.nodes.copy(), eel.segments.position.copy()
    sea.step(30)
    (after,) = modeller.poses([eel])
    np.testing.assert_array_equal(before.nodes, kept)
    moved = np.linalg.norm(eel.segments.position - old, axis=1)
    body = np.linalg.norm(after.nodes - kept, axis=1)
    assert 0.5 * moved.min() < body.max() < 3.0 * moved.max()
    assert plan.segments == len(moved)


def test_a_straight_tube_is_as_wide_as_its_guides():
    """The eel at rest: rings are ellipses whose half sizes are those of the links, times what the style says."""
    world = World(seed=1, map=POND)
    eel = world.spawn("eel", at=(0.0, 0.0, 6.0))
    modeller = world.resource(Modellers).of("articulated")
    modeller.plan(eel)
    model = modeller._models[eel.serial]
    stations, places, _ = modeller._laid(eel, model)
    tube = model.of_kind(f.TUBE)[-1]
    guides = model.guides[int(tube[f.FIRST]) : int(tube[f.FIRST]) + int(tube[f.COUNT])]
    wide = np.linalg.norm(stations[-1, :, 1], axis=1)
    inner = (places[-1, :, 1] > 0.15) & (places[-1, :, 1] < 0.85)
    expected = eel.length * np.interp(places[-1, :, 0], np.arange(len(guides)), guides[:, f.WIDE])
    np.testing.assert_allclose(wide[inner], expected[inner], rtol=0.06)


def test_all_formats_have_it(tmp_path):
    world = World(seed=2, map=POND)
    world.spawn("frog", at=(0.0, 0.0, 6.0))
    with Recorder(world, every=5) as recorder:
        world.step(10)
    assert recorder.to_gltf(tmp_path / "a.glb").stat().st_size > 10_000
    assert "frog" in recorder.to_obj(tmp_path / "obj")[-1].read_text()
    assert "mesh2" in recorder.to_povray(tmp_path / "pov")[-1].read_text()
