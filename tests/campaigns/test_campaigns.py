"""The campaigns, short in every test run, long with ``--slow``. A report names each kind of failure and its first case."""

from __future__ import annotations

import logging

import pytest

from paludarium import World
from paludarium.engine.errors import SnapshotError
from paludarium.engine.plain_data import told_as
from paludarium.engine.plugins import BUILT_IN
from paludarium.engine.schedule import Phase
from paludarium.systems.tick import FAMILIES
from paludarium.tests.campaigns import determinism
from paludarium.tests.campaigns.file_cases import lively_world, world_on
from paludarium.tests.campaigns.outcome import (
    REFUSED,
    TICKS_AFTER_LOAD,
    Report,
    goes_on_alike,
    kind_of,
    steps_finite,
    what_became_of,
)
from paludarium.tests.campaigns.plan import CAMPAIGNS, SEED
from paludarium.tests.campaigns.soak import Soak

IN_EVERY_RUN = [name for name, campaign in CAMPAIGNS.items() if campaign.short]
DISTURBED = 50
"""Events `tissue_disturbed` that 20 simulated minutes of pushing, cutting, driving and killing may have."""


@pytest.mark.parametrize("name", IN_EVERY_RUN)
def test_short_campaign(name):
    report = CAMPAIGNS[name].run(SEED, CAMPAIGNS[name].short)
    assert not report.failed, str(report)


def test_short_determinism():
    ticks = 2 * TICKS_AFTER_LOAD
    report = determinism.run(SEED, ticks, scenes=(determinism.LIVELY,), threads=(1, 2), packs=(determinism.SHIPPED,))
    assert report.tried == 8
    assert not report.failed, str(report)


@pytest.mark.parametrize("scene", ["tide_pool", "lagoon"])
def test_short_soak(scene):
    report = Report("soak", SEED)
    soak = Soak(scene, SEED, report)
    soak.run(300)
    assert soak.world.tick == 300
    assert not report.failed, str(report)


class Fails:
    """A system that raises what refusals raise."""

    def __init__(self, world):
        self.world = world

    def process(self, _dt):
        self.world.spawn("no such animal")


class FailsOnce(Fails):
    """The same as a mod's."""


def build_failing(world):
    world.add_system(FailsOnce, phase=Phase.LIVE)


def test_an_error_of_ours_that_comes_out_of_a_tick_is_no_refusal(tmp_path):
    world = World(seed=1)
    assert what_became_of(lambda: world.spawn("no such animal")) == REFUSED
    assert what_became_of(lambda: world.step(-1)) == REFUSED
    world.add_system(Fails, phase=Phase.LIVE)
    outcome = what_became_of(world.step)
    assert kind_of(outcome) == "in a tick SpeciesError at engine/species.py:__getitem__"

    def told_as_another() -> None:
        with told_as(SnapshotError, "world.palu"):
            world.step()

    assert kind_of(what_became_of(told_as_another)).startswith("in a tick SnapshotError")
    report = Report("one", SEED)
    report.add(kind_of(outcome))
    assert report.failed == 1


def test_an_error_that_the_tick_survives_is_a_failure(caplog):
    caplog.set_level(logging.CRITICAL)
    world = World(seed=1, plugins=[*BUILT_IN, build_failing])
    assert steps_finite(world) == "mod_failed within 3 ticks"
    assert steps_finite(world) is None  # the mod has been taken out


def test_a_copy_that_goes_another_way_is_a_failure(tmp_path):
    world = World(seed=1)
    world.spawn("pauropod")
    world.save(tmp_path / "world.palu")
    assert goes_on_alike(world, World.load(tmp_path / "world.palu"), ticks=3) is None
    other = World.load(tmp_path / "world.palu")
    assert goes_on_alike(world, other, ticks=3) == "the hash differs 3 ticks after a load"


def test_the_worlds_of_the_saves_hold_all_families():
    assert lively_world().families.loaded == set(FAMILIES)
    for name in ("reef", "koi_pond", "lagoon", "tide_pool", "forest_floor"):
        assert world_on(name).families.loaded == set(FAMILIES), name


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_long_campaign(name):
    report = CAMPAIGNS[name].run(SEED, CAMPAIGNS[name].long)
    assert not report.failed, str(report)
    assert report.figures.get("disturbed", 0) < DISTURBED, str(report)
