"""A body as a skeleton: segments, links of limbs and cores of tissue are joints with a place and a turn in each frame.

Segments are joints without parents, because each moves freely, and so are the cores of soft blocks; the first link of a
limb hangs on its segment, each further one on the link before it. In the first frame all links have their segment's turn,
later they turn the short way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.turns import best_rotations, inverse, product, shortest, small_turns, steady, turned, unit
from .body_plan import BodyPlan, BodyPose

Array = NDArray[Any]

NO_PARENT = -1


@dataclass(frozen=True)
class Rig:
    """The joints of one body over all frames in which it was seen."""

    names: list[str]
    parents: list[int]
    position: Array  # (frames, joints, 3) in the world
    turn: Array  # (frames, joints, 4) in the world
    first_link: list[int]  # per moving chain of the plan: the joint of its first link
    cores: list[int]  # per block of the plan: the joint of its core, NO_PARENT without one

    @property
    def local_position(self) -> Array:
        """(frames, joints, 3) in the frame of the parent."""
        parents = np.array(self.parents)
        apart = self.position - self.position[:, parents]
        local = turned(inverse(self.turn[:, parents]), apart)
        result: Array = np.where((parents == NO_PARENT)[:, None], self.position, local)
        return result

    @property
    def local_turn(self) -> Array:
        """(frames, joints, 4) in the frame of the parent, without jumps of sign."""
        parents = np.array(self.parents)
        local = product(inverse(self.turn[:, parents]), self.turn)
        local = np.where((parents == NO_PARENT)[:, None], self.turn, local)
        return steady(local / np.linalg.norm(local, axis=-1, keepdims=True))


def rig_of(plan: BodyPlan, poses: Sequence[BodyPose]) -> Rig:
    """The skeleton of a body in these poses."""
    position = np.stack([pose.position for pose in poses])
    turns = np.stack([pose.orientation for pose in poses])
    turns = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
    points = np.stack([pose.points for pose in poses]).astype(np.float64)
    names, parents = [f"segment {place}" for place in range(plan.segments)], [NO_PARENT] * plan.segments
    places, orientations, first_link = [position], [turns], []
    for chain, start, stop in zip(plan.moving_chains, plan.point_starts[:-1], plan.point_starts[1:], strict=True):
        first_link.append(len(names))
        parent, turn = chain.segment, turns[:, chain.segment]
        for link in range(stop - start - 1):
            along = unit(points[:, start + link + 1] - points[:, start + link])
            rest = turned(inverse(turn[:1]), along[:1])
            turn = product(shortest(turned(turn, rest), along), turn)
            turn = turn / np.linalg.norm(turn, axis=-1, keepdims=True)
            names.append(f"{chain.name} {link}")
            parents.append(parent)
            parent = len(names) - 1
            places.append(points[:, start + link, None])
            orientations.append(turn[:, None])
    cores = []
    for place, block in enumerate(plan.blocks):
        cores.append(len(names) if len(block.core) else NO_PARENT)
        if len(block.core):
            nodes = np.stack([pose.nodes[plan.node_starts[place] + block.core] for pose in poses]).astype(np.float64)
            middle, turn = _core(nodes, turns[:, block.segments[0]])
            names.append(f"tissue {place}")
            parents.append(NO_PARENT)
            places.append(middle[:, None])
            orientations.append(turn[:, None])
    return Rig(names, parents, np.concatenate(places, axis=1), np.concatenate(orientations, axis=1), first_link, cores)


def _core(nodes: Array, carrier: Array) -> tuple[Array, Array]:
    """Place (frames, 3) and turn (frames, 4) that follow nodes (frames, n, 3) best; first, the turn is the carrier's.

    The carrier's own turning is taken off before the rest is measured: that is small.
    """
    middle = nodes.mean(axis=1)
    moved = product(carrier, inverse(carrier[:1]))
    around = turned(inverse(moved)[:, None], nodes - middle[:, None])
    rest = small_turns(best_rotations(around[0], around))
    return middle, product(product(moved, rest), carrier[:1])
