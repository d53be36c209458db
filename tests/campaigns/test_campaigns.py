"""The campaigns, short in every test run, long with ``--slow``. A report names each kind of failure and its first case."""

from __future__ import annotations

import pytest

from paludarium.tests.campaigns import determinism
from paludarium.tests.campaigns.outcome import Report
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
    report = determinism.run(SEED, 30, scenes=("lively",), threads=(1, 2), packs=(determinism.SHIPPED,))
    assert report.tried == 8
    assert not report.failed, str(report)


def test_short_soak():
    report = Report("soak", SEED)
    soak = Soak("tide_pool", SEED, report)
    soak.run(300)
    assert soak.world.tick == 300
    assert not report.failed, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_long_campaign(name):
    report = CAMPAIGNS[name].run(SEED, CAMPAIGNS[name].long)
    assert not report.failed, str(report)
    assert report.figures.get("disturbed", 0) < DISTURBED, str(report)
