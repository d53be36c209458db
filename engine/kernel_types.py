"""What kernels take and return, for readers and type checkers. Compiled code never looks at any of it.

numba finds all types by itself. Annotations are there so that a misspelt column, two pools in the wrong order or a missing
argument are found when they are written, not when they are compiled. A test compares them with what numba infers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias


class Array(Protocol):
    """An array as a kernel sees it: what is read from it is whatever the compiler finds there.

    `NDArray` will not do: to a checker an element of one may be an array again, so that `gait[Gait.LIMIT] * x` is no number.
    """

    @property
    def size(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def dtype(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: Any, /) -> Any: ...
    def __setitem__(self, index: Any, value: Any, /) -> None: ...


class Numbers(Protocol):
    """A few numbers that are only read: a tuple, or a row of an array."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...


Vector: TypeAlias = tuple[float, float, float]
"""A place, a direction or a velocity."""
Four: TypeAlias = tuple[float, float, float, float]
"""A quaternion, a box in plan, or a height and a normal."""
Frame: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float, float, float]
"""A pose: the centre, then the body's x, y and z axis in world coordinates."""

# Casts. To a checker `np.int64` makes no `int` and `np.float32` no `float`, though kernels go on counting and reckoning with
# what they return. Under these names it is told what compiled code does with the result.
if TYPE_CHECKING:

    def int8(value: Any, /) -> int: ...
    def int16(value: Any, /) -> int: ...
    def int32(value: Any, /) -> int: ...
    def int64(value: Any, /) -> int: ...
    def uint8(value: Any, /) -> int: ...
    def uint16(value: Any, /) -> int: ...
    def uint32(value: Any, /) -> int: ...
    def uint64(value: Any, /) -> int: ...
    def float32(value: Any, /) -> float: ...
    def float64(value: Any, /) -> float: ...

else:
    from numpy import float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

__all__ = [
    "Array", "Four", "Frame", "Numbers", "Vector",
    "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
]  # fmt: skip
