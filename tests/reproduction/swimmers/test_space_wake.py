"""Check A16 of the digest: what swims in space leaves two trails."""

import numpy as np
import pytest

from paludarium.lab.articulated.space.space_bodies import load_body
from paludarium.lab.articulated.space.space_trial import Basin, Swim
from paludarium.systems.articulated.space.box_arrays import field
from paludarium.tests.reproduction.criteria import criterion

BEHIND = np.arange(0.1, 0.75, 0.1)
"""Body lengths behind the tail at which the wake is measured."""
LOOKS = 12
"""Of the last cycle."""


def wake_of(name):
    """(stations,) mean distance of vorticity from the midline, and vorticity there over that of the lanes, at mid height."""
    body = load_body(name)
    swim = Swim(body, Basin(cells=(96, 32, 32), lengths=3.0))
    assert swim.cycles(3, body.sines())
    profile, dx = np.zeros((len(BEHIND), 32)), swim.box.dx
    for _ in range(LOOKS):
        assert swim.cycles(1.0 / LOOKS, body.sines())
        u, v = (field(swim.box, component)[:, :, 16:18].mean(axis=2) for component in "uv")
        spin = np.zeros_like(u)
        spin[1:, 1:] = np.diff(v, axis=0)[:, 1:] / dx - np.diff(u, axis=1)[1:] / dx
        ends = swim.state.joints[:, 0] - swim.body.length * swim.state.axes[:, 0, 0]
        for profile_row, behind in zip(profile, BEHIND, strict=True):
            i = int(np.rint((ends.min() - behind - swim.box.origin[0]) / dx)) + 1
            profile_row += np.abs(spin[i - 1 : i + 2, 1:33]).mean(axis=0)
    y = np.abs(swim.box.origin[1] + dx * np.arange(32) - np.median(swim.record[-60:, 8]))
    spread = (profile * y).sum(axis=1) / profile.sum(axis=1)
    return spread, profile[:, y < 0.05].mean(axis=1) / profile.max(axis=1)


@pytest.mark.parametrize("name", ["fish_3d", "eel_3d"])
def test_a16_the_wake_in_space_has_two_trails(name, record_property):
    """Reported for eel and fish: two separate trails. Asked for: in a horizontal slice two lanes leave the midline."""
    spread, middle = wake_of(name)
    record_property(f"{name}, lengths off the midline", np.round(spread, 3).tolist())
    record_property(f"{name}, vorticity of the midline over the lanes", np.round(middle, 2).tolist())
    assert spread[-1] > 1.3 * spread[0]
    holds = bool((np.diff(spread) > 0.0).all() and middle[-1] < 0.5)
    criterion(record_property, holds=holds, why_not="the trails do not come apart")
