"""What the player can do, one function per deed. Each takes the session; none of them raises for a player's mistake."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from ..engine.errors import PaludariumError, PlaceTakenError
from ..engine.world import World
from ..systems.render import LIGHT_NAMES
from .bodies import body_points, mass_at
from .hunt import PLUGIN, Outcome, hunt_of
from .scenes import MOST_CREATURES, SCENES, Settings, scene_of, set_light

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array
    from .session import Session

SAVE_FILE = "paludarium-save.palu"
TIME_SCALES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
RAINS = (0.0, 0.006, 0.03)  # drops per second and square unit
RAIN_NAMES = ("rain stops", "drizzle", "downpour")
HOP = 37.0  # u/s upward that the head would get if it were alone
ZOOM = 1.25
CROWD_SPREAD = 60.0  # units around the middle of the view
HEADINGS = 8  # tried for a newcomer
LEAST_CUT = 3  # segments that each half of a cut animal keeps


def toggle_pause(session: Session) -> None:
    """Stop time or let it run; a hunt that is over begins again, for this is also the start button of a gamepad."""
    hunt = hunt_of(session.world)
    if hunt is not None and hunt.outcome is not Outcome.RUNNING:
        restart(session)
        return
    session.world.clock.paused = not session.world.clock.paused


def single_step(session: Session) -> None:
    session.world.clock.paused = True
    session.world.step()


def slower(session: Session) -> None:
    _change_time(session, -1)


def faster(session: Session) -> None:
    _change_time(session, 1)


def _change_time(session: Session, step: int) -> None:
    clock = session.world.clock
    nearest = min(range(len(TIME_SCALES)), key=lambda place: abs(TIME_SCALES[place] - clock.scale))
    clock.scale = TIME_SCALES[min(max(nearest + step, 0), len(TIME_SCALES) - 1)]
    session.say(f"time x {clock.scale:g}")


def zoom_in(session: Session) -> None:
    session.camera.zoom(ZOOM)


def zoom_out(session: Session) -> None:
    session.camera.zoom(1.0 / ZOOM)


def next_creature(session: Session) -> None:
    creatures = list(session.world.creatures.values())
    if not creatures:
        session.say("no creature is here; N brings one")
        return
    chosen = session.selected
    place = creatures.index(chosen) + 1 if chosen is not None and chosen in creatures else 0
    session.select(creatures[place % len(creatures)])


def toggle_follow(session: Session) -> None:
    session.following = not session.following
    session.say("the camera follows" if session.following else "the camera stays")


def take_over(session: Session) -> None:
    """Drive the selected creature, or give it back its own will. Whether it can be driven, it says itself."""
    creature = _selected(session)
    if creature is None:
        return
    if session.driving:
        creature.release()
        session.driving = False
        session.say(f"{creature.name} is free again")
    elif creature.dead:
        session.say(f"{creature.name} is dead and cannot be driven")
    else:
        creature.control(0.0, 0.0)  # raises what the player is told if nothing in it obeys
        session.driving = session.following = True
        session.say(f"you drive {creature.name}: arrows or W A S D")


def spawn(session: Session) -> None:
    """One more at the mouse."""
    session.select(_arrive(session, session.hands.point))


def spawn_many(session: Session) -> None:
    """A batch around the middle of the view, up to the most a scene takes."""
    world, scene = session.world, session.scene
    room = min(scene.batch, MOST_CREATURES - len(world.creatures))
    if room <= 0:
        session.say(f"{MOST_CREATURES} creatures are enough")
        return
    if scene.spawn_height:
        for _ in range(room):
            _arrive(session, session.camera.center + world.streams["player"].uniform(-20.0, 20.0, size=2))
    else:
        world.spawn(session.species, at=_on_map(world, session.camera.center), count=room, spread=CROWD_SPREAD,
                    tier="follow")  # fmt: skip
    session.say(f"{len(world.creatures)} creatures")


def _arrive(session: Session, point: Array) -> Creature:
    world = session.world
    at = world.point_on_ground(point)
    if session.scene.spawn_height:
        at[2] += session.scene.spawn_height
    place = at if session.scene.spawn_height else at[:2]
    heading = world.streams["player"].uniform(-math.pi, math.pi)
    for turn in range(HEADINGS - 1):  # a long body may have room one way and not the other
        try:
            return world.spawn(session.species, at=place, heading=heading + 2.0 * math.pi * turn / HEADINGS)
        except PlaceTakenError:
            continue
    return world.spawn(session.species, at=place, heading=heading - 2.0 * math.pi / HEADINGS)


def _on_map(world: World, point: Array) -> tuple[float, float]:
    west, south, east, north = world.map.area.bounds
    x, y = map(float, point)
    return min(max(x, west), east), min(max(y, south), north)


def next_species(session: Session) -> None:
    """What the spawn keys bring: the next species there is."""
    known = list(session.world.species)
    session.species = known[(known.index(session.species) + 1) % len(known)] if session.species in known else known[0]
    session.say(f"new creatures: {session.world.species[session.species].name}")


def hop(session: Session) -> None:
    creature = _selected(session)
    if creature is not None:
        creature.push((0.0, 0.0, HOP * mass_at(creature, 0)))
        session.sounds.play("thud")


def sever(session: Session) -> None:
    """Cut the selected one in two in the middle; both halves live on. Who cannot be cut stays whole and says why."""
    creature = _selected(session)
    if creature is None:
        return
    count = len(body_points(creature))
    if "sever" not in creature.world.verbs or count < 2:
        session.say(f"{creature.name} cannot be cut in two")
    elif count < 2 * LEAST_CUT:
        session.say(f"{creature.name} is too short to be cut")
    else:
        creature.sever(count // 2)  # raises what the player is told if it is not made of pieces
        session.say(f"{creature.name} is cut in two")


def kill(session: Session) -> None:
    creature = _selected(session)
    if creature is not None:
        creature.kill()
        session.driving = False


def remove(session: Session) -> None:
    creature = _selected(session)
    if creature is not None:
        creature.despawn()
        session.select(None)


def rain(session: Session) -> None:
    """No rain, drizzle, downpour, round and round."""
    world = session.world
    if not world.water.grids:
        session.say("there is no water here for rain to fall on")
        return
    now = min(range(len(RAINS)), key=lambda place: abs(RAINS[place] - world.weather.rain))
    place = (now + 1) % len(RAINS)
    world.set_rain(RAINS[place])
    session.say(RAIN_NAMES[place])


def change_light(session: Session) -> None:
    """Day, dusk, night, round and round."""
    now = LIGHT_NAMES.index(session.world.weather.time_of_day)
    time = LIGHT_NAMES[(now + 1) % len(LIGHT_NAMES)]
    set_light(session.world, time)
    session.settings = replace(session.settings, light=time)
    _paint_ground(session)
    session.say(time)


def _paint_ground(session: Session) -> None:
    """Paint all ground in view at once: a short wait is nicer than a picture that is coarse for a while."""
    size = (int(session.camera.width), int(session.camera.height))
    if min(size) > 0:
        session.picture.frame(session.camera, size, still=True)


def save(session: Session) -> None:
    file = session.folder / SAVE_FILE
    session.world.save(file)
    session.say(f"saved to {file}")


def load(session: Session) -> None:
    """Go on in a saved world, as the scene it was saved in; worlds of other games are refused."""
    file = session.folder / SAVE_FILE
    world = World.load(file, plugins=[PLUGIN, f"{__package__}.lesson"])
    name = scene_of(world)
    if name is None:
        raise PaludariumError(f"{file}: its map {world.map.name!r} belongs to no scene of this demo: {', '.join(SCENES)}")
    if (name, world.seed) != (session.settings.scene, session.settings.seed):
        session.change_scene(Settings(name, world.seed))
    session.settings = replace(session.settings, light=world.weather.time_of_day)
    session.enter(world)
    _paint_ground(session)
    session.say(f"loaded {file}")


def screenshot(session: Session) -> None:
    """The next frame is kept: it shows what was done until now."""
    session.picture_due = True


def write_picture(session: Session, screen: Any) -> None:
    """Write what the screen shows under a name that no file has yet."""
    file = _new_file(session.folder, f"paludarium-{session.settings.scene}", ".png")
    try:
        pygame.image.save(screen, str(file))
    except (pygame.error, OSError) as problem:
        raise PaludariumError(f"{file}: cannot be written ({problem})") from None
    session.say(f"written: {file}")


def record_clip(session: Session) -> None:
    """Start recording, or stop and write the clip."""
    if not session.recorder.running:
        session.recorder.start()
        session.say("recording; the same key stops and writes")
        return
    file = _new_file(session.folder, f"paludarium-{session.settings.scene}", ".gif")
    try:
        written = session.recorder.stop(file)
    except OSError as problem:
        raise PaludariumError(f"{file}: cannot be written ({problem.strerror})") from None
    session.say(f"written: {written}" if written else "nothing was recorded")


def _new_file(folder: Path, stem: str, suffix: str) -> Path:
    """A name that no file has yet."""
    number = 1
    while (folder / f"{stem}-{number:03d}{suffix}").exists():
        number += 1
    return folder / f"{stem}-{number:03d}{suffix}"


def change_volume(session: Session) -> None:
    session.say(session.sounds.louder())


def toggle_inspector(session: Session) -> None:
    session.show_inspector = not session.show_inspector


def turn_pictures(session: Session) -> None:
    """The inspector's pictures show something else: colours, who is who, distances."""
    if not session.show_inspector:
        session.say("pictures are in the inspector: I opens it")
        return
    session.say(session.watch.turn_all() or "none of its parts has a picture to choose")


def toggle_sliders(session: Session) -> None:
    """The inspector has sliders for what may be changed of a fish, or has none."""
    sliders = session.watch.sliders
    sliders.are_shown = not sliders.are_shown
    if sliders.are_shown and not session.show_inspector:
        toggle_inspector(session)


def toggle_times(session: Session) -> None:
    session.show_times = not session.show_times


def toggle_help(session: Session) -> None:
    session.show_help = not session.show_help


def finish_clip(session: Session) -> None:
    """Write what is being recorded, if anything is: it is not lost when the player leaves."""
    if session.recorder.running:
        record_clip(session)


def restart(session: Session) -> None:
    finish_clip(session)
    session.next = session.settings


def go_back(session: Session) -> None:
    """Close the help page, or leave the scene."""
    if session.show_help:
        session.show_help = False
        return
    finish_clip(session)
    session.next = "title"


def _selected(session: Session) -> Creature | None:
    creature = session.selected
    if creature is None or not creature.in_world:
        session.say("select a creature first: click on it, or Tab")
        return None
    return creature
