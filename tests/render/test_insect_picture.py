"""The picture of insects: where they are, feet at their tips, what the jaws hold, nests, any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.insect.shell import BUILDS, ShellPool
from paludarium.components.legs import LegPool
from paludarium.engine.errors import MapError, SpeciesError
from paludarium.engine.maps import Map
from paludarium.systems.render.creatures.primitive_fields import (
    CAPSULE,
    CONTACT,
    KIND,
    LINE,
    SHELL,
    X0,
    X1,
    Y0,
    Y1,
)
from paludarium.systems.render.creatures.sheet import new_sheet
from paludarium.systems.render.output.image import rgb_bytes
from paludarium.systems.render.scene.camera import Camera

SIZE = (320, 200)
FLAT = {"name": "table", "area": {"width_u": 60, "height_u": 60}, "terrain": {"kind": "flat", "elevation": 1.0}}


def world_of(count=1, **more):
    world = World(seed=4, map=Map.define(**FLAT, **more), precision="float32")
    for place in range(count):
        world.spawn("worker_ant", at=(2.5 * (place % 5) - 5.0 * (count > 1), 2.0 * (place // 5)), heading=0.7 * place)
    return world


def rows_of(world, scale=40.0, center=(0.0, 0.0)):
    """Primitives of the insects in a picture, and the camera."""
    camera = Camera(SIZE, center, scale)
    world.picture.frame(camera, SIZE)
    view = world.picture._renderer._view(  # noqa: SLF001 - the view of a picture is its own affair
        world.picture.scene(), camera, np.zeros(40, np.float32), world.picture._renderer._level(camera))  # noqa: SLF001
    sheet = new_sheet(4096)
    group = world.picture.painters["insect"].group(world.picture.painters["insect"].poses())
    return sheet.prims[: group.put(sheet, 0, view)], camera, view


def test_an_ant_is_drawn_where_it_is():
    world = world_of()
    world.step(30)
    ant = next(iter(world.creatures.values()))
    camera = Camera(SIZE, ant.position[:2], 40.0)
    with_ant = rgb_bytes(world.picture.frame(camera, SIZE, still=True)).astype(int)
    world.despawn(ant)
    without = rgb_bytes(world.picture.frame(camera, SIZE, still=True)).astype(int)
    changed = np.abs(with_ant - without).sum(axis=2) > 24
    rows, columns = np.nonzero(changed)
    head = changed[SIZE[1] // 2 - 3 : SIZE[1] // 2 + 4, SIZE[0] // 2 - 3 : SIZE[0] // 2 + 4]
    assert head.mean() > 0.95  # a light on it may have the colour of the ground
    assert abs(columns.mean() - SIZE[0] / 2) < 60
    assert abs(rows.mean() - SIZE[1] / 2) < 60
    assert 40 < np.ptp(columns) + np.ptp(rows) < 260  # an ant of 1.7 units and its legs


def test_feet_end_at_their_tips():
    world = world_of()
    world.step(41)
    prims, _, view = rows_of(world)
    tips = world.pool(LegPool).tip[:6]
    x, y = (tips[:, 0] - view.center_x) * 40.0 + 0.5 * SIZE[0], 0.5 * SIZE[1] - (tips[:, 1] - view.center_y) * 40.0
    pixels = np.column_stack([x, y])
    limbs = prims[(prims[:, KIND] == CAPSULE) | (prims[:, KIND] == LINE)]
    for x, y in pixels:
        assert np.hypot(limbs[:, X1] - x, limbs[:, Y1] - y).min() < 1.5
    touches = prims[prims[:, KIND] == CONTACT]
    standing = world.pool(LegPool).state[:6] == 4
    for x, y in pixels[standing]:
        assert np.hypot(touches[:, X0] - x, touches[:, Y0] - y).min() < 1.5


def test_what_is_carried_moves_with_the_jaws_and_shines_no_more():
    world = world_of()
    world.add_nest((20, 0))
    ant = next(iter(world.creatures.values()))
    bare = (rows_of(world)[0][:, KIND] == SHELL).sum()
    ant.carry(world.add_food((0.8, 0.0), amount=0.2))
    assert not len(world.picture.scene().food)
    before = None
    for _ in range(3):
        world.step(20)
        prims, _, view = rows_of(world, center=tuple(ant.position[:2]))
        shells = prims[prims[:, KIND] == SHELL]
        assert len(shells) == bare + 1
        head = np.array([(ant.position[0] - view.center_x) * 40.0 + 160.0, 100.0 - (ant.position[1] - view.center_y) * 40.0])
        away = np.hypot(shells[:, X0] - head[0], shells[:, Y0] - head[1]) / 40.0
        ahead = away[np.abs(away - 0.55) < 0.3]
        assert ahead.size >= 1
        if before is not None:
            assert abs(ahead.min() - before) < 0.15
        before = ahead.min()


@pytest.mark.parametrize("scale", [4.0, 9.0, 24.0, 80.0])
def test_threads_and_tiles_make_no_difference(scale):
    import numba

    world = world_of(12)
    world.step(10)
    camera = Camera(SIZE, (0.0, 2.0), scale)
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        one = world.picture.frame(camera, SIZE, still=True).copy()
        numba.set_num_threads(min(2, numba.config.NUMBA_NUM_THREADS))
        two = world.picture.frame(camera, SIZE, still=True).copy()
    finally:
        numba.set_num_threads(threads)
    assert (one == two).all()


def test_no_seams_between_tiles():
    """The same animals, seen by a camera that stands some whole pixels elsewhere, are the same picture."""
    world = world_of(6)
    world.step(10)
    first = rgb_bytes(world.picture.frame(Camera(SIZE, (0.0, 0.0), 32.0), SIZE, still=True).copy()).astype(int)
    moved = rgb_bytes(world.picture.frame(Camera(SIZE, (17.0 / 32.0, 0.0), 32.0), SIZE, still=True)).astype(int)
    difference = np.abs(first[20:180, 77:277] - moved[20:180, 60:260])  # vignette and half pixels of shadows differ a little
    assert np.percentile(difference, 99.5) < 14
    assert difference.max(axis=2).mean() < 3.0


@pytest.mark.parametrize("style", BUILDS)
def test_every_build_is_drawn_in_any_light(style):
    world = World(seed=1, map=Map.define(**FLAT, light={"time": "dusk"}), precision="float32")
    base = world.species["worker_ant"].source
    world.define_species("other", **{**base, "shell": {"style": style, "split": 0.4, "jaw_size": 2.5, "hair": 1.0}})
    bug = world.spawn("other", at=(0, 0))
    assert bug.shell.style == style
    for scale in (4.0, 30.0, 80.0):
        prims, _, _ = rows_of(world, scale)
        assert np.isfinite(prims).all()
        assert len(prims) > 8


def test_detail_grows_with_size_and_never_runs_away():
    world = world_of()
    counts = [len(rows_of(world, scale)[0]) for scale in (4.0, 8.0, 14.0, 30.0, 80.0)]
    assert counts == sorted(counts)
    assert counts[0] <= 13  # 1,000 of them in view
    assert counts[1] <= 24
    assert counts[-1] < 200


def test_the_dead_lie_with_folded_legs_and_are_drawn():
    world = world_of()
    ant = next(iter(world.creatures.values()))
    ant.kill()
    world.step(60)
    prims, _, _ = rows_of(world)
    assert np.isfinite(prims).all()
    assert (prims[:, KIND] == SHELL).sum() >= 5


def test_a_nest_is_a_dark_hole_in_the_ground():
    world = world_of(0, nests=[{"at_u": [0, 0], "entrances": 1}])
    picture = rgb_bytes(world.picture.frame(Camera(SIZE, (0.0, 0.0), 30.0), SIZE, still=True)).astype(int)
    bare = rgb_bytes(world_of(0).picture.frame(Camera(SIZE, (0.0, 0.0), 30.0), SIZE, still=True)).astype(int)
    assert picture[98:103, 158:163].mean() < 0.35 * bare[98:103, 158:163].mean()
    assert np.abs(picture[:, :20] - bare[:, :20]).mean() < 6  # far from it nothing has changed


def test_nests_of_a_map_are_there_before_its_ants():
    world = World(seed=1, map=Map.define(**FLAT, nests=[{"at_u": [8, 0], "entrances": 3, "spread_u": 2.0}],
                                         creatures=[{"species": "worker_ant", "count": 3, "spread_u": 4}]))  # fmt: skip
    assert [ant.colony.nest for ant in world.creatures.values()] == [0, 0, 0]


@pytest.mark.parametrize("table, key", [({"entrances": 0}, "entrances"), ({"radius_u": -1.0}, "radius_u"),
                                        ({"at_u": [500, 0]}, "at_u"), ({"holes": 2}, "holes")])  # fmt: skip
def test_wrong_nests_name_the_key(table, key):
    with pytest.raises(MapError, match=key):
        World(seed=1, map=Map.define(**FLAT, nests=[table]))


def test_wrong_shells_name_the_key():
    world = world_of(0)
    base = world.species["worker_ant"].source
    with pytest.raises(SpeciesError, match="style"):
        world.define_species("odd", **{**base, "shell": {"style": "spider"}})


def test_looks_survive_a_save(tmp_path):
    world = world_of(2)
    world.save(tmp_path / "ants.save")
    again = World.load(tmp_path / "ants.save")
    assert (again.pool(ShellPool).colors[:2] == world.pool(ShellPool).colors[:2]).all()
    again.picture.frame(Camera(SIZE, (0.0, 0.0), 20.0), SIZE)


@pytest.mark.parametrize("name", ["triangles", "trails"])
def test_overlays_only_read(name):
    pygame = pytest.importorskip("pygame")
    from paludarium.systems.insect import insect_overlays

    world = world_of(4)
    world.add_nest((6, 0))
    ants = list(world.creatures.values())
    ants[0].carry(world.add_food((0, 0), amount=0.2))
    world.step(90)
    before = world.state_hash()
    surface, camera = pygame.Surface(SIZE), Camera(SIZE, ants[0].position[:2], 30.0)
    getattr(insect_overlays, f"draw_overlay_{name}")(surface, camera, world)
    assert pygame.surfarray.array3d(surface).any()
    assert world.state_hash() == before
