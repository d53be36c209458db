"""Insects in exports: the shells, legs, antennae and jaws of the picture, in the colours of their look."""

import numpy as np
import pytest

from paludarium import Recorder, World
from paludarium.components.insect.shell import COLOURS, ShellPool
from paludarium.systems.export.modellers import Modellers
from paludarium.systems.export.posed_meshes import body_meshes
from paludarium.systems.insect.painter import shell_looks
from paludarium.systems.render.scene.light import SEEN_TO_ALBEDO

KINDS = ("worker_ant", "soldier_ant", "ground_beetle", "cockroach", "stick_insect")


@pytest.fixture(scope="module")
def meadow():
    world = World(seed=3)
    for place, kind in enumerate(KINDS):
        world.spawn(kind, at=(12.0 * place - 24.0, 0.0), heading=0.7 * place).control(1.0)
    world.step(30)
    return world


@pytest.fixture(params=KINDS)
def insect(meadow, request):
    creature = next(c for c in meadow.creatures.values() if c.species.key == request.param)
    modeller = meadow.resource(Modellers).of("insect")
    return creature, modeller.plan(creature), modeller.poses([creature])[0]


def edges_met_twice(triangles):
    """Whether every edge is that of two triangles which run along it the other way round."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    there, back = ({tuple(edge) for edge in rows.tolist()} for rows in (edges, edges[:, ::-1]))
    return len(there) == len(edges) and there == back


def test_all_meshes_are_closed_finite_and_look_outward(insect):
    _, plan, pose = insect
    for _, mesh, _ in body_meshes(plan, pose):
        assert np.isfinite(mesh.vertices).all()
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-6)
        assert edges_met_twice(mesh.triangles)
        a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
        assert np.einsum("ij,ij->i", a - mesh.vertices.mean(axis=0), np.cross(b - a, c - a)).sum() > 0.0


def test_colours_are_those_of_its_look(insect):
    creature, plan, _ = insect
    pool, row = creature.world.pool(ShellPool), creature.row
    look = shell_looks(pool.parameters[[row]], pool.colors[[row]], pool.owner[[row]])[0]
    seen = set()
    for material in plan.materials:
        name, _, shade = material.name.partition(" ")
        if name == "black":
            continue
        seen.add(name)
        place = 3 * COLOURS.index(name)
        light = look[place : place + 3] / SEEN_TO_ALBEDO * (float(shade) / 100.0 if shade else 1.0)
        np.testing.assert_allclose(np.square(material.colour), np.clip(light, 0.0, 1.0), atol=1e-5)
    assert {"head", "thorax", "gaster", "leg", "antenna"} <= seen


def test_it_is_as_large_as_its_segments(insect):
    creature, plan, pose = insect
    s, half = creature.segments, creature.segments.half_extents
    trunk = np.concatenate([mesh.vertices for what, mesh, _ in body_meshes(plan, pose) if what == "plates"])
    forward = (s.position[0] - s.position[2]) / np.linalg.norm(s.position[0] - s.position[2])
    along, ends = trunk @ forward, s.position @ forward
    length = ends[0] + half[0, 0] - ends[2] + half[2, 0]
    assert along.min() == pytest.approx(ends[2] - half[2, 0], abs=0.12 * length)
    assert along.max() == pytest.approx(ends[0] + half[0, 0], abs=0.30 * length)  # jaws stand out
    middle = s.position[1]
    assert np.abs((trunk - middle)[:, 2]).max() < 0.5 * length


def test_legs_end_at_its_feet_and_poses_follow(insect):
    creature, plan, pose = insect
    legs = [chain for chain in plan.moving_chains if chain.name.startswith("leg")]
    assert len(legs) == 6
    tips = pose.points[[plan.point_starts[k + 1] - 1 for k in range(6)]]
    np.testing.assert_allclose(tips, creature.legs.tip.reshape(6, 3), atol=1e-9)
    np.testing.assert_array_equal(pose.position, creature.segments.position)
    assert pose.points.shape[0] == plan.point_starts[-1]
    assert len(plan.moving_chains) == 8


def test_poses_are_copies_that_move_with_it(meadow):
    modeller = meadow.resource(Modellers).of("insect")
    everyone = list(meadow.creatures.values())
    before = modeller.poses(everyone)
    kept = [pose.points.copy() for pose in before]
    meadow.step(10)
    after = modeller.poses(everyone)
    for one, old, new in zip(before, kept, after, strict=True):
        np.testing.assert_array_equal(one.points, old)
        assert np.abs(new.points - old).max() > 1e-4


def test_newborn_and_dead_ones_are_modelled():
    world = World(seed=1)
    ant = world.spawn("worker_ant", at=(30.0, 10.0))
    modeller = world.resource(Modellers).of("insect")
    for _ in range(2):
        (pose,) = modeller.poses([ant])
        assert np.linalg.norm(pose.points - ant.segments.position[1], axis=1).max() < 2.0 * ant.length
        ant.kill()
        world.step(5)


def test_all_formats_have_it(tmp_path):
    world = World(seed=2)
    world.spawn("ground_beetle")
    with Recorder(world, every=5) as recorder:
        world.step(10)
    assert recorder.to_gltf(tmp_path / "a.glb").stat().st_size > 10_000
    assert "ground_beetle" in recorder.to_obj(tmp_path / "obj")[-1].read_text()
    assert "Shape_drop" in recorder.to_povray(tmp_path / "pov")[-1].read_text()
