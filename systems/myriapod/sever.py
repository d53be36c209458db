"""Cutting a body in two at a joint. The front keeps its name, its brain and its orders; the rear becomes a creature.

Nothing moves: both halves take over the rows of the whole as they are, without the block of tissue between them. Only
the two segments at the cut become lighter, by the tissue nodes that were bound to them. Each half gets a species of its
own, the tables of the whole with other numbers, so that a saved world can be built again from its header alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import esper
import numpy as np

from ...components.body import BodyPool, find_rows
from ...components.brain_modes import GoalKind
from ...components.legs import LegPool
from ...components.myriapod.appearance import PROPORTIONS, AppearancePool
from ...components.myriapod.chain import ChainPool
from ...components.myriapod.chain_segments import ChainSegmentPool
from ...components.myriapod.construction.anatomy import rigid_properties
from ...components.myriapod.headless_walk import GangliaPool, GangliaSpec, start_ganglia
from ...components.myriapod.tissue import Elastic, TissuePool
from ...components.segments import SegmentPool
from ...engine.creature import Creature, Identity
from ...engine.errors import PaludariumError, shortened
from ...engine.families import DEFAULT_FAMILY
from ...engine.lifecycle import enter
from ...engine.pool import Pool, Rows
from ..attachments import Attachments
from ..spatial_index.index import SpatialIndex
from ..summary_kernel import summarise_bodies

if TYPE_CHECKING:
    from ...engine.species import Species
    from ...engine.world import World

FEWEST_SEGMENTS = 2
"""Of each half: a single segment would be no body but a piece."""
HEADLESS_PACE = 0.6
"""Share of its animal's speed at which a rear walks on: slower, or it would step on the heels of the front."""
HEAD_PARTS = ("brain", "antennae", "vision")
"""Parts that sit in the head."""
HEAD_LOOKS, TAIL_LOOKS = ("forcipules", "eyes"), ("tail_legs",)
"""Drawn details that only one of the halves keeps."""


class HeadParts(set[str]):
    """Names of parts that sit in the head and are lost to the rear half; mods may add theirs."""


def sever(creature: Creature, joint: int) -> Creature:
    """Cut a body between segments `joint` and `joint` + 1. Returns the rear half, a new creature without a brain.

    The rear waits until the front has left, walks straight on by its local rules for a while (see ``[ganglia]``), then
    stands; ``rear.release()`` ends that at once. Handles of parts kept from before the cut are stale, ``creature`` is not.

    Example::

        rear = centipede.sever(8)
        print(len(centipede.segments), len(rear.segments))
    """
    _check(creature, joint)
    world, cut = creature.world, int(joint) + 1
    whole = dict(creature.rows)
    front_species, rear_species = _species_of(creature, cut)
    shares = {name: _share(world, creature, name, cut) for name in whole if name != "creature"}
    rear = _give_rows(world, creature, rear_species, shares)
    _keep_front(world, creature, front_species, shares)
    for half in (creature, rear):
        _connect(world, half)
    _lighten(world, creature, len(creature.segments) - 1)
    _lighten(world, rear, 0)
    _start_walking(world, creature, rear)
    _trim_looks(world, creature, rear)
    _finish(world, creature, rear)
    world.emit("born", rear)
    world.emit("severed", creature, rear=rear.serial, joint=int(joint))
    return rear


def _check(creature: Creature, joint: Any) -> None:
    creature.world.creature_pool.check(creature.rows["creature"])
    if creature.species.family != DEFAULT_FAMILY:
        family = creature.species.family
        raise PaludariumError(f"sever(): {creature.name} is of the family {family}: allowed are myriapods")
    if not creature.in_world or "segments" not in creature.rows:
        raise PaludariumError(f"sever: {creature.name} has no segments to cut between")
    if not creature.world.pool(BodyPool).linked[creature.row]:
        raise PaludariumError(f"sever: {creature.name} branches; only a body whose segments follow each other can be cut")
    count = creature.rows["segments"].size
    whole = isinstance(joint, (int, np.integer)) and not isinstance(joint, bool)
    if not whole or not FEWEST_SEGMENTS - 1 <= joint <= count - 1 - FEWEST_SEGMENTS:
        lowest, highest = FEWEST_SEGMENTS - 1, count - 1 - FEWEST_SEGMENTS
        allowed = f"allowed is {lowest} to {highest}" if lowest <= highest else "it is too short to be cut"
        raise PaludariumError(
            f"sever(joint={shortened(joint)}): {creature.name} has {count} segments and each half needs {FEWEST_SEGMENTS}; "
            f"{allowed}"
        )


def _species_of(creature: Creature, cut: int) -> tuple[Species, Species]:
    """The species of the two halves: the tables of the whole with other counts; the key says which slice they are."""
    world, whole = creature.world, creature.species
    base, _, slice_text = whole.key.partition("[")
    first = int(slice_text.partition(":")[0]) if slice_text else 0
    count = creature.rows["segments"].size
    head_parts = world.resource(HeadParts)
    halves = []
    for start, stop in ((0, cut), (cut, count)):
        tables = {name: dict(table) if isinstance(table, dict) else table for name, table in whole.source.items()}
        tables["name"] = whole.name
        tables["segments"]["count"] = stop - start
        if "legs" in tables:
            legged = whole.specs["legs"].segments(whole.specs)
            tables["legs"]["on_segments"] = [segment - start for segment in legged if start <= segment < stop]
        if start:
            tables = {name: table for name, table in tables.items() if name not in head_parts}
            if "brain" in whole.specs and ("gait" in tables or "muscles" in tables):
                tables["ganglia"] = {"speed_u_per_s": HEADLESS_PACE * whole.specs["brain"].speed,
                                     "acceleration_u_per_s2": whole.specs["brain"].acceleration}  # fmt: skip
        halves.append(world.species.build(f"{base}[{first + start}:{first + stop}]", tables, f"{whole.key} cut at {cut}"))
    return halves[0], halves[1]


def _share(world: World, creature: Creature, name: str, cut: int) -> int:
    """How many rows of a part belong to the front. A part of a mod is cut if it has a row per segment or per joint."""
    rows, count = creature.rows[name], creature.rows["segments"].size
    if world.parts[name].beside == "creature":
        return rows.size
    if name == "legs":
        legs = world.pool(LegPool).segment_row[rows.slice]
        return int((legs < creature.rows["segments"].start + cut).sum())
    return {count: cut, count - 1: cut - 1}.get(rows.size, rows.size)


def _give_rows(world: World, creature: Creature, species: Species, shares: dict[str, int]) -> Creature:
    """Claim rows for the rear and copy what was behind the cut into them; per-creature parts are copied whole."""
    serial, whole = world.next_serial, creature.rows
    world.next_serial += 1
    rows = {"creature": world.creature_pool.claim(1, serial)}
    _copy(world.creature_pool, whole["creature"], 0, rows["creature"])
    world.creature_pool.goal_kind[rows["creature"].start] = GoalKind.NONE
    for part in world.parts.values():
        name, pool = part.name, world.pool(part.pool)
        if name not in species.specs:
            continue
        if name not in whole:  # ganglia: the front has a brain instead
            rows[name] = pool.claim(1, serial, part.place(rows))
        elif pool.aligned:
            rows[name] = pool.claim(1, serial, part.place(rows))
            _copy(pool, whole[name], 0, rows[name])
        else:
            lost = 1 if whole[name].size == whole["segments"].size - 1 and name != "legs" else 0  # the block at the cut
            skipped = min(shares[name] + lost, whole[name].size)
            rows[name] = pool.claim(whole[name].size - skipped, serial, part.place(rows))
            _copy(pool, whole[name], skipped, rows[name])
    rear = Creature(world, serial, species, rows)
    rear.name = f"{creature.name} (rear {serial})"
    return enter(world, rear)


def _keep_front(world: World, creature: Creature, species: Species, shares: dict[str, int]) -> None:
    """Give the front rows of its own length; the handles of the whole become stale."""
    rows = dict(creature.rows)
    for part in world.parts.values():  # in this order, whatever that of a loaded creature: rows beside others follow these
        name, before = part.name, rows.get(part.name)
        if before is None or shares[name] == before.size:
            continue
        pool = world.pool(part.pool)
        rows[name] = pool.claim(shares[name], creature.serial, part.place(rows))
        _copy(pool, before, 0, rows[name])
        pool.release(before)
        creature.parts[name] = part.handle(pool, rows[name])
    creature.species, creature.rows = species, rows
    world.creature_pool.kind[creature.row] = world.kinds.number(species.key)
    with world.ecs:
        for component in (Identity(creature.serial, species.key), *creature.parts.values()):
            esper.add_component(creature.entity, component)


def _copy(pool: Pool, source: Rows, skipped: int, target: Rows) -> None:
    begin = source.start + skipped
    for name in pool.columns:
        if name != "owner":
            values = getattr(pool, name)
            values[target.slice] = values[begin : begin + target.size]


def _connect(world: World, creature: Creature) -> None:
    """Update every row number that one part of a creature keeps of another."""
    rows, row = creature.rows, creature.row
    first = rows["segments"].start
    if "body" in rows:
        find_rows(world.pool(BodyPool), row, rows)
    if "chain" in rows:
        chain, blocks = world.pool(ChainPool), rows.get("tissue", Rows(0, 0, 0))
        chain.first_block[row], chain.block_count[row] = blocks.start, blocks.size
    if "tissue" in rows:
        tissue, here = world.pool(TissuePool), rows["tissue"].slice
        tissue.segment_a[here] = first + np.arange(rows["tissue"].size)
        tissue.segment_b[here] = tissue.segment_a[here] + 1
    if "legs" in rows:
        on_segments = np.asarray(creature.species.source["legs"]["on_segments"], dtype=np.int64)
        world.pool(LegPool).segment_row[rows["legs"].slice] = first + np.repeat(on_segments, 2)


def _lighten(world: World, creature: Creature, segment: int) -> None:
    """Take the tissue nodes of the block that is gone off the segment at the cut."""
    if "tissue" not in creature.rows:
        return
    segments, chained, tissue = world.pool(SegmentPool), world.pool(ChainSegmentPool), world.pool(TissuePool)
    row = creature.rows["segments"].start + segment
    attached = []
    for block in range(creature.rows["tissue"].start, creature.rows["tissue"].stop):
        for mine, anchor, front in ((tissue.segment_a, tissue.anchor_a, True), (tissue.segment_b, tissue.anchor_b, False)):
            if mine[block] == row:
                attached.append((anchor[block], tissue.size[block], float(tissue.elastic[block, Elastic.DENSITY]), front))
    density = creature.species.specs["segments"].density
    mass, center, inertia = rigid_properties(segments.half_extents[row], density, attached)
    segments.mass[row], chained.center_of_mass[row], chained.inertia[row] = mass, center, inertia
    chained.inverse_inertia[row] = np.linalg.inv(inertia)


def _start_walking(world: World, front: Creature, rear: Creature) -> None:
    """The rear of an animal with a brain begins at the speed its head had: it has taken over its command."""
    if "ganglia" not in rear.rows:
        return
    ganglia = world.pool(GangliaPool)
    followed = ganglia.spans[:, 0][ganglia.leader[ganglia.spans[:, 0]] == front.serial]
    ganglia.leader[followed], ganglia.leader_row[followed] = rear.serial, rear.row
    ganglia.leader[rear.row], ganglia.leader_row[rear.row] = front.serial, front.row
    if "brain" in front.rows:
        spec: GangliaSpec = rear.species.specs["ganglia"]
        start_ganglia(ganglia, rear.row, spec)


def _trim_looks(world: World, front: Creature, rear: Creature) -> None:
    looks = world.pool(AppearancePool)
    for half, lost in ((front, TAIL_LOOKS), (rear, HEAD_LOOKS)):
        if "appearance" in half.rows:
            looks.proportions[half.row, [PROPORTIONS.index(name) for name in lost]] = 0.0


def _finish(world: World, front: Creature, rear: Creature) -> None:
    """What is derived from rows: positions and reach, the index of bodies, and what is attached behind the cut."""
    b, s, c = world.pool(BodyPool), world.pool(SegmentPool), world.creature_pool
    whole, count = c.length[front.row], len(front.segments) + len(rear.segments)
    c.length[front.row], c.length[rear.row] = (whole * len(half.segments) / count for half in (front, rear))
    summarise_bodies(np.array([front.row, rear.row], dtype=np.int32), b, s, c)
    world.resource(SpatialIndex).refresh()
    world.resource(Attachments).cut(front, rear, len(front.segments))
