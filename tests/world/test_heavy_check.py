"""Heavy mode: what a save does not hold is named in the first tick in which it matters."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Phase, World
from paludarium.engine.errors import ArgumentError
from paludarium.engine.heavy_check import LOADING, HeavyCheckError
from paludarium.engine.maps import Map
from paludarium.engine.plugins import BUILT_IN
from paludarium.engine.pool import Pool, column
from paludarium.tests.campaigns.file_cases import SMALL

TALLY = """
from paludarium import Phase

class Tally:
    pass

class TallySystem:
    def __init__(self, world):
        self.world = world
        world.add_resource(Tally())

    def process(self, dt):
        self.world.resource(Tally)

def build(world):
    world.add_system(TallySystem, phase=Phase.LIVE)
"""


class Heartbeat:
    """Moves every creature's heading by what it has counted itself, which no save holds."""

    counted = 0

    def __init__(self, world):
        self.world = world

    def process(self, _dt):
        self.counted += 1
        pool = self.world.creature_pool
        pool.goal_radius[pool.spans[:, 0]] = self.counted


class Dice(Heartbeat):
    """Draws from a stream of its own instead of one of the world's."""

    def __init__(self, world):
        self.world, self.chance = world, np.random.default_rng(4)
        world.streams["dice"].random()

    def process(self, _dt):
        pool = self.world.creature_pool
        pool.goal_radius[pool.spans[:, 0]] = self.chance.random()


class HonestDice(Dice):
    def process(self, _dt):
        pool = self.world.creature_pool
        pool.goal_radius[pool.spans[:, 0]] = self.world.streams["dice"].random()


def with_system(kind):
    def build(world):
        world.add_system(kind, phase=Phase.THINK)

    return build


def heavy(*plugins, **options):
    world = World(seed=2, map=Map.define(**SMALL), plugins=[*BUILT_IN, *plugins], **options)
    world.spawn("silverside", at=(0, 3))
    world.spawn("worker_ant", at=(20, -12))
    world.spawn("eel", at=(3, -3), tier="bush")
    world.step(3)
    world.check = "heavy"
    return world


def test_a_world_goes_on_as_if_nobody_looked():
    looked_at, alone = heavy(), heavy()
    alone.check = ""
    looked_at.step(6)
    alone.step(6)
    assert looked_at.tick == 9
    assert looked_at.state_hash() == alone.state_hash()


@pytest.mark.parametrize("kind", [Heartbeat, Dice])
def test_what_no_save_holds_is_named_with_the_system_and_the_column(kind):
    world = heavy(with_system(kind))
    with pytest.raises(HeavyCheckError, match=f"tick 3, {kind.__name__}: CreaturePool.goal_radius .* after loading") as told:
        world.step()
    assert (told.value.tick, told.value.system, told.value.place) == (3, kind.__name__, "CreaturePool.goal_radius")
    assert world.tick == 4  # the tick was run to its end


def test_what_is_drawn_from_the_worlds_streams_is_saved():
    heavy(with_system(HonestDice)).step(3)


def test_a_system_that_no_plugin_adds_is_named():
    world = heavy()
    world.add_system(Heartbeat, phase=Phase.THINK)
    with pytest.raises(HeavyCheckError, match="Heartbeat: the schedule has .* is it of a plugin"):
        world.step()


def test_what_cannot_be_loaded_is_named():
    class LostPool(Pool):
        number = column(np.float64)

    world = heavy()
    world.add_pool(LostPool)
    with pytest.raises(HeavyCheckError, match=f"{LOADING}: the world cannot be saved and loaded: .*LostPool"):
        world.step()
    assert world.tick == 3


def test_a_state_that_forgets_is_named():
    class Forgetful:
        def __init__(self):
            self.pages = np.zeros(3)

        def state(self):
            return {"pages": self.pages}

        def restore(self, state):
            pass

    def build(world):
        world.add_state("diary", Forgetful())

    world = heavy(build)
    world.step()
    world.states["diary"].pages[1] = 2.0
    with pytest.raises(HeavyCheckError, match=rf"{LOADING}: diary.pages \[1\] is .*2.0.*, after loading .*0.0") as told:
        world.step()
    assert told.value.place == "diary.pages"


def test_mods_that_were_taken_out_are_out_in_the_copy_too():
    class Failing(Heartbeat):
        def process(self, _dt):
            raise KeyError("lost")

    world = heavy(with_system(Failing))
    failed = []
    world.on("mod_failed", lambda event: failed.append(event.mod))
    world.step(4)
    assert not failed  # it failed before anybody looked
    assert "Failing" not in world.schedule


def test_handlers_of_the_game_may_change_the_world():
    world = heavy()
    world.on("born", lambda event: event.creature.goto((0.0, 0.0)))
    world.spawn("pauropod", at=(20, 20))
    world.step(3)


def test_modules_of_a_folder_run_once_and_serve_all_copies(tmp_path):
    (tmp_path / "counter.py").write_text(TALLY)
    world = World(seed=1, mods=tmp_path)
    world.spawn("pauropod")
    world.check = "heavy"
    world.step(3)
    assert "TallySystem" in world.schedule


def test_other_words_are_refused():
    world = World(seed=1)
    assert world.check == ""
    with pytest.raises(ArgumentError, match="check = 'thorough': .*heavy"):
        world.check = "thorough"
    assert world.check == ""
    world.check = "heavy"
    world.check = None
    assert world.check == ""


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_every_precision(precision):
    heavy(precision=precision).step(2)
