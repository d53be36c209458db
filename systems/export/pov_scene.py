"""POV-Ray: one scene per frame. Each soft block is a ``mesh2`` of its simulated nodes, limbs are cones and spheres.

``scene.inc`` holds camera, light, materials and shapes and may be edited; ``ground.inc`` the land; ``frame_00000.pov`` what
moves. Axes are the world's own, right-handed with z up: the camera is given by its vectors, so that nothing is mirrored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...engine.files import written_whole
from ...engine.turns import rotation_matrices
from ..render.scene.light import SKY, SUN, TO_SUN, light_vector
from .body_plan import BodyPlan, BodyPose, Chain, Material
from .obj_sequence import GROUND_COLOUR, body_name
from .posed_meshes import block_meshes
from .scenery import OBSTACLE_SHAPES, Bounds, Surroundings, ground_mesh, seen_bounds, water_mesh
from .unit_shapes import SHAPES, Mesh

if TYPE_CHECKING:
    from .motion_recorder import Frame, Recorder

Array = NDArray[Any]

WIDEST_VIEW = 48.0
"""Units that a picture shows from west to east when bodies are farther apart than that; it is centred on the first."""
VIEW_MARGIN = 5.0
SHORTEST_LINK = 1e-6
SCENE = """// Camera, light and materials, shared by all frames. Edit as you like. World axes: x east, y north, z up.
// Each of these can be given on the command line: povray frame_00000.pov Declare=Tilt=35
#ifndef (Tilt) #declare Tilt = 0; #end            // degrees from straight above; 60 looks along the ground
#ifndef (Turn) #declare Turn = 0; #end            // degrees around the vertical
#ifndef (Zoom) #declare Zoom = 1; #end
#declare Aspect = image_width / image_height;
#declare Span = View_Width / Zoom;
camera {{
  orthographic
  location <0, 0, 200>
  direction -z
  up y * Span / Aspect
  right x * Span
  rotate x * Tilt
  rotate z * Turn
  translate View_At
}}
global_settings {{ assumed_gamma 1.0 ambient_light rgb 1 }}
background {{ color rgb <{sky}> }}
light_source {{ <{sun_at}> color rgb <{sun}> parallel point_at <0, 0, 0> }}
light_source {{ <0, 0, 500> color rgb <{fill}> shadowless }}
#declare Ground_Texture = texture {{
  pigment {{ bozo scale 3 turbulence 0.6 color_map {{ [0 color srgb <{ground}>] [1 color srgb <{ground}> * 0.72] }} }}
  normal {{ bumps 0.35 scale 0.5 }} finish {{ diffuse 0.85 ambient 0.08 }}
}}
#declare Water_Texture = texture {{
  pigment {{ color srgbt <0.16, 0.42, 0.48, 0.55> }} finish {{ diffuse 0.5 ambient 0.05 specular 0.6 roughness 0.01 }}
}}
#declare Rock_Texture = texture {{ pigment {{ color srgb <0.42, 0.41, 0.39> }} normal {{ bumps 0.5 scale 0.6 }} }}
#declare Food_Texture = texture {{ pigment {{ color srgb <0.85, 0.2, 0.16> }} finish {{ specular 0.4 }} }}
#macro Skin (Colour, Gloss)
  texture {{ pigment {{ color Colour }} finish {{ diffuse 0.8 ambient 0.1 specular 0.3 * Gloss roughness 0.02 }} }}
#end
// Tissue is a jelly: a little light passes.
#macro Jelly (Colour)
  texture {{ pigment {{ color Colour transmit 0.15 }} finish {{ diffuse 0.8 ambient 0.12 specular 0.15 roughness 0.04 }} }}
#end
"""


def write_povray(recorder: Recorder, folder: Path, done: Callable[[int], None] | None = None) -> list[Path]:
    """Write ``scene.inc``, ``ground.inc`` and ``frame_00000.pov`` and so on; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    bounds, files = seen_bounds(recorder), [folder / "scene.inc", folder / "ground.inc"]
    _write(files[0], [_scene(recorder), *_shapes(), *_materials(recorder.plans)])
    _write(files[1], _mesh2(ground_mesh(recorder.world, bounds), "texture { Ground_Texture }"))
    for place, frame in enumerate(recorder.frames):
        files.append(folder / f"frame_{place:05d}.pov")
        _write(files[-1], _frame(recorder, frame, bounds))
        if done is not None:
            done(place)
    return files


def _scene(recorder: Recorder) -> str:
    light = light_vector(recorder.world.weather.time_of_day)
    east, south, up = light[TO_SUN : TO_SUN + 3].tolist()  # screen axes: y down
    sun, sky = light[SUN : SUN + 3], light[SKY : SKY + 3]
    return SCENE.format(
        sun_at=_numbers((1000.0 * east, -1000.0 * south, 1000.0 * up)), sun=_numbers(1.25 * sun), sky=_numbers(0.35 * sky),
        fill=_numbers(0.8 * sky), ground=_numbers(GROUND_COLOUR),
    )  # fmt: skip


def _shapes() -> Iterator[str]:
    """The unit shapes, to be stretched and put into place."""
    for name, mesh in SHAPES.items():
        yield f"#declare Shape_{name} ="
        yield from _mesh2(mesh, "")


def _materials(plans: list[BodyPlan]) -> Iterator[str]:
    for number, plan in enumerate(plans):
        yield f"// {body_name(number, plan)}: {plan.species}"
        for place, material in enumerate(plan.materials):
            yield f"#macro {_material(number, place)}() {_skin(plan, place, material)} #end"


def _skin(plan: BodyPlan, place: int, material: Material) -> str:
    colour = f"srgb <{_numbers(material.colour)}>"
    soft = any(block.material == place for block in plan.blocks)
    return f"Jelly({colour})" if soft else f"Skin({colour}, {material.gloss:.3f})"


def _material(number: int, place: int) -> str:
    return f"Body_{number}_Material_{place}"


def _frame(recorder: Recorder, frame: Frame, bounds: Bounds) -> Iterator[str]:
    at, width = _view(frame, bounds)
    yield "#version 3.7;"
    yield f"// tick {frame.tick}, {frame.time:.6f} s"
    yield f"#declare View_At = <{_numbers(at)}>;"
    yield f"#declare View_Width = {width:.4f};"
    yield '#include "scene.inc"'
    yield '#include "ground.inc"'
    for pond in frame.around.water:
        yield from _mesh2(water_mesh(pond, bounds), "texture { Water_Texture } no_shadow")
    yield from _things(frame.around)
    for number, pose in frame.poses.items():
        yield f"// {body_name(number, recorder.plans[number])}"
        yield from _body(number, recorder.plans[number], pose)


def _view(frame: Frame, bounds: Bounds) -> tuple[tuple[float, float, float], float]:
    """Where the camera looks and how far: at all bodies of a frame, or at the first if they are too far apart."""
    bodies = [pose.position for pose in frame.poses.values() if len(pose.position)]
    if not bodies:
        west, south, east, north = bounds
        return (0.5 * (west + east), 0.5 * (south + north), 0.0), min(east - west, WIDEST_VIEW)
    points = np.concatenate(bodies)
    extent = (np.ptp(points, axis=0) * (1.0, 16.0 / 9.0, 0.0)).max() + 2.0 * VIEW_MARGIN
    if extent > WIDEST_VIEW:
        points, extent = bodies[0], WIDEST_VIEW
    x, y, z = (0.5 * (points.min(axis=0) + points.max(axis=0))).tolist()
    return (x, y, z), float(extent)


def _body(number: int, plan: BodyPlan, pose: BodyPose) -> Iterator[str]:
    for mesh, material in block_meshes(plan, pose):
        yield from _mesh2(mesh, f"{_material(number, material)}()")
    turns = rotation_matrices(pose.orientation) if len(pose.orientation) else np.zeros((0, 3, 3))
    for solid in plan.solids:
        turn, size = turns[solid.segment], np.array(solid.half_sizes)
        place = turn @ np.array(solid.center) + pose.position[solid.segment]
        rows = np.vstack([(turn * size).T, place])  # POV-Ray multiplies rows
        yield f"object {{ Shape_{solid.shape} {_material(number, solid.material)}() matrix <{_numbers(rows.reshape(-1))}> }}"
    for place, chain in enumerate(plan.moving_chains):
        points = pose.points[plan.point_starts[place] : plan.point_starts[place + 1]]
        yield from _links(number, chain, points)
    for chain in plan.fixed_chains:
        assert chain.fixed is not None
        yield from _links(number, chain, chain.fixed @ turns[chain.segment].T + pose.position[chain.segment])


def _links(number: int, chain: Chain, points: Array) -> Iterator[str]:
    """A limb: a cone per link, and a ball at every point."""
    for link, material in enumerate(chain.materials):
        a, b = points[link], points[link + 1]
        skin, ends = f"{_material(number, material)}()", (chain.radii[link], chain.radii[link + 1])
        if np.linalg.norm(b - a) > SHORTEST_LINK:
            yield f"cone {{ <{_numbers(a)}>, {ends[0]:.5f}, <{_numbers(b)}>, {ends[1]:.5f} open {skin} }}"
        yield f"sphere {{ <{_numbers(a)}>, {ends[0]:.5f} {skin} }}"
        yield f"sphere {{ <{_numbers(b)}>, {ends[1]:.5f} {skin} }}" if link == len(chain.materials) - 1 else ""


def _things(around: Surroundings) -> Iterator[str]:
    """Food as balls, obstacles in their own shapes."""
    for x, y, z, radius in around.food.tolist():
        yield f"sphere {{ <{_numbers((x, y, z + radius))}>, {max(radius, SHORTEST_LINK):.5f} texture {{ Food_Texture }} }}"
    for kind, x, y, z, a, b, c, heading in around.obstacles.tolist():
        place = f"rotate z * {np.degrees(heading):.4f} translate <{_numbers((x, y, z))}> texture {{ Rock_Texture }}"
        shape = OBSTACLE_SHAPES[int(kind)]
        if shape == "sphere":
            yield f"sphere {{ <0, 0, 0>, {a:.5f} {place} }}"
        elif shape == "cylinder":
            yield f"cylinder {{ <0, 0, 0>, <0, 0, {2.0 * c:.5f}>, {a:.5f} {place} }}"
        else:
            yield f"box {{ <{_numbers((-a, -b, 0.0))}>, <{_numbers((a, b, 2.0 * c))}> {place} }}"


def _mesh2(mesh: Mesh, texture: str) -> Iterator[str]:
    """A mesh with as many normals as corners; nothing for a mesh without triangles."""
    if not len(mesh.triangles):
        return
    yield "mesh2 {"
    yield _vectors("vertex_vectors", mesh.vertices, "<%.6f, %.6f, %.6f>")
    yield _vectors("normal_vectors", mesh.normals, "<%.5f, %.5f, %.5f>")
    yield _vectors("face_indices", mesh.triangles, "<%d, %d, %d>")
    yield f"{texture} }}"


def _vectors(name: str, rows: Array, form: str) -> str:
    text = ", ".join([form] * len(rows)) % tuple(rows.reshape(-1).tolist())
    return f"  {name} {{ {len(rows)}, {text} }}"


def _numbers(values: Any) -> str:
    return ", ".join(f"{float(value):.6f}" for value in values)


def _write(path: Path, lines: Any) -> None:
    with written_whole(path) as file:
        file.write(("\n".join(line for line in lines if line) + "\n").encode())
