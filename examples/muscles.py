"""What muscles can do: flap, crawl like a worm, curl, coil up, rear, dive, and stiffen. [Fang15 5.1, 7.2]

Muscles are the four side lengths of each soft block, as shares of its own: left, right, top, bottom. A script of the game
sets them here, tick by tick; in the two swimming demonstrations it leaves left and right to the swimming controller.

    python -m paludarium.examples.muscles [NAME]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paludarium import Map, World
from paludarium.components.head_command import HeadCommandPool
from paludarium.components.myriapod.tissue import TissuePool

Floats = NDArray[np.float64]

LEFT, RIGHT, TOP, BOTTOM = range(4)
DRIVE_HERTZ = 2.0
RAMP_SECONDS = 0.5
CURL, COIL, REAR = 0.7, 0.62, 0.5  # how short the inner sides get
SWIM_SPEED = 4.0
DIVE_SHARE = 0.08  # by which top or bottom shorten to climb or dive
REARING_BLOCKS = 4
BODY: dict[str, Any] = {"body": {"ride_height_u": 0.5}, "appearance": {}}
EEL = {"segments": {"count": 12}, "tissue": {}, "muscles": {"lift": 0.0}, **BODY}


@dataclass
class Film:
    """Where the segments of all animals were and pointed, tick by tick: (ticks, segments, 3) per animal."""

    places: list[list[Floats]] = field(default_factory=list)
    ahead: list[list[Floats]] = field(default_factory=list)

    def of(self, animal: int) -> tuple[Floats, Floats]:
        return np.array([frame[animal] for frame in self.places]), np.array([frame[animal] for frame in self.ahead])


@dataclass(frozen=True)
class Demonstration:
    """Animals, the script of their muscles, and what must be true in the end."""

    claim: str
    animals: tuple[dict[str, Any], ...]
    script: Callable[[Floats, float, int], None]  # lengths (blocks, 4) to be set, time, number of the animal
    check: Callable[[Film], None]
    seconds: float = 2.0
    gravity: float = 0.0
    height: float = 5.0
    wet: bool = False


class Script:
    """Sets the muscles of all animals before the bodies move, and films them."""

    def __init__(self, world: World) -> None:
        self.world, self.tissue, self.time = world, world.pool(TissuePool), 0.0

    def process(self, dt: float) -> None:
        self.time += dt
        film, shown = self.world.resource(Film), self.world.resource(Demonstration)
        creatures = list(self.world.creatures.values())
        for number, creature in enumerate(creatures):
            shown.script(self.tissue.lengths[creature.rows["tissue"].slice], self.time, number)
        film.places.append([creature.segments.position.copy() for creature in creatures])
        film.ahead.append([directions(creature.segments.orientation) for creature in creatures])


def directions(orientation: Floats) -> Floats:
    """(n, 3) where segments point."""
    w, x, y, z = orientation.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)


def ramp(time: float) -> float:
    return min(time / RAMP_SECONDS, 1.0)


def flap(lengths: Floats, time: float, _animal: int) -> None:
    swing = 0.25 * np.sin(2 * np.pi * DRIVE_HERTZ * time)
    lengths[:, LEFT], lengths[:, RIGHT] = 1.0 - ramp(time) * (0.25 - swing), 1.0 - ramp(time) * (0.25 + swing)


def crawl(lengths: Floats, time: float, _animal: int) -> None:
    lengths[:, :2] = 1.0 - ramp(time) * 0.25 * (1.0 - np.sin(2 * np.pi * DRIVE_HERTZ * time))


def curl(lengths: Floats, time: float, _animal: int) -> None:
    lengths[:, LEFT] = 1.0 - (1.0 - CURL) * ramp(time)


def coil(lengths: Floats, time: float, _animal: int) -> None:
    lengths[:, TOP] = 1.0 - (1.0 - COIL) * ramp(time)


def rear(lengths: Floats, time: float, _animal: int) -> None:
    lengths[:REARING_BLOCKS, TOP] = 1.0 - (1.0 - REAR) * ramp(time - 1.0) if time > 1.0 else 1.0


def dive(lengths: Floats, _time: float, animal: int) -> None:
    """The first climbs, the second keeps its depth, the third dives."""
    lengths[:, TOP] = 1.0 - DIVE_SHARE * (animal == 0)
    lengths[:, BOTTOM] = 1.0 - DIVE_SHARE * (animal == 2)


def leave_alone(_lengths: Floats, _time: float, _animal: int) -> None:
    pass


def beats(values: Floats) -> float:
    """Dominant frequency of the second half of a record."""
    half = values[len(values) // 2 :] - values[len(values) // 2 :].mean()
    return float(np.fft.rfftfreq(len(half), 1 / 60)[np.abs(np.fft.rfft(half)).argmax()])


def check_flapping(film: Film) -> None:
    places, ahead = film.of(0)
    yaw, length = np.degrees(np.arctan2(ahead[..., 1], ahead[..., 0])), np.linalg.norm(places[:, 0] - places[:, -1], axis=1)
    assert beats(yaw[:, 0]) == beats(yaw[:, -1]) == DRIVE_HERTZ
    assert np.ptp(yaw[60:, 0]) > 20.0
    assert np.corrcoef(yaw[60:, 0], yaw[60:, -1])[0, 1] < -0.99  # both neighbours, in opposite directions
    assert np.ptp(length[60:]) < 0.1 * length[0]


def check_worm(film: Film) -> None:
    places, ahead = film.of(0)
    length = np.linalg.norm(places[:, 0] - places[:, -1], axis=1)
    assert beats(length) == DRIVE_HERTZ
    assert np.ptp(length[60:]) > 0.15 * length[0]
    assert np.abs(np.degrees(np.arctan2(ahead[..., 1], ahead[..., 0]))).max() < 1.0


def turned(ahead: Floats, axis: int) -> float:
    """Degrees from tail to head of the last frame, toward this axis, added up joint by joint."""
    angle = np.unwrap(np.arctan2(ahead[-1, :, axis], ahead[-1, :, 0]))
    return float(np.degrees(angle[0] - angle[-1]))


def check_curl(film: Film) -> None:
    places, ahead = film.of(0)
    assert turned(ahead, 1) > 90.0  # the left side is inside
    assert np.abs(places[-1, :, 2] - places[0, 0, 2]).max() < 1e-6


def check_coil(film: Film) -> None:
    places, ahead = film.of(0)
    assert turned(ahead, 2) > 180.0  # the head comes up and over
    assert np.abs(places[-1, :, 1]).max() < 1e-6


def check_rearing(film: Film) -> None:
    plain, stiffening = (film.of(animal)[0][:, :, 2] for animal in range(2))
    assert plain[58].max() < 0.6  # all lie on the ground
    assert plain[:, 0].max() > 3.0  # the head comes up
    assert stiffening[:, 0].max() > plain[:, 0].max() + 0.3  # higher with muscles that stiffen
    assert np.abs(stiffening[-1, 8:] - 0.5).max() < 0.1  # the rear still lies


def check_depth(film: Film) -> None:
    up, level, down = (film.of(animal)[0][:, :, 2].mean(axis=1) for animal in range(3))
    assert up[-1] > up[0] + 1.0
    assert down[-1] < down[0] - 1.0
    assert abs(level[-1] - level[0]) < 0.2


def check_stiffening(film: Film) -> None:
    ways = [film.of(animal)[0][:, :, 0].mean(axis=1) for animal in range(2)]
    plain, stiffening = (way[-1] - way[-121] for way in ways)
    assert stiffening > 2.0 * plain > 0.0


SHORT_BODY = {"segments": {"count": 3}, "tissue": {}, **BODY}
LONG_BODY = {"segments": {"count": 12}, "tissue": {}, **BODY}
STIFFENING_EEL = {**EEL, "muscles": {"lift": 0.0, "stiffening": 3.0}}
SOFT = {**EEL, "tissue": {"young_modulus": 400.0}}
SOFT_STIFFENING = {**STIFFENING_EEL, "tissue": SOFT["tissue"]}
DEMONSTRATIONS = {
    "flapping": Demonstration("left against right: neighbours flap, the length stays", (SHORT_BODY,), flap, check_flapping),
    "worm": Demonstration("left with right: it stretches and shrinks, nothing turns", (SHORT_BODY,), crawl, check_worm),
    "curl": Demonstration("left sides shorten: a C with the left inside", (LONG_BODY,), curl, check_curl),
    "coil": Demonstration("tops shorten: the body rolls up", (LONG_BODY,), coil, check_coil, height=20.0),
    "rearing": Demonstration("the first tops shorten: the head rises, higher when stiff", (EEL, STIFFENING_EEL),
                             rear, check_rearing, 3.0, gravity=9.8, height=1.0),
    "depth": Demonstration("tops or bottoms a little shorter: swimmers climb and dive", (EEL, EEL, EEL), dive, check_depth,
                           seconds=10.0, gravity=9.8, height=20.0, wet=True),
    "stiffening": Demonstration("muscles that stiffen when they contract make a soft body swim", (SOFT, SOFT_STIFFENING),
                                leave_alone, check_stiffening, seconds=8.0, gravity=9.8, height=20.0, wet=True),
}  # fmt: skip


def build_world(name: str = "flapping") -> World:
    """A world with the animals of one demonstration; what it shows is in its resources."""
    shown = DEMONSTRATIONS[name]
    walls = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}
    water = [{"bounds": [-60.0, -60.0, 60.0, 60.0], "depth_u": 40.0, "cell_u": 1.0, **walls}] if shown.wet else []
    world = World(seed=1, map=Map.define(name=name, area={"width_u": 160.0, "height_u": 160.0},
                                         physics={"gravity_u_per_s2": shown.gravity}, water=water))  # fmt: skip
    world.add_resource(shown)
    world.add_resource(Film())
    world.add_system(Script, before="FEMSystem")
    for number, tables in enumerate(shown.animals):
        world.define_species(f"{name}_{number}", **tables)
        animal = world.spawn(f"{name}_{number}", at=(0.0, 12.0 * number - 12.0 * (len(shown.animals) - 1) / 2, shown.height))
        if "muscles" in tables:
            world.pool(HeadCommandPool).speed[animal.row] = SWIM_SPEED
    return world


def check(world: World) -> None:
    """Run to the end of the demonstration and see whether its claim holds."""
    shown = world.resource(Demonstration)
    world.step(max(round(60 * shown.seconds) - world.tick, 0))
    shown.check(world.resource(Film))


def main(names: list[str]) -> None:
    for name in names or DEMONSTRATIONS:
        if name not in DEMONSTRATIONS:
            raise SystemExit(f"no demonstration is called {name!r}; known: {', '.join(DEMONSTRATIONS)}")
        check(build_world(name))
        print(f"{name}: {DEMONSTRATIONS[name].claim}")


if __name__ == "__main__":
    main(sys.argv[1:])
