"""Wrong values at the calls of a game: each is refused at the call, says what is allowed, and changes nothing."""

import copy
import math
import pickle

import numpy as np
import pytest

from paludarium import Camera, Light, PaludariumError, World

NAN = math.nan


class Stage:
    """A world with one animal of three families, a dead one, a rock, and an animal of another world."""

    def __init__(self, folder):
        self.world = World(seed=1)
        self.centipede = self.world.spawn("stone_centipede", faction="red")
        self.ant = self.world.spawn("worker_ant", at=(5, 5))
        self.dead = self.world.spawn("stone_centipede", at=(40, 30))
        self.rock = self.world.add_obstacle("sphere", (20, 0), 3.0)
        self.gone = self.world.add_obstacle("sphere", (60, 0), 3.0)
        self.foreign = World(seed=2).spawn("stone_centipede")
        self.dead.kill()
        self.gone.remove()
        self.world.step()
        self.broken = folder / "broken.toml"
        self.broken.write_text("[segmens]\ncount = 3\n")


class NoSystem:
    def __init__(self, world):
        pass


def given(target, name, value):
    setattr(target, name, value)


CALLS = {
    "goto(None)": (lambda s: s.centipede.goto(None), r"goto\(point\) = None"),
    "goto(nan)": (lambda s: s.centipede.goto((NAN, 0)), r"goto\(point\)"),
    "goto(radius)": (lambda s: s.centipede.goto((1, 1), radius=-1.0), r"goto\(radius\) = -1"),
    "goto(speed)": (lambda s: s.centipede.goto((1, 1), speed=-2.0), r"goto\(speed\) = -2"),
    "goto, dead": (lambda s: s.dead.goto((1, 1)), "is dead"),
    "follow, dead": (lambda s: s.dead.follow(s.ant), "is dead"),
    "control, dead": (lambda s: s.dead.control(1.0), "is dead"),
    "follow(foreign)": (lambda s: s.centipede.follow(s.foreign), r"follow\(other\)"),
    "follow(itself)": (lambda s: s.centipede.follow(s.centipede), r"follow\(other\)"),
    "follow(point)": (lambda s: s.centipede.follow((1, 2)), r"follow\(other\)"),
    "follow(distance)": (lambda s: s.centipede.follow(s.ant, distance=-1.0), r"follow\(distance\)"),
    "flee_from(foreign)": (lambda s: s.centipede.flee_from(s.foreign), r"flee_from\(threat\)"),
    "flee_from(text)": (lambda s: s.centipede.flee_from("all"), r"flee_from\(threat\)"),
    "follow_path(nan)": (lambda s: s.centipede.follow_path([(0, 0), (NAN, 1)]), r"follow_path\(points\)"),
    "control(huge)": (lambda s: s.centipede.control(1e30, 1e30), r"control\(speed\)"),
    "control(turn)": (lambda s: s.centipede.control(1.0, 1e30), r"control\(turn\)"),
    "push(short)": (lambda s: s.centipede.push((1, 2)), r"push\(impulse\)"),
    "push(segment)": (lambda s: s.centipede.push((1, 2, 3), segment=99), "push"),
    "attach(5)": (lambda s: s.centipede.attach(5), r"attach\(thing\) = 5"),
    "attach(None)": (lambda s: s.centipede.attach(None), r"attach\(thing\)"),
    "attach(segment)": (lambda s: s.centipede.attach(Light(), segment=99), "attach"),
    "Light(radius)": (lambda s: Light(radius=-1), r"Light\(radius\) = -1"),
    "Light(color)": (lambda s: Light(color=(2.0, 0.0, 0.0)), r"Light\(color\)"),
    "Light(strength)": (lambda s: Light(strength=NAN), r"Light\(strength\)"),
    "sever, ant": (lambda s: s.ant.sever(1), "family insect"),
    "faction": (lambda s: given(s.centipede, "faction", 5), "faction = 5"),
    "tier": (lambda s: given(s.centipede, "tier", "fulll"), "tier"),
    "copy of a creature": (lambda s: copy.copy(s.centipede), "world.creatures"),
    "clock.scale": (lambda s: given(s.world.clock, "scale", NAN), "clock.scale"),
    "clock.paused": (lambda s: given(s.world.clock, "paused", "no"), "clock.paused"),
    "update(nan)": (lambda s: s.world.update(NAN), r"update\(dt\)"),
    "step(-1)": (lambda s: s.world.step(-1), "ticks = -1"),
    "near(foreign)": (lambda s: s.world.near(s.foreign, 5), r"near\(point\)"),
    "near(radius)": (lambda s: s.world.near((0, 0), -1), r"near\(radius\)"),
    "near(faction)": (lambda s: s.world.near((0, 0), 5, faction="rad"), "did you mean 'red'"),
    "hit(radius)": (lambda s: s.world.hit((0, 0), -1), r"hit\(radius\)"),
    "raycast(ignore)": (lambda s: s.world.raycast((0, 0), (9, 0), ignore=5), r"raycast\(ignore\)"),
    "raycast(faction)": (lambda s: s.world.raycast((0, 0), (9, 0), faction="blue"), "faction = 'blue'"),
    "set_relation": (lambda s: s.world.set_relation("red", "blue", "hostle"), "hostile"),
    "add_obstacle(radius)": (lambda s: s.world.add_obstacle("sphere", (9, 30), -1.0), "radius of a sphere"),
    "add_obstacle(kind)": (lambda s: s.world.add_obstacle("cube", (9, 30)), "sphere, cylinder, box"),
    "add_obstacle in a body": (lambda s: s.world.add_obstacle("sphere", (0, 0)), r"sphere at \(0, 0\)"),
    "add_food(amount)": (lambda s: s.world.add_food((1, 1), -1), "food amount"),
    "add_stimulus(radius)": (lambda s: s.world.add_stimulus("threat", (1, 1), radius=-3), "radius"),
    "add_system(no process)": (lambda s: s.world.add_system(NoSystem), r"process\(dt\)"),
    "add_system(5)": (lambda s: s.world.add_system(5), "add_system"),
    "add_species(broken)": (lambda s: s.world.add_species(s.broken), "segments"),
    "spawn(broken)": (lambda s: s.world.spawn("broken"), "allowed is one of"),
    "spawn(typo)": (lambda s: s.world.spawn("stone_centipide"), "did you mean 'stone_centipede'"),
    "define_species(inherits)": (lambda s: s.world.define_species("x", inherits="eal"), "did you mean 'eel'"),
    "World(map)": (lambda s: World(map="tidepool"), "did you mean 'tide_pool'"),
    "World(plugins)": (lambda s: World(plugins=[lambda world: None]).spawn("eel"), "BUILT_IN"),
    "a rock that is gone": (lambda s: s.gone.position, "what it stood for has left the world"),
    "pickle of a world": (lambda s: pickle.dumps(s.world), "world.save"),
    "copy of a world": (lambda s: copy.copy(s.world), "world.save"),
    "draw(camera, surface)": (lambda s: s.world.draw(Camera((10, 10)), None), r"draw\(surface, camera\)"),
}  # fmt: skip


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    return Stage(tmp_path_factory.mktemp("stage"))


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_value_is_refused_at_the_call_and_changes_nothing(stage, call):
    make, said = CALLS[call]
    before = stage.world.state_hash()
    with pytest.raises(PaludariumError, match=said) as problem:
        make(stage)
    text = str(problem.value)
    assert "allowed" in text or "what it stood for" in text
    assert "allowed is did you mean" not in text
    assert " is a insect" not in text
    assert "np." not in text
    assert stage.world.state_hash() == before


def test_a_ray_that_begins_inside_a_prop_meets_it_at_once():
    world = World(seed=1)
    inner = world.add_obstacle("sphere", (20, 0), 3.0)
    world.add_obstacle("sphere", (30, 0), 3.0)
    met = world.raycast((20, 0), (40, 0))
    assert repr(met.what) == "<sphere at (20, 0), radius 3>"
    assert (met.distance, met.what.radius) == (0.0, 3.0)
    met = world.raycast((20, 0), (40, 0), ignore=inner)  # the way out of it, to the next one
    assert met.distance == pytest.approx(7.0)
    assert world.raycast((0, 0), (40, 0)).distance == pytest.approx(17.0)


def test_a_species_in_code_inherits_as_one_in_a_file():
    world = World(seed=1)
    world.define_species("long one", inherits="giant_centipede", segments={"count": 30})
    long_one, giant = world.spawn("long one", at=(0, 0)), world.spawn("giant_centipede", at=(0, 30))
    assert len(long_one.segments.position) == 30
    assert set(long_one.parts) == set(giant.parts)
    assert np.allclose(long_one.legs.angles.shape[1:], giant.legs.angles.shape[1:])
    world.define_species("longer one", inherits="long one", segments={"count": 32})
    assert len(world.spawn("longer one", at=(0, 60)).segments.position) == 32


def test_a_species_says_what_it_is():
    assert repr(World(seed=1).spawn("eel", at=(0, 0, 5)).species).startswith("<Species 'eel', articulated: segments")
