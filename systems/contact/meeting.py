"""What bodies are to each other in one tick: one record for all kernels of contact."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.spatial_hash import SpatialHash


class Meeting(NamedTuple):
    """Where bodies are, who presses whom, and the contacts that are found. Kernels write the last six, each its own rows.

    Example::

        find_contacts(rows, bodies, segments, meeting)      # in the kernel: meeting.counts[k] += 1
    """

    places: Array  # first capsule of each creature, by creature row
    capsules: Array  # of all bodies, `SolidField` rows
    boxes: Array  # plan boxes around them
    herd: Array  # creature rows by item of the next hash
    herd_hash: SpatialHash  # boxes around whole bodies
    kin: Array  # numbers by creature row: those who have the same one do not press against each other
    meets: Array  # by creature row, whether it presses at all
    presses: Array  # and whether, as a chain, it presses chains
    widest: float  # radius of all capsules
    dt: float  # s, of the tick
    partners: Array  # (capsules, MOST_LINKS) whom each capsule touches
    links: Array  # (capsules, MOST_LINKS + 1, Link) what is known of each of these contacts
    counts: Array  # how many those are, which may be more than there is room for
    sharing: Array  # by how many a force on a capsule is divided
    touches: Array  # by creature row, whether it has contacts
    wants: Array  # (creature rows, 2) u/s by which nudges are still too small
