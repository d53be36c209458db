"""In which colour eyes see whom: animals of every family in that of their look."""

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.family_looks import Look, colour_of
from paludarium.systems.fish.eye_view.eye_image import identity_colour
from paludarium.systems.fish.eye_view.eye_things import PLAIN_TINT, things_of
from paludarium.systems.render.scene.light import SEEN_TO_ALBEDO

POND = {"bounds": [-30, -30, 30, 30], "level_u": 12.0,
        **{f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}}  # fmt: skip
SHOWN = {"koi": ("scales", "flank"), "giant_centipede": ("appearance", "plate"), "worker_ant": ("shell", "gaster"),
         "ground_beetle": ("shell", "gaster"), "eel": ("skin", "back"), "sea_turtle": ("skin", "back")}  # fmt: skip


@pytest.fixture(scope="module")
def world():
    return World(seed=1, map=Map.define(area={"width_u": 160, "height_u": 160}, water=[POND]))


@pytest.mark.parametrize("kind", SHOWN)
def test_every_family_is_seen_in_the_colour_of_its_look(world, kind):
    wet = kind in ("koi", "eel", "sea_turtle")
    creature = world.spawn(kind, at=(0.0, 0.0, 6.0) if wet else (60.0, 0.0))
    things = things_of(world)
    own = things.tint[things.owner == creature.row]
    table, key = SHOWN[kind]
    assert len(own)
    np.testing.assert_allclose(own, np.broadcast_to(SEEN_TO_ALBEDO * np.square(getattr(creature.species.specs[table], key)),
                                                    own.shape))  # fmt: skip
    creature.despawn()


def test_every_species_of_the_package_has_one_look_at_most(world):
    assert len(list(world.species)) > 20
    for key in world.species:
        assert sum(isinstance(spec, Look) for spec in world.species[key].specs.values()) <= 1


def test_those_without_a_look_are_plain():
    assert colour_of({}) is None
    assert colour_of({"segments": object()}) is None
    assert len(PLAIN_TINT) == 3


def test_a_fish_sees_a_red_and_a_green_swimmer_as_such(world):
    colours = {}
    fish = world.spawn("koi", at=(0.0, 0.0, 6.0))
    for name, back in (("red", "#E02010"), ("green", "#10C020")):
        source = world.species["sea_turtle"].source
        world.define_species(f"{name}_turtle", **{**source, "skin": {**source["skin"], "back": back}})
        other = world.spawn(f"{name}_turtle", at=(9.0, 0.0, 6.0))
        things, image = fish.eye_image(64, "identity"), fish.eye_image(64)
        pixels = (things == identity_colour("animal", other.serial)).all(axis=2)
        assert pixels.sum() > 20
        colours[name] = image[pixels].mean(axis=0)
        other.despawn()
    assert colours["red"][0] > 1.5 * colours["green"][0]
    assert colours["green"][1] > 1.5 * colours["red"][1]
