"""The container of glTF 2.0: buffer views, accessors and the binary file itself. [glTF 2.0, 3.6 and 4.4]"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.files import written_whole

Array = NDArray[Any]

MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
VERTICES, INDICES = 34962, 34963  # targets of buffer views
_COMPONENTS = {np.dtype(np.uint16): 5123, np.dtype(np.uint32): 5125, np.dtype(np.float32): 5126}
_SHAPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}


class GltfFile:
    """A glTF document in the making: JSON tables and one binary buffer.

    Example::

        file = GltfFile()
        times = file.accessor(np.array([0.0, 0.5], np.float32))
        node = file.add("nodes", {"name": "root"})
        file.write(Path("scene.glb"))
    """

    def __init__(self) -> None:
        self.document: dict[str, Any] = {"asset": {"version": "2.0", "generator": "paludarium"}}
        self._chunks: list[bytes] = []
        self._length = 0

    def add(self, table: str, entry: dict[str, Any]) -> int:
        """Append an entry to a table of the document and return its number."""
        entries = self.document.setdefault(table, [])
        entries.append(entry)
        return len(entries) - 1

    def accessor(self, values: Array, target: int | None = None) -> int:
        """Store an array (n, ...) of uint16, uint32 or float32 and return its accessor, with minimum and maximum."""
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise ValueError("glTF holds no NaN and no infinity")
        content = np.ascontiguousarray(values).tobytes()
        view = {"buffer": 0, "byteOffset": self._length, "byteLength": len(content)}
        if target is not None:
            view["target"] = target
        self._append(content)
        flat = values.reshape(len(values), -1)
        return self.add("accessors", {
            "bufferView": self.add("bufferViews", view), "componentType": _COMPONENTS[values.dtype],
            "count": len(values), "type": _SHAPES[values.shape[1:]],
            "min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist(),
        })  # fmt: skip

    def write(self, path: Path) -> Path:
        """Write the binary file, whole or not at all."""
        if self._length:
            self.document["buffers"] = [{"byteLength": self._length}]
        text = json.dumps(self.document, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        binary = b"".join(self._chunks)
        length = 12 + 8 + len(text) + (8 + len(binary) if binary else 0)
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            file.write(struct.pack("<III", MAGIC, VERSION, length))
            file.write(struct.pack("<II", len(text), JSON_CHUNK) + text)
            if binary:
                file.write(struct.pack("<II", len(binary), BINARY_CHUNK) + binary)
        return path

    def _append(self, content: bytes) -> None:
        content += b"\0" * (-len(content) % 4)
        self._chunks.append(content)
        self._length += len(content)
