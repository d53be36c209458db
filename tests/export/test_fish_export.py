"""A fish in an export: a closed skin in its colours that follows its nodes."""

import numpy as np
import pytest

from paludarium import Map, Recorder, World
from paludarium.systems.export.modellers import Modellers
from paludarium.systems.export.posed_meshes import body_meshes


@pytest.fixture(scope="module")
def swim(tmp_path_factory):
    water = {"bounds": [-30, -30, 30, 30], "level_u": 12.0}
    pond = Map.define(name="pond", area={"width_u": 60, "height_u": 60}, water=[water])
    world = World(seed=3, map=pond)
    fish = world.spawn("clownfish", at=(0.0, 0.0, 6.0), heading=0.7)
    with Recorder(world, every=5) as recorder:
        world.step(20)
    return world, fish, recorder, tmp_path_factory.mktemp("fish")


def test_its_skin_lies_round_its_nodes_and_looks_outward(swim):
    world, fish, _, _ = swim
    modeller = world.resource(Modellers).of("fish")
    plan, (pose,) = modeller.plan(fish), modeller.poses([fish])
    nodes = fish.nodes.position
    names = [material.name for material in plan.materials]
    length, middle = np.linalg.norm(nodes[0] - nodes[-1]), nodes.mean(axis=0)
    seen = set()
    for _, mesh, material in body_meshes(plan, pose):
        seen.add(names[material])
        assert np.isfinite(mesh.vertices).all()
        assert np.linalg.norm(mesh.vertices - middle, axis=1).max() < length
        if names[material] in ("flank", "bar"):
            line = nodes[1:21].reshape(5, 4, 3).mean(axis=1)
            line = np.array([line[0] + t * (line[-1] - line[0]) for t in np.linspace(-0.3, 1.1, 60)])
            corners = mesh.vertices[mesh.triangles]
            normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            centre = corners.mean(axis=1)
            nearest = line[np.linalg.norm(centre[:, None] - line, axis=-1).argmin(axis=1)]
            assert (((centre - nearest) * normal).sum(axis=1) > 0.0).mean() > 0.95
    assert {"flank", "bar", "fin", "eye", "pupil"} <= seen


def test_all_formats_have_it(swim):
    _, _, recorder, folder = swim
    assert recorder.to_gltf(folder / "fish.glb").stat().st_size > 10_000
    files = recorder.to_obj(folder / "obj")
    text = files[-1].read_text()
    assert "clownfish" in text
    assert text.count("\nv ") > 500
