"""glTF 2.0: a skinned mesh per body, animated joint by joint, with the ground, the still water and the things around.

glTF is y up, our worlds are z up: (x, y, z) becomes (x, z, -y), so east stays x, up is y and north is -z; one unit is one
metre. A body that is not there from first to last has its root scaled to nothing while it is away.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...engine.turns import rotation_matrices
from .body_plan import BodyPlan, BodyPose, Material
from .gltf_file import INDICES, VERTICES, GltfFile
from .obj_sequence import GROUND_COLOUR
from .posed_meshes import block_meshes, limb_meshes, placed, solid_meshes
from .rig import NO_PARENT, Rig, rig_of
from .scenery import ground_mesh, seen_bounds, thing_meshes, water_mesh
from .unit_shapes import Mesh

if TYPE_CHECKING:
    from .motion_recorder import Recorder

Array = NDArray[Any]

STILL = 1e-6
"""Units, or quaternion parts: what changes less all the time is not animated."""

SCENERY = {
    "ground": Material("ground", GROUND_COLOUR, 0.0), "rock": Material("rock", (0.42, 0.41, 0.39), 0.1),
    "food": Material("food", (0.85, 0.2, 0.16), 0.6), "water": Material("water", (0.16, 0.42, 0.48), 0.9, opacity=0.45),
}  # fmt: skip


def write_gltf(recorder: Recorder, path: Path) -> Path:
    """Write everything a recorder has seen into one binary file."""
    file, channels, materials = GltfFile(), _Channels([], []), dict[Material, int]()
    start, roots = recorder.frames[0].time, _scenery(file, recorder, materials)
    for number, plan in enumerate(recorder.plans):
        seen = [(frame.time - start, frame.poses[number]) for frame in recorder.frames if number in frame.poses]
        if not plan.segments:
            continue
        rig = rig_of(plan, [pose for _, pose in seen])
        times = file.accessor(np.array([time for time, _ in seen], np.float32))
        root, joints = _skeleton(file, plan, rig, times, channels)
        roots += [root, _skin(file, plan, seen[0][1], rig, (root, joints), materials)]
        there = np.array([number in frame.poses for frame in recorder.frames])
        if not there.all():
            _appear(file, root, np.array([frame.time - start for frame in recorder.frames]), there, channels)
    if channels.channels:
        file.add("animations", {"name": "recording", "samplers": channels.samplers, "channels": channels.channels})
    file.document["scene"] = file.add("scenes", {"name": recorder.world.map.name, "nodes": roots})
    return file.write(path)


def y_up(vectors: Array) -> Array:
    """Vectors of a world with z up in one with y up."""
    return np.stack([vectors[..., 0], vectors[..., 2], -vectors[..., 1]], axis=-1).astype(np.float32)


def y_up_turns(turns: Array) -> Array:
    """Quaternions wxyz of a world with z up as glTF's xyzw with y up."""
    return np.stack([turns[..., 1], turns[..., 3], -turns[..., 2], turns[..., 0]], axis=-1).astype(np.float32)


@dataclass(frozen=True)
class _Channels:
    """The animation so far."""

    samplers: list[dict[str, Any]]
    channels: list[dict[str, Any]]

    def add(self, node: int, path: str, times: int, values: int, interpolation: str = "LINEAR") -> None:
        self.samplers.append({"input": times, "output": values, "interpolation": interpolation})
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})


def _skeleton(file: GltfFile, plan: BodyPlan, rig: Rig, times: int, channels: _Channels) -> tuple[int, list[int]]:
    """The nodes of a body: its root and one per joint; channels only for what moves."""
    about = {"species": plan.species, "serial": plan.serial, "family": plan.family}
    root = file.add("nodes", {"name": plan.name, "children": [], "extras": about})
    places, turns = y_up(rig.local_position), y_up_turns(rig.local_turn)
    joints: list[int] = []
    for joint, (name, parent) in enumerate(zip(rig.names, rig.parents, strict=True)):
        place, turn = places[:, joint], turns[:, joint]
        node = file.add("nodes", {"name": name, "translation": place[0].tolist(), "rotation": turn[0].tolist()})
        joints.append(node)
        above = file.document["nodes"][root if parent == NO_PARENT else joints[parent]]
        above.setdefault("children", []).append(node)
        if len(place) > 1 and np.ptp(place, axis=0).max() > STILL:
            channels.add(node, "translation", times, file.accessor(place))
        if len(turn) > 1 and np.ptp(turn, axis=0).max() > STILL:
            channels.add(node, "rotation", times, file.accessor(turn))
    return root, joints


def _skin(file: GltfFile, plan: BodyPlan, pose: BodyPose, rig: Rig, nodes: tuple[int, list[int]],
          materials: dict[Material, int]) -> int:
    """The mesh of a body as it was first seen, bound to its joints; returns its node."""
    vertices, normals, joints, weights, parts = _bound(plan, pose, rig)
    attributes = {
        "POSITION": file.accessor(y_up(vertices), VERTICES), "NORMAL": file.accessor(y_up(normals), VERTICES),
        "JOINTS_0": file.accessor(joints.astype(np.uint16), VERTICES),
        "WEIGHTS_0": file.accessor(weights.astype(np.float32), VERTICES),
    }  # fmt: skip
    primitives = [{"attributes": attributes, "indices": file.accessor(triangles.reshape(-1).astype(np.uint32), INDICES),
                   "material": _material(file, plan.materials[material], materials)}
                  for material, triangles in sorted(parts.items())]  # fmt: skip
    mesh = file.add("meshes", {"name": plan.name, "primitives": primitives})
    skin = file.add("skins", {"name": plan.name, "joints": nodes[1], "skeleton": nodes[0],
                              "inverseBindMatrices": file.accessor(_inverse_binds(rig))})  # fmt: skip
    return file.add("nodes", {"name": f"{plan.name} skin", "mesh": mesh, "skin": skin})


def _bound(plan: BodyPlan, pose: BodyPose, rig: Rig) -> tuple[Array, Array, Array, Array, dict[int, Array]]:
    """Corners, normals, joints (n, 4), weights (n, 4) of a whole body, and its triangles by material."""
    pieces: list[tuple[Mesh, Array, Array]] = []
    triangles: dict[int, list[Array]] = {}
    count = 0

    def add(mesh: Mesh, material: int, joints: list[int], weights: Array | None = None) -> None:
        nonlocal count
        whole = np.tile([1.0, 0.0, 0.0, 0.0], (len(mesh.vertices), 1)) if weights is None else weights
        pieces.append((mesh, np.tile((joints + [0] * 4)[:4], (len(mesh.vertices), 1)), whole))
        triangles.setdefault(material, []).append(mesh.triangles + count)
        count += len(mesh.vertices)

    for block, core, (mesh, material) in zip(plan.blocks, rig.cores, block_meshes(plan, pose), strict=True):
        weights = np.pad(block.weights, ((0, 0), (0, 2)))
        weights[block.core] = (0.0, 0.0, 1.0, 0.0)
        add(mesh, material, [*block.segments, core], weights)
    for mesh, segment, material in solid_meshes(plan):
        add(placed(mesh, pose, segment), material, [segment])
    for mesh, chain, link, material in limb_meshes(plan, pose):
        add(mesh, material, [rig.first_link[chain] + link])
    weights = np.concatenate([piece[2] for piece in pieces])
    joints = np.concatenate([piece[1] for piece in pieces])
    joints[weights == 0.0] = 0  # a joint without weight is joint 0
    return (
        np.concatenate([piece[0].vertices for piece in pieces]), np.concatenate([piece[0].normals for piece in pieces]),
        joints, weights, {key: np.concatenate(value) for key, value in triangles.items()},
    )  # fmt: skip


def _inverse_binds(rig: Rig) -> Array:
    """From the first frame's world to every joint, column by column as glTF wants it (joints, 4, 4)."""
    x, y, z, w = np.moveaxis(y_up_turns(rig.turn[0]).astype(np.float64), -1, 0)
    turns, places = rotation_matrices(np.stack([w, x, y, z], axis=-1)), y_up(rig.position[0]).astype(np.float64)
    back = np.tile(np.eye(4), (len(places), 1, 1))
    back[:, :3, :3] = np.swapaxes(turns, 1, 2)
    back[:, :3, 3] = -np.einsum("jba,jb->ja", turns, places)
    return np.swapaxes(back, 1, 2).astype(np.float32)


def _material(file: GltfFile, material: Material, known: dict[Material, int]) -> int:
    """A material of the file; the same colour is written once."""
    if material not in known:
        shown = np.array(material.colour, dtype=np.float64)
        linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
        surface = {"baseColorFactor": [*linear.tolist(), material.opacity], "metallicFactor": 0.0,
                   "roughnessFactor": 1.0 - 0.6 * material.gloss}  # fmt: skip
        clear = {"alphaMode": "BLEND", "doubleSided": True} if material.opacity < 1.0 else {}
        known[material] = file.add("materials", {"name": material.name, "pbrMetallicRoughness": surface, **clear})
    return known[material]


def _appear(file: GltfFile, root: int, times: Array, there: Array, channels: _Channels) -> None:
    """Let a body be as large as it is while it is there, and of no size before and after."""
    changes = np.flatnonzero(np.diff(there, prepend=~there[0]))
    sizes = np.where(there[changes, None], np.ones(3), np.zeros(3)).astype(np.float32)
    channels.add(root, "scale", file.accessor(times[changes].astype(np.float32)), file.accessor(sizes), "STEP")


def _scenery(file: GltfFile, recorder: Recorder, materials: dict[Material, int]) -> list[int]:
    """Nodes of the ground, the still water and the things that lie about, as they were in the first frame."""
    bounds, around = seen_bounds(recorder), recorder.frames[0].around
    pieces = [("ground", ground_mesh(recorder.world, bounds)), *thing_meshes(around)]
    pieces += [("water", water_mesh(pond, bounds)) for pond in around.water]
    nodes = []
    for name, mesh in pieces:
        if not len(mesh.triangles):
            continue
        primitive = {
            "attributes": {"POSITION": file.accessor(y_up(mesh.vertices), VERTICES),
                           "NORMAL": file.accessor(y_up(mesh.normals), VERTICES)},
            "indices": file.accessor(mesh.triangles.reshape(-1).astype(np.uint32), INDICES),
            "material": _material(file, SCENERY[name], materials),
        }  # fmt: skip
        number = file.add("meshes", {"name": name, "primitives": [primitive]})
        nodes.append(file.add("nodes", {"name": name, "mesh": number}))
    return nodes
