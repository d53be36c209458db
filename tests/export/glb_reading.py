"""Reading a binary glTF back with nothing but numpy: checked bounds, and where every node is at a time."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

COMPONENTS = {5123: np.dtype("<u2"), 5125: np.dtype("<u4"), 5126: np.dtype("<f4")}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    """A file, its accessors as arrays, and its nodes at any time of its animation."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", content)
        assert (magic, version, length) == (b"glTF", 2, len(content))
        size, kind = struct.unpack_from("<I4s", content, 12)
        assert kind == b"JSON"
        assert size % 4 == 0
        self.document: dict[str, Any] = json.loads(content[20 : 20 + size])
        binary, kind = struct.unpack_from("<I4s", content, 20 + size)
        assert kind == b"BIN\0"
        self.binary = content[28 + size : 28 + size + binary]
        assert self.document["buffers"] == [{"byteLength": len(self.binary)}]
        self.arrays = [self._array(accessor) for accessor in self.document["accessors"]]
        nodes = enumerate(self.document["nodes"])
        self.parents = {child: parent for parent, node in nodes for child in node.get("children", [])}
        animation = self.document["animations"][0]
        self.tracks = {(c["target"]["node"], c["target"]["path"]): animation["samplers"][c["sampler"]]
                       for c in animation["channels"]}  # fmt: skip

    def _array(self, accessor: dict[str, Any]) -> np.ndarray:
        view, kind = self.document["bufferViews"][accessor["bufferView"]], COMPONENTS[accessor["componentType"]]
        width = WIDTHS[accessor["type"]]
        assert view["byteOffset"] % 4 == 0
        assert view["byteLength"] == accessor["count"] * width * kind.itemsize
        assert view["byteOffset"] + view["byteLength"] <= len(self.binary)
        values = np.frombuffer(self.binary, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
        assert np.isfinite(values).all()
        np.testing.assert_array_equal(values.min(axis=0), np.array(accessor["min"], kind))
        np.testing.assert_array_equal(values.max(axis=0), np.array(accessor["max"], kind))
        return values

    def node(self, name: str) -> int:
        """The one node of this name."""
        (found,) = [place for place, node in enumerate(self.document["nodes"]) if node["name"] == name]
        return found

    def below(self, root: int) -> dict[str, int]:
        """All nodes below one, by name."""
        found: dict[str, int] = {}
        for child in self.document["nodes"][root].get("children", []):
            found |= {self.document["nodes"][child]["name"]: child, **self.below(child)}
        return found

    def value(self, node: int, path: str, time: float) -> np.ndarray:
        """Translation, rotation or scale of a node at a time that is a key; clamped before and after the keys."""
        track = self.tracks.get((node, path))
        if track is None:
            plain = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}[path]
            return np.array(self.document["nodes"][node].get(path, plain), dtype=np.float64)
        times = self.arrays[track["input"]][:, 0]
        assert (np.diff(times) > 0).all()
        key = np.clip(np.searchsorted(times, time + 1e-4) - 1, 0, len(times) - 1)
        return self.arrays[track["output"]][key].astype(np.float64)

    def matrix(self, node: int, time: float) -> np.ndarray:
        """The node's frame in the scene (4, 4)."""
        x, y, z, w = self.value(node, "rotation", time)
        turn = np.array([(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                         (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                         (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))])  # fmt: skip
        own = np.eye(4)
        own[:3, :3], own[:3, 3] = turn * self.value(node, "scale", time), self.value(node, "translation", time)
        return self.matrix(self.parents[node], time) @ own if node in self.parents else own

    def skinned(self, skin_node: int, time: float) -> np.ndarray:
        """The corners (n, 3) of a skinned mesh at a time, blended as viewers do it."""
        node = self.document["nodes"][skin_node]
        skin, mesh = self.document["skins"][node["skin"]], self.document["meshes"][node["mesh"]]
        attributes = {name: self.arrays[place] for name, place in mesh["primitives"][0]["attributes"].items()}
        back = self.arrays[skin["inverseBindMatrices"]].reshape(-1, 4, 4).swapaxes(1, 2).astype(np.float64)
        frames = np.array([self.matrix(joint, time) for joint in skin["joints"]]) @ back
        blended = np.einsum("nk,nkij->nij", attributes["WEIGHTS_0"].astype(np.float64), frames[attributes["JOINTS_0"]])
        corners = np.column_stack([attributes["POSITION"].astype(np.float64), np.ones(len(blended))])
        return np.einsum("nij,nj->ni", blended, corners)[:, :3]


def z_up(points: np.ndarray) -> np.ndarray:
    """Points of a glTF scene in the axes of our worlds."""
    return np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)
