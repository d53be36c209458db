"""Fluid windows as parts of a program: saving, failing, drifting, several in one."""

import numpy as np
import pytest

from paludarium.components.articulated.links import LinkSpec
from paludarium.components.articulated.manoeuvres import ManoeuvreSpec
from paludarium.engine.errors import SnapshotError
from paludarium.systems.articulated.fluid.multigrid_kernel import v_cycle
from paludarium.systems.articulated.fluid.window_layout import COARSEST, FAILURES, SHIFTS, FluidWindows, level_sides
from paludarium.systems.articulated.fluid.windows import step_windows
from paludarium.tests.reproduction.swimmers.bodies import DT, hand_gait, tank

ONE = np.array([0])


def small(**options):
    return tank(gait=hand_gait(), nx=64, ny=32, **options)


def everything(one):
    arrays = *one.windows.state().values(), one.swimmers.root[:2], one.links.rate
    return b"".join(array.tobytes() for array in arrays)


def test_a_window_goes_on_after_loading_as_if_nothing_was():
    """Bitwise: whatever is not saved is made anew in every step."""
    one = small()
    assert one.swim(50)
    saved = {name: array.copy() for name, array in one.windows.state().items()}
    fresh = FluidWindows(1, 64, 32)
    scratch = fresh.arrays
    for field in (scratch.u1, scratch.v1, scratch.image, scratch.along, scratch.guess[:, 0], scratch.other[:, 0]):
        field[:, 1:-1, 1:-1] = 7.0  # must not matter
    pools = {name: getattr(one.swimmers, name).copy() for name in one.swimmers.columns}
    links = {name: getattr(one.links, name).copy() for name in one.links.columns}
    assert one.swim(30)
    wanted = everything(one)
    for pool, columns in ((one.swimmers, pools), (one.links, links)):
        for name, values in columns.items():
            getattr(pool, name)[:] = values
    fresh.restore(saved)
    one.windows = fresh
    assert one.swim(30)
    assert everything(one) == wanted


@pytest.mark.parametrize(("name", "change"), [
    ("u", lambda a: a[:, 1:]), ("u", lambda a: a.astype(np.float32)), ("v", lambda a: np.full_like(a, np.nan)),
    ("pressure", lambda a: np.full_like(a, 1e300)), ("member_count", lambda a: a + 7), ("members", lambda a: a - 9),
    ("cell", lambda a: a * 0.0), ("origin", lambda a: a + np.inf),
])  # fmt: skip
def test_bad_saves_are_refused(name, change):
    one = small()
    assert one.swim(3)
    state = {key: array.copy() for key, array in one.windows.state().items()}
    before = everything(one)
    state[name] = change(state[name])
    with pytest.raises(SnapshotError, match="fluid windows"):
        one.windows.restore(state)
    del state[name]
    with pytest.raises(SnapshotError, match=name):
        one.windows.restore(state)
    assert everything(one) == before


@pytest.mark.parametrize("fault", ["not finite", "too fast", "body not finite"])
def test_water_that_fails_begins_anew_at_rest(fault):
    one = small()
    assert one.swim(30)
    place = one.swimmers.root[0].copy()
    if fault == "not finite":
        one.fluid.u[0, 10, 10] = np.nan
    elif fault == "too fast":
        one.fluid.u[0, 10, 10] = 1e4
    else:
        one.links.push[2] = np.nan
    step_windows(ONE, one.windows, one.swimmers, one.links, DT, 0.03)
    assert one.swimmers.failed[0] == 1
    assert one.fluid.counts[0, FAILURES] == 1
    assert one.swimmers.root[0] == pytest.approx(place, abs=0.0)
    assert not one.fluid.u.any()
    assert not one.fluid.pressure.any()
    assert not one.swimmers.root_rate[0].any()
    one.links.push[:5] = 0.0
    assert one.swim(30)
    assert one.swimmers.failed[0] == 0
    assert np.isfinite(one.fluid.u).all()
    assert one.swimmers.root_rate[0, 0] != 0.0


def test_a_run_that_fails_says_so():
    one = small()
    one.links.push[1] = 1e12
    assert not one.swim(20)


def test_a_drifting_window_takes_its_swimmer_along():
    """In a current everything is the same, seen from the water; later on an iteration more or less tells runs apart."""
    still, adrift = (small(at=((0.013, 0.007, 0.1),)) for _ in range(2))
    adrift.swimmers.stream[0] = 0.5, -0.25, 0.0
    assert still.swim(6, 1e-6)
    assert adrift.swim(6, 1e-6)
    assert adrift.swimmers.root[0, :2] - still.swimmers.root[0, :2] == pytest.approx((0.05, -0.025), abs=1e-11)
    assert adrift.fluid.u == pytest.approx(still.fluid.u, abs=1e-9)
    assert adrift.fluid.counts[0, SHIFTS] == still.fluid.counts[0, SHIFTS]


def test_size_does_not_matter():
    """Inviscid water scales: an eel eight times as long goes eight times as far, and works 8^4 times as much."""
    from paludarium.components.articulated.servo import ServoSpec

    one, large = small(), tank(gait=hand_gait(), nx=64, ny=32, width=24.0, servo=ServoSpec(length=8.0))
    assert one.swim(60, 1e-8)
    assert large.swim(60, 1e-8)
    assert large.swimmers.root[0, :2] / 8.0 == pytest.approx(one.swimmers.root[0, :2], abs=1e-6)
    assert large.swimmers.work[0] / 8.0**4 == pytest.approx(one.swimmers.work[0], rel=1e-5)


def test_pressure_passes_from_body_to_body():
    """Side by side and one set into motion: the other is pushed on by the water between, at once."""
    one = tank(nx=64, ny=64, width=2.25, at=((0.0, 0.0, 0.0), (0.0, 0.2, 0.0)))
    one.swimmers.root_rate[0] = 0.0, 0.5, 0.0
    assert one.swim(1, 1e-8, dt=1e-4)
    assert one.swimmers.root_rate[1, 1] > 0.02


def test_two_bodies_that_touch_do_no_harm():
    one = tank(gait=hand_gait(), nx=64, ny=64, width=2.25, at=((0.0, 0.0, 0.0), (0.0, 0.01, 0.1), (0.1, -0.02, -0.1)))
    assert one.swim(60, 0.03)
    assert np.isfinite(one.fluid.u).all()


@pytest.mark.parametrize(("size", "levels"), [((128, 64), 5), ((64, 64), 5), ((120, 80), 4), ((10, 7), 1)])
def test_levels(size, levels):
    assert len(level_sides(*size)) == levels
    assert min(size) >> (levels - 1) >= COARSEST


def test_a_gait_in_an_odd_window_is_solved_too():
    one = tank(gait=hand_gait(), nx=120, ny=80, width=3.0)
    assert one.swim(30)
    assert one.swimmers.root[0, 0] > 0.01


def test_windows_that_cannot_be_are_refused():
    from paludarium.engine.errors import PaludariumError

    for bad in ((0, 64, 64), (1, 4, 64), (1, 64, 100000)):
        with pytest.raises(PaludariumError, match="fluid windows"):
            FluidWindows(*bad)


LIMBS = (
    LinkSpec(name="trunk", length=0.5, half_width=(0.18, 0.13)),
    *(LinkSpec(name=f"{side} {part}", parent=parent, length=0.22, half_width=(0.04, 0.03), at=at, rest=rest)
      for side, y in (("left", 1.0), ("right", -1.0))
      for part, parent, at, rest in (("arm", "trunk", (-0.08, 0.15 * y), -1.2 * y), ("hand", f"{side} arm", (), 0.0),
                                     ("leg", "trunk", (-0.45, 0.1 * y), -0.5 * y), ("foot", f"{side} leg", (), 0.0))),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_limbs_that_close_on_water_break_nothing(seed):
    """Arms and legs beat at random to their limits, over each other and into the trunk: water is trapped and squeezed."""
    rng = np.random.default_rng(seed)
    gait = ManoeuvreSpec(name="straight", amplitude=(0.78,) * 8, phase=tuple(rng.uniform(0.0, 6.28, 8).tolist()))
    one = tank(LIMBS, gait, nx=64, ny=64, width=2.25)
    sealed = 0
    for _ in range(20):
        assert one.swim(6, 0.03)
        sealed += int(one.fluid.sealed_count[0])
    assert sealed > 0
    assert np.abs(one.links.angle[1:9] - one.links.wanted[1:9]).max() < 0.5  # no joint is held by water


def test_the_preconditioner_is_symmetric_beside_closed_cells():
    """Conjugate gradients need it: with bodies that overlap, too."""
    one = tank(LIMBS, nx=32, ny=32, width=2.25)
    one.links.angle[1:9] = 0.6, -0.5, 0.7, 0.3, -0.6, 0.5, 0.2, -0.7
    assert one.swim(1)
    fluid = one.fluid
    wet = np.argwhere(fluid.damped[0, 0] > 0.0)
    found = np.zeros((len(wet), len(wet)))
    for k, (j, i) in enumerate(wet):
        fluid.rest[0, 0] = 0.0
        fluid.rest[0, 0, j, i] = 1.0
        v_cycle(0, fluid)
        found[:, k] = fluid.guess[0, 0][tuple(wet.T)]
    assert np.abs(found - found.T).max() < 1e-12 * np.abs(found).max()
    assert np.linalg.eigvalsh(found)[0] > 0.0
