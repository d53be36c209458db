"""Corals, lilies and reed: what maps and games say of them, what they are to bodies, saves and recordings of them."""

import numpy as np
import pytest

from paludarium import Map, MapError, World
from paludarium.engine import growth_groups
from paludarium.engine.errors import SpawnError
from paludarium.engine.growths import CORALS, GROWTH_KINDS, HEIGHT, KIND, KINDS, RADIUS, SOLID, GrowthPool, X, growth_rows
from paludarium.engine.maps import load_map
from paludarium.engine.places import scattered
from paludarium.engine.replay import Recording, replay

SEA = {
    "area": {"width_u": 80, "height_u": 60},
    "terrain": {"kind": "flat", "elevation": -8.0},
    "water": [{"bounds": [-40, -30, 40, 30], "level_u": 0.0, "cell_u": 2.0,
               **{f"edge_{side}": "absorbing" for side in ("west", "east", "south", "north")}}],
    "light": {"clarity": 6.0},
}  # fmt: skip


def sea(seed=3, **tables):
    return World(seed=seed, map=Map.define(**{**SEA, **tables}))


def test_solid_corals_are_obstacles_and_the_others_stop_nobody():
    world = sea()
    for place, kind in enumerate(CORALS):
        world.add_coral(kind, (6.0 * place - 20.0, 0.0), 2.0)
    solid = [kind for kind in CORALS if KINDS[kind].solid]
    assert len(world.props.obstacles.spans) == len(solid) == 4
    assert len(world.pool(GrowthPool).spans) == len(CORALS) - 4
    rows = growth_rows(world)
    assert {GROWTH_KINDS[int(kind)] for kind in rows[rows[:, SOLID] == 1.0, KIND]} == set(solid)
    for place, kind in enumerate(CORALS):
        hit = world.props.at((6.0 * place - 20.0, 0.0))
        assert bool(hit) == KINDS[kind].solid, kind


@pytest.mark.parametrize("kind", GROWTH_KINDS)
def test_every_growth_tells_how_wide_it_is_and_what_it_is(kind):
    world = sea()
    add = world.add_coral if kind in CORALS else world.add_plant
    grown = add(kind, (4.0, 2.0), 1.5)
    assert grown.radius == 1.5
    assert repr(grown).endswith("at (4, 2), radius 1.5>")
    grown.remove()
    assert repr(grown).endswith(", gone>")


def test_a_ray_meets_a_brain_coral():
    world = sea()
    world.add_coral("brain", (5.0, 0.0), 2.0)
    _, where = world.props.ray((-10.0, 0.0), (20.0, 0.0))
    assert where[0] == pytest.approx(3.0, abs=0.05)


def test_a_coral_keeps_what_the_game_says_of_it():
    world = sea()
    world.add_coral("table", (1.0, 2.0), 3.0, height=1.5, heading=0.5, colour="#FF8000", seed=11)
    (row,) = growth_rows(world)
    np.testing.assert_allclose(row, [GROWTH_KINDS.index("table"), 1, 2, -8, 3, 1.5, 0.5, 1, 128 / 255, 0, 11, 1])


def test_what_is_removed_is_gone_from_the_picture_too():
    world = sea()
    props = [world.add_coral(kind, (8.0 * place, 0.0)) for place, kind in enumerate(("brain", "branch"))]
    for prop in props:
        prop.remove()
        prop.remove()
    assert not len(growth_rows(world))
    bare = world.add_obstacle("cylinder", (0.0, 0.0))  # takes the row of the coral
    assert bare.exists
    assert not len(growth_rows(world))


@pytest.mark.parametrize("call, words", [
    (lambda world: world.add_coral("brian", (0, 0)), "did you mean 'brain'"),
    (lambda world: world.add_coral("lily", (0, 0)), "lily"),
    (lambda world: world.add_plant("brain", (0, 0)), "brain"),
    (lambda world: world.add_coral(7, (0, 0)), "kind"),
    (lambda world: world.add_coral("brain", (0, 0), 0.0), "radius of a brain"),
    (lambda world: world.add_coral("brain", (0, 0), 51.0), "radius of a brain"),
    (lambda world: world.add_coral("brain", (0, 0), height=float("nan")), "height of a brain"),
    (lambda world: world.add_coral("branch", (0, 0), colour="red"), "#8FB048"),
    (lambda world: world.add_coral("branch", (0, 0), seed=-1), "seed"),
    (lambda world: world.add_coral("branch", (400, 0)), "off the map"),
])  # fmt: skip
def test_mistakes_are_named_and_change_nothing(call, words):
    world = sea()
    before = world.state_hash()
    with pytest.raises(SpawnError, match=words):
        call(world)
    assert world.state_hash() == before


def test_lilies_float_and_need_water():
    world = sea()
    leaf = world.add_plant("lotus", (3.0, 4.0), 2.0)
    assert leaf.position[2] == pytest.approx(0.0, abs=1e-6)
    dry = World(seed=1, map=Map.define(area={"width_u": 20, "height_u": 20}))
    with pytest.raises(SpawnError, match="a place in the water"):
        dry.add_plant("lily", (0.0, 0.0))


@pytest.mark.parametrize("tables, words", [
    ({"corals": [{"kind": "brian"}]}, "corals 1"),
    ({"corals": [{"colour": "blue", "kind": "fan"}]}, "colour"),
    ({"corals": [{"radius_u": 0}]}, "radius_u"),
    ({"corals": [{"size_u": 1}]}, "size_u"),
    ({"corals": [{"at_u": [300, 0]}]}, "corals 1"),
    ({"corals": {"kind": "brain"}}, r"\[\[corals\]\]"),
    ({"corals": [{"count": 5000}] * 3}, "at most 10000"),
    ({"lilies": [{"flowers": 2}]}, "flowers"),
    ({"bed": {"kind": "mud"}}, "bed"),
    ({"water": [], "lilies": [{}]}, "lilies 1"),
])  # fmt: skip
def test_mistakes_of_a_map_are_told_with_table_and_key(tables, words):
    with pytest.raises(MapError, match=words):
        sea(**tables)


def test_a_group_of_a_map_keeps_apart_and_differs_in_size():
    world = sea(corals=[{"kind": "brain", "count": 8, "spread_u": 18, "radius_u": 2.0}])
    rows = growth_rows(world)
    assert len(rows) == 8
    assert 1.5 <= rows[:, RADIUS].min() < rows[:, RADIUS].max() - 0.1 <= 2.4
    away = np.hypot(*(rows[:, None, X : X + 2] - rows[None, :, X : X + 2]).transpose(2, 0, 1))
    touching = away < 0.9 * (rows[:, None, RADIUS] + rows[None, :, RADIUS])
    assert touching.sum() == 8  # each itself
    np.testing.assert_allclose(rows[:, HEIGHT], KINDS["brain"].height * rows[:, RADIUS])


def test_a_group_that_has_no_room_does_not_look_for_it_forever(monkeypatch):
    """5,000 clumps of reed in a disc of 2 units looked for 60 places each: more than a minute."""
    asked = []
    monkeypatch.setattr(growth_groups, "scattered", lambda *words: asked.append(1) or scattered(*words))
    world = sea(corals=[{"kind": "fan", "count": 200, "spread_u": 1, "radius_u": 2.0}])
    assert len(growth_rows(world)) == 200
    assert len(asked) < 2 * 200 + growth_groups.TRIES * (growth_groups.FULL + 5)


def test_a_seed_in_a_map_gives_the_same_forms_in_every_world():
    group = {"kind": "fan", "count": 3, "spread_u": 9, "seed": 40}
    forms = [growth_rows(sea(seed, corals=[group]))[:, 10] for seed in (1, 2)]
    assert forms[0].tolist() == forms[1].tolist() == [40, 41, 42]


def test_saves_hold_corals(tmp_path):
    world = sea(corals=[{"kind": kind, "at_u": [8 * place - 28, 5]} for place, kind in enumerate(CORALS)],
                lilies=[{"count": 3, "spread_u": 9}])  # fmt: skip
    world.step(2)
    world.save(tmp_path / "reef.npz")
    again = World.load(tmp_path / "reef.npz")
    assert again.state_hash() == world.state_hash()
    np.testing.assert_array_equal(growth_rows(again), growth_rows(world))
    again.add_coral("brain", (0.0, -10.0))
    assert again.state_hash() != world.state_hash()


def test_recordings_repeat_corals(tmp_path):
    world = sea()
    recording = Recording(world)
    kept = world.add_coral("tube", (0.0, 0.0))
    gone = [world.add_coral("anemone", (9.0, 0.0), colour="#80FF20"), world.add_coral("brain", (-9.0, 0.0))]
    world.add_plant("lily", (4.0, 4.0))
    world.step(2)
    for prop in gone:
        prop.remove()
    world.step(2)
    recording.save(tmp_path / "run.jsonl")
    assert kept.exists
    assert replay(tmp_path / "run.jsonl").state_hash() == world.state_hash()


@pytest.mark.parametrize("name, clarity", [("reef", 6.0), ("koi_pond", 3.5)])
def test_the_two_worlds_in_clear_water_are_complete(name, clarity):
    world_map = load_map(name)
    assert world_map.light.clarity == clarity
    world = World(seed=2, map=world_map)
    world.step(2)
    kinds = {GROWTH_KINDS[int(kind)] for kind in growth_rows(world)[:, KIND]}
    assert kinds == (set(CORALS) if name == "reef" else {"lily", "lotus", "reed"})
