"""How finely a body has to be stepped: for its elastic tissue, for the damping in it, and for its contact with the ground.

All three are explicit between segments. A mode of frequency w that is damped at the rate c survives steps of dt while
(w dt)^2 + 2 c dt < 4; every one of them is kept well inside that [numerics 3].
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .anatomy import STABILITY_SHARE, face_points, largest_frequency, rest_stiffness
from .lattice import FIRST_FREE, FIRST_REAR, FREE_MASSES, NODES, UNIT_DAMPING
from .skeleton import Skeleton, skeleton_of

Floats = NDArray[np.float64]

MOST_STEPS_PER_S = 12_000.0
"""Steps per second that a body may need: twenty times those of the source's tissue. 18 segments take 8 ms per tick then."""

FRAME_SHARE = 0.8
"""Of the elastic limit for modes in which segments move: they are slower than the nodes between them, but for light ones."""

DAMPING_SHARE = 1.0
"""Largest c dt; beside elastic modes at half their limit 1.5 would be the end."""

ROTATION_FREE_RATE = 4.0
"""Fastest rate of the damping that spares rotation, in gamma / rho."""

CONTACT_STEPS_PER_S = 260.0
"""For a box on the ground: w = sqrt(2000 * 8 * 4), its eight corners and their levers, at half the limit."""

LENGTHS = 4
"""Muscle lengths at which frequencies are looked at, from the shortest to the block's own."""

REMEMBERED = 64
"""Species whose answer is kept: it is asked for when a file is read, and again when the first of them is born."""

_FACES = np.r_[0:FIRST_FREE, FIRST_REAR:NODES]
_FREE = slice(FIRST_FREE, FIRST_REAR)
# Damping among the nodes of the two faces while free nodes follow, as they do the more, the stronger it is.
_FACE_TO_FACE = UNIT_DAMPING[np.ix_(_FACES, _FACES)] - UNIT_DAMPING[_FACES][:, _FREE] @ np.linalg.solve(
    UNIT_DAMPING[_FREE, _FREE], UNIT_DAMPING[_FREE][:, _FACES]
)


class StepsNeeded(NamedTuple):
    """Steps per second that each of the three asks for; `stiffness` grows with the root of E, `damping` with gamma."""

    stiffness: float
    damping: float
    contact: float = CONTACT_STEPS_PER_S

    def per_tick(self, tick: float) -> int:
        """Whole substeps of a tick of this length."""
        return max(1, int(np.ceil(tick * max(self))))


def stiffest_material(specs: dict[str, Any]) -> tuple[float, float, float]:
    """mu, lambda and density of a species' tissue while its muscles are fully contracted."""
    tissue = specs["tissue"]
    rise = 1.0 + (specs["muscles"].stiffening if "muscles" in specs else 0.0)
    return rise * tissue.lame[0], rise * tissue.lame[1], tissue.density


def steps_needed(specs: dict[str, Any]) -> StepsNeeded:
    """What the body of a species needs, from all blocks that differ.

    Example::

        steps_needed(world.species["pauropod"].specs).per_tick(1 / 60)  # 10
    """
    if "tissue" not in specs:
        return StepsNeeded(0.0, 0.0)
    return _steps_needed(specs["segments"], specs["tissue"], specs.get("muscles"), specs.get("chain"))


@lru_cache(maxsize=REMEMBERED)
def _steps_needed(segments: Any, tissue: Any, muscles: Any, chain: Any) -> StepsNeeded:
    given = {"segments": segments, "tissue": tissue, "muscles": muscles, "chain": chain}
    specs = {name: spec for name, spec in given.items() if spec is not None}
    body, material = skeleton_of(specs), stiffest_material(specs)
    lengths = np.linspace(tissue.shortest_muscle, 1.0, LENGTHS)
    stiffness = damping = 0.0
    seen: set[tuple[float, ...]] = set()
    for k, size in enumerate(body.joints.size):
        key = (*size.tolist(), *(float(body.mass[i]) for i in _ends(body, k)))
        if key in seen:
            continue
        seen.add(key)
        nodes = max(largest_frequency(size, *material, float(at)) for at in lengths)
        frames = max(frame_frequency(body, k, material, float(at)) for at in lengths[[0, -1]])
        stiffness = max(stiffness, nodes / (2.0 * STABILITY_SHARE), frames / (2.0 * FRAME_SHARE))
        damping = max(damping, damping_rate(body, k) / DAMPING_SHARE)
    if tissue.damping_kind == "rotation_free":
        damping = max(damping, ROTATION_FREE_RATE * tissue.damping / tissue.density / DAMPING_SHARE)
    return StepsNeeded(stiffness, damping)


def frame_frequency(body: Skeleton, k: int, material: tuple[float, float, float], length: float) -> float:
    """Largest eigenfrequency (rad/s) of block k with its two segments free, which count half: each is between two blocks."""
    mu, lam, density = material
    size = body.joints.size[k]
    motion = np.zeros((NODES, 3, 39))
    motion[_FACES, :, :12] = _face_motions(body, k)
    motion[_FREE].reshape(27, 39)[:, 12:] = np.eye(27)
    flat = motion.reshape(81, 39)
    mass = np.zeros((39, 39))
    mass[:12, :12] = _half_masses(body, k)
    mass[np.arange(12, 39), np.arange(12, 39)] = np.repeat(FREE_MASSES, 3) * density * float(np.prod(size))
    return float(np.sqrt(_fastest(flat.T @ rest_stiffness(size, mu, lam, length).reshape(81, 81) @ flat, mass)))


def damping_rate(body: Skeleton, k: int) -> float:
    """Fastest rate (1/s) at which the damping of block k takes motion from its two segments."""
    motion = _face_motions(body, k)
    forces = np.einsum("ndm,nk,kde->me", motion, _FACE_TO_FACE, motion)
    return body.material[3] * float(np.prod(body.joints.size[k])) * _fastest(forces, _half_masses(body, k))


def _ends(body: Skeleton, k: int) -> tuple[int, int]:
    """The two segments of block k."""
    return int(body.joints.segment_a[k]), int(body.joints.segment_b[k])


def _face_motions(body: Skeleton, k: int) -> Floats:
    """(18, 3, 12) velocities of the face nodes per velocity and spin of the segment ahead and of the one behind."""
    motions = np.zeros((2 * FIRST_FREE, 3, 12))
    ends = zip(_ends(body, k), (body.joints.anchor_a[k], body.joints.anchor_b[k]), strict=True)
    for end, (segment, anchor) in enumerate(ends):
        here, columns = slice(end * FIRST_FREE, (end + 1) * FIRST_FREE), 6 * end
        arm = face_points(anchor, body.joints.size[k], end == 0) - body.center_of_mass[segment]
        motions[here, :, columns : columns + 3] = np.eye(3)
        for axis in range(3):
            motions[here, :, columns + 3 + axis] = np.cross(np.eye(3)[axis], arm)
    return motions


def _half_masses(body: Skeleton, k: int) -> Floats:
    mass = np.zeros((12, 12))
    for end, segment in enumerate(_ends(body, k)):
        at = slice(6 * end, 6 * end + 3)
        turn = slice(6 * end + 3, 6 * end + 6)
        mass[at, at], mass[turn, turn] = 0.5 * body.mass[segment] * np.eye(3), 0.5 * body.inertia[segment]
    return mass


def _fastest(forces: Floats, mass: Floats) -> float:
    """The largest generalised eigenvalue."""
    scale = np.linalg.inv(np.linalg.cholesky(mass))
    return float(np.linalg.eigvalsh(scale @ forces @ scale.T)[-1])
