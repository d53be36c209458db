"""Named random streams: each is seeded from the world's seed and its own name, so adding one never shifts another."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np


class Streams:
    """The random number streams of one world.

    Example::

        streams = Streams(seed=7)
        angle = streams["spawn"].uniform(0.0, 6.28)
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._streams: dict[str, np.random.Generator] = {}

    def __getitem__(self, name: str) -> np.random.Generator:
        if name not in self._streams:
            key = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")
            self._streams[name] = np.random.Generator(np.random.PCG64(np.random.SeedSequence([self.seed, key])))
        return self._streams[name]

    def state(self) -> dict[str, Any]:
        """Plain data from which `restore` continues every stream at the same number."""
        return {name: stream.bit_generator.state for name, stream in sorted(self._streams.items())}

    def rewind(self, state: dict[str, Any]) -> None:
        """Put every stream back to what `state` was a moment ago; streams that have come since begin anew."""
        for name in list(self._streams):
            if name in state:
                self._streams[name].bit_generator.state = state[name]
            else:
                del self._streams[name]

    def restore(self, state: dict[str, Any]) -> None:
        self._streams.clear()
        for name, stream_state in state.items():
            self[name].bit_generator.state = stream_state
