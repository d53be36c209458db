"""The recorder: what is visible of a world, frame by frame, ready for any writer."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ...engine.errors import PaludariumError
from ...engine.plugins import disable
from ...engine.schedule import Phase
from .body_plan import BodyPlan, BodyPose
from .modellers import Modeller, Modellers
from .observations import Columns, observe
from .scenery import Surroundings, surroundings

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.creature import Creature
    from ...engine.events import Event
    from ...engine.world import World

TICK_ENDED = "recorder_tick_ended"
"""The event by which a recorder hears that a tick is over, births, deaths and other handlers included."""


@dataclass(frozen=True)
class Frame:
    """What was visible at the end of one tick."""

    tick: int
    time: float
    poses: dict[int, BodyPose]  # by the number of the plan
    tables: dict[str, Columns]
    around: Surroundings

    @property
    def nbytes(self) -> int:
        """Bytes that its arrays take."""
        columns = [column for table in self.tables.values() for column in table.values()]
        return sum(pose.nbytes for pose in self.poses.values()) + sum(c.nbytes for c in columns) + self.around.nbytes


@dataclass
class RecordingSystem:
    """Sits at the end of the tick while anybody records; it changes nothing."""

    world: World
    recorders: list[Recorder] = field(default_factory=list)

    def process(self, _dt: float) -> None:
        self.world.emit(TICK_ENDED)

    def tell(self, _event: Event) -> None:
        for recorder in tuple(self.recorders):
            recorder.see()


class Recorder:
    """Records what is visible of a world from now on: the present state, then the end of every `every`-th tick.

    Poses, tissue and tables stay in memory until they are written: about 14 kB per frame and giant centipede (0.9 MB per
    second at 60 frames, a third of that with ``every=3``); `nbytes` says how much it is. The world's state, and so its
    hash, is not touched. Animals may be born, die or be cut meanwhile.

    Example::

        world = World(seed=7)
        world.spawn("giant_centipede").goto((20, 0))
        with Recorder(world, every=2) as recorder:      # 30 frames per second
            world.step(300)
        recorder.to_gltf("walk.glb")                    # for Blender, game engines and web viewers
        recorder.to_povray("walk_pov")                  # one scene per frame
        recorder.to_obj("walk_obj")                     # one mesh per frame
        recorder.to_tables("walk_tables")               # CSV, and Parquet where pyarrow is installed
    """

    def __init__(self, world: World, every: int = 1) -> None:
        if not isinstance(every, int) or isinstance(every, bool) or every < 1:
            raise PaludariumError(f"every = {every!r}: allowed is a whole number of ticks, 1 or more")
        self.world, self.every = world, every
        self.plans: list[BodyPlan] = []
        """Bodies that were seen, in order of appearance; one that is cut or grows appears again, as another."""
        self.frames: list[Frame] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._next = world.tick
        self._system = _system_of(world)
        self._system.recorders.append(self)
        self.see()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.stop()

    def __len__(self) -> int:
        return len(self.frames)

    def __repr__(self) -> str:
        return f"<Recorder of {self.world!r}: {len(self)} frames, {len(self.plans)} bodies, {self.nbytes / 1e6:.1f} MB>"

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the recorded arrays take."""
        return sum(frame.nbytes for frame in self.frames)

    @property
    def frames_per_second(self) -> float:
        """Recorded frames per simulated second."""
        return self.world.tick_rate / self.every

    def stop(self) -> None:
        """Record no further; what was recorded stays. Twice is fine."""
        recorders = self._system.recorders
        if self in recorders:
            recorders.remove(self)
            if not recorders:
                self.world.schedule.remove(type(self._system).__name__)
                self.world.events.off(TICK_ENDED, self._system.tell)

    def see(self) -> None:
        """Keep what is visible now, if a frame is due."""
        world = self.world
        if world.tick < self._next:
            return
        self._next = world.tick + self.every
        self.frames.append(Frame(world.tick, world.time, self._poses(), observe(world), surroundings(world)))

    def to_gltf(self, path: str | Path) -> Path:
        """Write one glTF 2.0 binary file: a skinned, animated mesh per body, and the ground around."""
        from .gltf_scene import write_gltf

        return write_gltf(self._anything(), Path(path))

    def to_povray(self, folder: str | Path, done: Callable[[int], None] | None = None) -> list[Path]:
        """Write one POV-Ray scene per frame, and what they share; `done` hears of every frame."""
        from .pov_scene import write_povray

        return write_povray(self._anything(), Path(folder), done)

    def to_obj(self, folder: str | Path, done: Callable[[int], None] | None = None) -> list[Path]:
        """Write one Wavefront OBJ file per frame, with a group per body and one file of materials."""
        from .obj_sequence import write_obj

        return write_obj(self._anything(), Path(folder), done)

    def to_tables(self, folder: str | Path, parquet: bool | None = None) -> list[Path]:
        """Write trajectories, segments, legs and brains as CSV, and as Parquet too: None means if pyarrow is installed."""
        from .data_tables import write_tables

        return write_tables(self._anything(), Path(folder), parquet)

    def _anything(self) -> Self:
        if not self.frames:
            raise PaludariumError("nothing was recorded: a Recorder needs a world to look at")
        return self

    def _poses(self) -> dict[int, BodyPose]:
        """The poses of all creatures, asked for family by family."""
        families: dict[str, list[Creature]] = {}
        for creature in self.world.creatures.values():
            families.setdefault(creature.species.family, []).append(creature)
        modellers, poses = self.world.resource(Modellers), dict[int, BodyPose]()
        for family, creatures in families.items():
            try:
                poses |= self._modelled(modellers.of(family), creatures)
            except Exception as problem:
                mod = modellers.mod_of(family)
                if mod is None:
                    raise
                disable(self.world, mod, f"modeller of {family}", problem)  # its animals are ellipsoids from now on
                poses |= self._modelled(modellers.of(family), creatures)
        return poses

    def _modelled(self, modeller: Modeller, creatures: list[Creature]) -> dict[int, BodyPose]:
        """The poses of one family's creatures by the numbers of their plans; bodies not seen before get one."""
        poses = {}
        for creature, pose in zip(creatures, modeller.poses(creatures), strict=True):
            key = (id(modeller), creature.serial, creature.species.key, *sorted(creature.rows.items()))
            if key not in self._numbers:
                plan = modeller.plan(creature)
                self._numbers[key] = len(self.plans)
                self.plans.append(plan)
            poses[self._numbers[key]] = pose
        return poses


def _system_of(world: World) -> RecordingSystem:
    """The system that tells recorders of a world about its ticks; put into the tick by the first of them."""
    name = RecordingSystem.__name__
    if name in world.schedule:
        system = world.schedule[name].system
        assert isinstance(system, RecordingSystem)
        return system
    system = RecordingSystem(world)
    world.events.declare(TICK_ENDED)
    world.events.on(TICK_ENDED, system.tell)
    world.schedule.add(system, Phase.LIVE, None, None, None)
    return system
