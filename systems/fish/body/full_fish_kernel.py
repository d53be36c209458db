"""Fishes in full detail: forces, contact and substeps of each, then its frame and segments."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.body import Answer
from ....components.fish.topology import NODES
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ...breath_kernel import seconds_in_air
from ...water.water_around_kernel import level_around, mean_stream
from .contact_kernel import keep_out
from .forces_kernel import add_couples, add_dead_lift, add_fins, take_pushes
from .frame_kernel import write_frame, write_segments
from .springs_kernel import U, X, is_sound, load_body, step_springs, store_body

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.nodes import NodePool
    from ....components.fish.springs import FishBodyPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector
    from ....engine.water.pond_layout import WaterArrays
    from ...body_surroundings import BodySurroundings
    from .kind_table import FishKinds

LEAST_WET = 0.2  # share of the nodes under water with which it breathes, and with which its fins find hold
FASTEST_FLOW = 6.0  # lengths per second of its own time past a body
BLOCK = 8  # fishes to a scratch row


@kernel(refcount=False)
def water_level(c: int, fishes: FishBodyPool, water: WaterArrays) -> float:
    """Return the level of the water at a fish, far below everything where it is dry."""
    length = fishes.length[c]
    return level_around(fishes.centre[c, 0], fishes.centre[c, 1], length, length, water)[0]


@kernel(refcount=False)
def feel_stream(c: int, fishes: FishBodyPool, bodies: BodyPool, segments: SegmentPool) -> Vector:
    """Update and return the velocity of the water around a fish."""
    stream = mean_stream(c, bodies, segments)
    fishes.stream[c, 0], fishes.stream[c, 1], fishes.stream[c, 2] = stream
    return stream


@kernel(refcount=False)
def sweep_along(s: Array, c: int, fishes: FishBodyPool, stream: Vector) -> None:
    """Update a fish in water that rushes past it: what is faster than it could bear takes all of it along."""
    gap = (stream[0] - fishes.velocity[c, 0], stream[1] - fishes.velocity[c, 1], stream[2] - fishes.velocity[c, 2])
    speed, most = sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]), FASTEST_FLOW * fishes.length[c] * fishes.pace[c]
    if speed > most:
        for axis in range(3):
            for node in range(NODES):
                s[U + axis * NODES + node] += (1.0 - most / speed) * gap[axis]


@kernel(refcount=False)
def wet_share(s: Array, level: float) -> float:
    """Return the share of the nodes that are under water."""
    under = 0
    for node in range(NODES):
        if s[X + 2 * NODES + node] < level:
            under += 1
    return under / NODES


@kernel(refcount=False)
def put_back(s: Array, c: int, kind: int, kinds: FishKinds, fishes: FishBodyPool, stream: Vector) -> None:
    """Update a body that is turned inside out, or is no longer a number, to its shape at rest where it was last, adrift."""
    size = fishes.size[c]
    for node in range(NODES):
        for axis in range(3):
            at = fishes.centre[c, axis]
            for k in range(3):
                at += size * kinds.rest[kind, node, k] * fishes.axes[c, k, axis]
            s[X + axis * NODES + node] = at
            s[U + axis * NODES + node] = stream[axis]


@kernel(refcount=False)
def step_fish(c: int, kind: int, s: Array, creatures: CreaturePool, kinds: FishKinds, fishes: FishBodyPool,
              motors: MotorPool, nodes: NodePool, bodies: BodyPool, segments: SegmentPool, world: BodySurroundings,
              dt: float) -> None:  # fmt: skip
    """Update one fish over a tick. world: `BodySurroundings`."""
    first, dead = int64(fishes.first_node[c]), creatures.dead[c]
    load_body(s, nodes, first)
    level = water_level(c, fishes, world.water)
    stream = feel_stream(c, fishes, bodies, segments)
    fishes.wet[c] = wet_share(s, level)
    dry = fishes.wet[c] < LEAST_WET
    fishes.air_seconds[c] = seconds_in_air(fishes.air_seconds[c], dry, dt)
    if not dry:
        sweep_along(s, c, fishes, stream)
        add_couples(s, c, kind, dead, kinds, fishes, motors)
        if dead == 0:
            add_fins(s, c, fishes, motors, stream)
        else:
            add_dead_lift(s, kind, kinds, fishes.size[c])
    take_pushes(s, c, kind, kinds, fishes, bodies, segments, dt)
    keep_out(s, c, fishes, world.ground, world)
    contraction = (fishes.contraction_before[c], fishes.contraction[c])
    medium = (level, stream, world.gravity)
    step_springs(s, kinds, kind, fishes.size[c], motors.tone[c], fishes.tuned[c], contraction, medium,
                 fishes.substeps[c], dt)  # fmt: skip
    for node in range(NODES):
        for axis in range(3):
            s[X + axis * NODES + node] += dt * fishes.dragged[c, axis]
    fishes.dragged[c, 0] = fishes.dragged[c, 1] = fishes.dragged[c, 2] = 0.0
    fishes.disturbed[c], bodies.answer[c] = 0, Answer.PUSH.value
    if not is_sound(s, kinds, kind, fishes.size[c]):
        put_back(s, c, kind, kinds, fishes, stream)
        fishes.disturbed[c] = 1
    store_body(s, nodes, first)
    write_frame(c, kind, kinds, fishes, nodes)
    write_segments(c, fishes, nodes, bodies, segments, level)


@kernel(parallel=True)
def step_full_fishes(rows: Array, creatures: CreaturePool, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool,
                     nodes: NodePool, bodies: BodyPool, segments: SegmentPool, world: BodySurroundings, dt: float,
                     scratch: Array) -> None:  # fmt: skip
    """Update the listed fishes over a tick, some after each other in the same scratch row, which stays in the cache."""
    blocks = (rows.size + BLOCK - 1) // BLOCK
    for block in prange(blocks):
        s = scratch[block]
        for r in range(BLOCK * block, min(BLOCK * (block + 1), rows.size)):
            c = int64(rows[r])
            step_fish(c, int64(creatures.kind[c]), s, creatures, kinds, fishes, motors, nodes, bodies, segments, world,
                      dt)  # fmt: skip
