"""Wakes: dye by the sense of whirls, traces of fifteen places, windows that move and fade in. [articulated-swimmers 4]"""

import numpy as np
import pytest

from paludarium import World
from paludarium.systems.articulated.painter.wake_kernel import STEPS, edge_fade
from paludarium.systems.articulated.painter.wakes import STEP_SECONDS, WakeKeeper, Wakes
from paludarium.systems.render import Camera, Ground, Renderer, Scene
from paludarium.systems.render.creatures.primitive_fields import ALPHA, CB, CR, DYE, KIND, LINE
from paludarium.systems.render.creatures.sheet import View, new_sheet

CELLS, CELL = 48, 0.25
SIZE = (240, 240)
DEEP = Ground(np.full((40, 40), -8.0), (-20.0, -20.0), 1.0, ponds=np.array([[-99.0, -99.0, 99.0, 99.0, 0.0]]), clarity=6.0)
VIEW = View(0.0, 0.0, 20.0, 240.0, 240.0, 20.0, 0.0, False, -20.0, -20.0, 1.0, DEEP.elevation, DEEP.ponds, -8.0, 6.0)


def whirl(strength, radius=1.2, at=(0.0, 0.0), drift=(0.0, 0.0), shown=True):
    """A window around a whirl that turns as a solid inside and as an irrotational vortex outside, and a keeper for it."""
    half = 0.5 * CELLS * CELL
    x0, y0 = at[0] - half, at[1] - half
    j, i = np.mgrid[0 : CELLS + 2, 0 : CELLS + 2]

    def flow(x, y):
        far = np.maximum(np.hypot(x, y), 1e-9)
        around = strength * np.minimum(far, radius**2 / far)
        return -around * y / far, around * x / far

    u = flow(x0 + CELL * i - at[0], y0 + CELL * (j - 0.5) - at[1])[0]
    v = flow(x0 + CELL * (i - 0.5) - at[0], y0 + CELL * j - at[1])[1]
    keeper = WakeKeeper(1, CELLS, CELLS, tracers=120)
    origin, cell, height, seen = np.array([[x0, y0]]), np.array([CELL]), np.array([-2.0]), np.array([1.0])
    water = Wakes(u[None], v[None], origin, cell, np.array([drift]), height, seen, keeper.dye[:0], keeper.places[:0], shown)
    return keeper, water


def stirred(keeper, water, seconds=1.0, dt=1.0 / 60.0):
    window, group = np.array([0]), None
    for k in range(round(seconds / dt)):
        group = keeper.group(water, window, dt, np.array([k == 0]))
    return group


def picture(*groups):
    renderer, camera, scene = Renderer(SIZE), Camera(SIZE, (0.0, 0.0), 20.0), Scene(DEEP, groups)
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, time=2.0)
    pixels = renderer.pixels
    return np.stack([pixels >> 16 & 255, pixels >> 8 & 255, pixels & 255], axis=-1).astype(float)


@pytest.mark.parametrize("strength, warmer", [(2.0, True), (-2.0, False)])
def test_counter_clockwise_is_warm_and_clockwise_cool(strength, warmer):
    keeper, water = whirl(strength)
    change = picture(stirred(keeper, water)) - picture()
    middle = change[112:128, 112:128].mean(axis=(0, 1))
    assert (middle[0] > middle[2] + 40.0) == warmer
    assert (middle[2] > middle[0] + 40.0) == (not warmer)
    assert np.abs(change[:6]).max() < 3.0  # the edge of a window is not seen


def test_dye_has_the_place_of_the_whirl():
    keeper, water = whirl(2.0, at=(2.0, -1.5))
    group = stirred(keeper, water)
    dye = group.wakes.dye[0]
    j, i = np.unravel_index(np.argmax(dye), dye.shape)
    x, y = water.origin[0] + CELL * np.array([i, j])
    assert np.hypot(x - 2.0, y + 1.5) < 1.3
    assert dye.max() > 0.8
    assert dye.min() > -0.05


def test_dye_of_water_that_came_to_rest_fades_and_stays_in_place_when_its_window_moves():
    keeper, water = whirl(2.0)
    before = stirred(keeper, water).wakes.dye[0].copy()
    still = water._replace(u=np.zeros_like(water.u), v=np.zeros_like(water.v), origin=water.origin + 4 * CELL)
    after = keeper.group(still, np.array([0]), 1.0 / 60.0, np.array([False])).wakes.dye[0]
    assert after[:-5, :-5] == pytest.approx(before[4:-1, 4:-1] * np.exp(-1.0 / 60.0 / 2.6), abs=1e-9)


def test_dye_drifts_with_the_stream():
    keeper, water = whirl(2.0, drift=(CELL * 60.0, 0.0))
    before = stirred(keeper, water, 0.5).wakes.dye[0].copy()
    still = water._replace(u=np.zeros_like(water.u), v=np.zeros_like(water.v))
    after = keeper.group(still, np.array([0]), 1.0 / 60.0, np.array([False])).wakes.dye[0]
    assert after[:-1, 1:] == pytest.approx(before[:-1, :-1] * np.exp(-1.0 / 60.0 / 2.6), abs=1e-9)


def test_traces_keep_fifteen_places_and_follow_the_whirl():
    keeper, water = whirl(2.0)
    group = stirred(keeper, water, 1.5, STEP_SECONDS + 1e-5)
    places = group.wakes.places[0]
    assert places.shape[1] == STEPS == 15
    old = keeper.ages[0] < 4.0 - STEPS / 30.0  # longer alive than their trace is long, whatever life they were given
    far = np.hypot(*np.moveaxis(places, -1, 0))
    core = old & (far[:, 0] < 1.0) & (far[:, 0] > 0.3)
    assert core.any()
    turned = np.unwrap(np.arctan2(places[core, :, 1], places[core, :, 0]), axis=1)
    assert -np.diff(turned, axis=1) == pytest.approx(2.0 / 30.0, rel=0.12)  # a solid core turns by its rate
    assert np.ptp(far[core], axis=1).max() < 0.08  # on circles


def test_traces_are_denser_where_it_whirls_more_and_have_the_colour_of_its_sense():
    keeper, water = whirl(2.0, shown=False)
    group = stirred(keeper, water, 2.0)
    sheet = new_sheet(8192)
    count = group.put(sheet, 0, VIEW)
    rows = sheet.prims[:count]
    lines, dyes = rows[rows[:, KIND] == LINE], rows[rows[:, KIND] == DYE]
    assert len(dyes)
    assert len(lines) > 10
    assert (lines[:, CR] > lines[:, CB]).all()
    wakes = group.wakes
    dense = {}
    for trace in wakes.places[0]:
        place = (trace[0] - wakes.origin[0]) / CELL
        i, j = (int(value) for value in place)
        share = edge_fade(*(place / CELLS))
        if 1 <= i < CELLS and 1 <= j < CELLS and share == 1.0:
            dense[round(float(np.hypot(*trace[0])), 3)] = abs(wakes.dye[0, j, i])
    assert max(value for far, value in dense.items() if far > 3.0) < max(value for far, value in dense.items() if far < 1.0)
    one = group.put(new_sheet(8192), 0, VIEW)
    assert one == count


def test_a_window_fades_in_and_an_overlay_is_stronger_than_the_hint():
    keeper, water = whirl(2.0)
    group = stirred(keeper, water)
    alpha = []
    for shown, seen in ((True, 1.0), (False, 1.0), (False, 0.5), (False, 0.0)):
        sheet, own = new_sheet(8192), group.wakes._replace(shown=shown, seen=np.array([seen]))
        rows = sheet.prims[: type(group)(own).put(sheet, 0, VIEW)]
        alpha.append(rows[rows[:, KIND] == DYE, ALPHA].max(initial=0.0))
    assert alpha == sorted(alpha, reverse=True)
    assert alpha[2] == pytest.approx(0.5 * alpha[1])
    assert alpha[3] == 0.0


def test_a_full_sheet_ends_it():
    keeper, water = whirl(2.0)
    group = stirred(keeper, water)
    needed = group.put(new_sheet(8192), 0, VIEW)
    for room in range(1, needed, 31):
        assert group.put(new_sheet(room), 0, VIEW) == room


def test_an_eel_with_a_window_leaves_a_wake_in_the_picture_and_changes_nothing_else():
    def swum(looked_at):
        world = World(seed=2, map="lagoon")
        for creature in list(world.creatures.values())[3:]:
            creature.despawn()
        for _ in range(40):
            world.step()
            if looked_at:
                world.picture.scene()
        return world

    seen, unseen = swum(True), swum(False)
    group = seen.picture.painters["articulated"].wakes.group()
    assert group is not None
    assert np.abs(group.wakes.dye).max() > 0.3
    assert np.isfinite(group.wakes.dye).all()
    assert seen.state_hash() == unseen.state_hash()
