"""Muscles that stiffen when they contract: how much, only when asked for, and with enough substeps."""

import numpy as np
import pytest

from paludarium.components.head_command import HeadCommandPool
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.muscles import MusclePool, MuscleSpec
from paludarium.components.myriapod.tissue import TissuePool, TissueSpec
from paludarium.components.parameters import parameter_row
from paludarium.engine.errors import SpeciesError
from paludarium.lab.myriapod.swim_tank import Swimmers
from paludarium.lab.myriapod.trial import Trial
from paludarium.systems.myriapod.swim.stiffness_kernel import stiffen_one
from paludarium.tests.swim.lake import EEL, lake_world


def stiffened(lengths, **changes):
    """The elastic data of one block with muscles of these lengths."""
    chains, blocks, muscles = ChainPool(), TissuePool(), MusclePool()
    for pool in (chains, blocks, muscles):
        pool.claim(1, owner=1)
    chains.block_count[0] = 1
    blocks.lengths[0], blocks.elastic[0] = lengths, (100.0, 400.0, 1.0, 50.0)
    muscles.parameters[0], muscles.lame[0] = parameter_row(MuscleSpec(), **changes), (100.0, 400.0)
    stiffen_one(0, chains, blocks, muscles)
    return blocks.elastic[:1]


@pytest.mark.parametrize(("lengths", "share"), [
    ((1.0, 1.0, 1.0, 1.0), 0.0), ((0.5, 1.0, 1.0, 1.0), 1.0), ((0.75, 0.9, 1.0, 1.0), 0.5), ((1.0, 1.0, 1.0, 0.6), 0.8),
    ((0.3, 1.0, 1.0, 1.0), 1.0), ((1.2, 1.1, 1.0, 1.0), 0.0),
])  # fmt: skip
def test_stiffness_rises_with_the_shortest_side(lengths, share):
    np.testing.assert_allclose(stiffened(lengths, stiffening=3.0)[0], (100 * (1 + 3 * share), 400 * (1 + 3 * share), 1, 50))


def test_without_the_option_nothing_is_touched():
    np.testing.assert_array_equal(stiffened((0.5, 1.0, 1.0, 1.0)), [(100.0, 400.0, 1.0, 50.0)])


def test_substeps_are_counted_for_the_stiffest_state():
    plain, stiff = (Swimmers(1, muscles=MuscleSpec(stiffening=k)).blueprint.substeps for k in (0.0, 3.0))
    assert plain == 10
    assert stiff == 20  # four times the stiffness, twice the eigenfrequency


def test_soft_body_swims_faster_when_its_muscles_stiffen():
    soft = {"tissue": TissueSpec(young_modulus=400.0), "longest_seconds": 6.0}
    plain, stiff = (Trial(muscles=MuscleSpec(stiffening=k), **soft).measure(1.0, 0.94) for k in (0.0, 3.0))
    assert stiff.speed > 3.0 * plain.speed > 0.0


def test_world_stiffens_its_swimmers_and_relaxes_them():
    world = lake_world()
    world.define_species("stiff_eel", **{**EEL, "muscles": {"stiffening": 2.0, "lift": 0.0}})
    eel = world.spawn("stiff_eel", at=(0.0, 0.0, 20.0))
    world.pool(HeadCommandPool).speed[eel.row] = 5.0
    mu = TissueSpec().lame[0]
    elastic = world.pool(TissuePool).elastic[eel.rows["tissue"].slice]
    np.testing.assert_allclose(elastic[:, 0], mu)
    world.step(150)
    lengths = eel.muscles.length.min(axis=1)
    np.testing.assert_allclose(elastic[:, 0], mu * (1.0 + 2.0 * (1.0 - lengths) / 0.5), rtol=1e-12)
    assert elastic[:, 0].max() > 2.0 * mu
    world.schedule["Lake"].system.level = -1e30
    world.step(90)
    np.testing.assert_allclose(elastic[:, 0], mu)


def test_contradicting_option_is_named():
    with pytest.raises(SpeciesError, match="stiffening"):
        lake_world().define_species("rigid", **{**EEL, "muscles": {"stiffening": 1.0, "shortest": 1.0, "longest": 1.1}})
