"""Every key of [springs] and [motor] at the ends of its range: two seconds of life, or a refusal."""

import numpy as np
import pytest

from paludarium.components.fish.motor import MotorSpec
from paludarium.components.fish.springs import SpringSpec
from paludarium.engine.errors import SpeciesError
from paludarium.engine.spatial_hash import hash_circles
from paludarium.engine.spec import keys_of
from paludarium.systems.fish.senses import system as senses
from paludarium.tests.campaigns.extremes import ends_of
from paludarium.tests.fish.open_water import Fishes, sea

GIANT = ("length_u", 200.0)
"""As long as the water is wide; it stirs up all of it, and is tried alone."""
TABLES = {"springs": SpringSpec, "motor": MotorSpec}
ENDS = [(table, key, value) for table, spec in TABLES.items() for key, (_, rule) in keys_of(spec).items()
        for value, allowed in ends_of(rule) if allowed and value is not None and (key, value) != GIANT]  # fmt: skip


def test_ends_of_all_keys_live_or_are_refused():
    world, kept = sea(), []
    told: list[str] = []
    world.on("tissue_disturbed", lambda event: told.append(event.creature.species.key))
    for number, (table, key, value) in enumerate(ENDS):
        tables = {"springs": {"length_u": 2.0}, "motor": {}}
        tables[table] = {**tables[table], key: value}
        name = f"end{number}"
        try:
            world.define_species(name, family="fish", **tables)
        except SpeciesError:
            continue
        kept.append((name, world.spawn(name, at=(-200.0 + 40.0 * (number % 11), -200.0 + 40.0 * (number // 11), -30.0))))
    fishes = Fishes.__new__(Fishes)
    fishes.take(world, [creature for _, creature in kept])
    fishes.want((0.6, 0.8, 0.1), 1.5)
    fishes.run(1.0)
    fishes.want((0.6, -0.8, -0.1), 2.5)
    fishes.run(1.0)
    assert np.isfinite(fishes.x).all()
    assert len(kept) > 0.7 * len(ENDS)
    disturbed = [(*ENDS[int(key[3:])], told.count(key)) for key in sorted(set(told))]
    assert not disturbed


def test_a_giant_lives():
    fishes = Fishes(sea(), springs={"length_u": 200.0})
    fishes.want((0.6, 0.8, 0.0), 0.5)
    fishes.run(1.0)
    assert np.isfinite(fishes.x).all()


@pytest.mark.parametrize(("table", "tables"), [
    ("stiffness", {"springs": {"stiffness": 20.0, "mass": [0.1] * 7}}),
    ("beat_scale", {"springs": {"stiffness": 0.05}, "motor": {"beat_scale": 3.0}}),
    ("ring_place", {"springs": {"ring_place": [0.4, 0.2, 0.5, 0.6, 0.7]}}),
])  # fmt: skip
def test_a_body_that_cannot_hold_is_refused_with_the_key(table, tables):
    with pytest.raises(SpeciesError, match=table):
        sea().define_species("odd", family="fish", **tables)


def test_the_largest_eyes_of_the_largest_fish_are_no_burden(monkeypatch):
    """What hunters can be seen from are squares of a hash: with eyes that reach 800,000 units a tick was an error."""
    world, sizes = sea(), []

    def measured(*arguments):
        hashed = hash_circles(*arguments)
        sizes.append(hashed.entry_item.size)
        return hashed

    monkeypatch.setattr(senses, "hash_circles", measured)
    eyes = {"range_lengths": 200.0, "food_range_lengths": 300.0, "visibility": 20.0}
    world.define_species("giant", family="fish", springs={"length_u": 200.0}, eyes=eyes, mind={})
    world.spawn("giant", at=(0.0, 0.0, -40.0), faction="red")
    world.spawn("reef_shark", at=(100.0, 0.0, -40.0), faction="blue")
    world.set_relation("red", "blue", "hostile")
    world.step(12)
    assert 0 < max(sizes) < 5000
