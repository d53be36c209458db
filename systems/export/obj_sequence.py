"""Wavefront OBJ: one file per frame, one object per body, groups of tissue, plates and limbs, one file of materials.

Axes and lengths are the world's own (z up); importers ask which axis is up.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ...engine.files import written_whole
from .body_plan import BodyPlan
from .posed_meshes import body_meshes
from .scenery import ground_mesh, seen_bounds, thing_meshes
from .unit_shapes import Mesh

if TYPE_CHECKING:
    from .motion_recorder import Frame, Recorder

Array = NDArray[Any]

MATERIALS = "materials.mtl"
GROUND = "ground.obj"
GROUND_COLOUR = (0.45, 0.36, 0.24)


def write_obj(recorder: Recorder, folder: Path, done: Callable[[int], None] | None = None) -> list[Path]:
    """Write ``frame_00000.obj`` and so on, ``ground.obj`` and ``materials.mtl``; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / MATERIALS, folder / GROUND]
    _write(files[0], _materials(recorder.plans))
    ground = _Text()
    ground.begin("ground")
    ground.add(ground_mesh(recorder.world, seen_bounds(recorder)), "ground", "ground")
    for name, mesh in thing_meshes(recorder.frames[0].around):
        ground.add(mesh, name, "ground")
    _write(files[1], ground.text())
    for place, frame in enumerate(recorder.frames):
        files.append(folder / f"frame_{place:05d}.obj")
        _write(files[-1], _frame(recorder, frame))
        if done is not None:
            done(place)
    return files


def plain_name(text: str) -> str:
    """A name without spaces, for formats that separate words by them."""
    return "".join(letter if letter.isalnum() else "_" for letter in text)


def body_name(number: int, plan: BodyPlan) -> str:
    """The name of a body in files: its number among the recorded ones, and who it is."""
    return f"{number:03d}_{plain_name(plan.name)}"


def _frame(recorder: Recorder, frame: Frame) -> bytes:
    text = _Text(f"# tick {frame.tick}, {frame.time:.6f} s, units as in the world, z up")
    for number, pose in frame.poses.items():
        plan = recorder.plans[number]
        text.begin(body_name(number, plan))
        for group, mesh, material in body_meshes(plan, pose):
            text.add(mesh, group, f"{body_name(number, plan)}_{plan.materials[material].name}")
    return text.text()


def _materials(plans: list[BodyPlan]) -> bytes:
    lines = ["newmtl ground", "Kd {:.4f} {:.4f} {:.4f}".format(*GROUND_COLOUR)]
    for number, plan in enumerate(plans):
        for material in plan.materials:
            shine = f"{0.5 * material.gloss:.3f}"
            lines += [f"newmtl {body_name(number, plan)}_{material.name}",
                      "Kd {:.4f} {:.4f} {:.4f}".format(*material.colour), f"Ks {shine} {shine} {shine}", "Ns 60"]
    return ("\n".join(lines) + "\n").encode()


class _Text:
    """The lines of one file; corners are numbered through it, from one on."""

    def __init__(self, head: str = "") -> None:
        self._lines = [*([head] if head else []), f"mtllib {MATERIALS}"]
        self._count, self._state = 0, ("", "")

    def begin(self, name: str) -> None:
        self._lines.append(f"o {name}")
        self._state = ("", "")

    def add(self, mesh: Mesh, group: str, material: str) -> None:
        before, self._state = self._state, (group, material)
        if group != before[0]:
            self._lines.append(f"g {group}")
        if material != before[1]:
            self._lines.append(f"usemtl {material}")
        self._lines.append(_rows("v %.5f %.5f %.5f", mesh.vertices))
        self._lines.append(_rows("f %d %d %d", mesh.triangles + self._count + 1))
        self._count += len(mesh.vertices)

    def text(self) -> bytes:
        return ("\n".join(line for line in self._lines if line) + "\n").encode()


def _rows(form: str, rows: Array) -> str:
    """Rows of numbers, each in the same form."""
    return "\n".join([form] * len(rows)) % tuple(rows.reshape(-1).tolist())


def _write(path: Path, content: bytes) -> None:
    with written_whole(path) as file:
        file.write(content)
