"""How finely bodies are stepped: enough for stiffness, damping and contact, and no species may ask for too much."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from paludarium import World
from paludarium.components.myriapod.construction.stability import (
    CONTACT_STEPS_PER_S,
    MOST_STEPS_PER_S,
    StepsNeeded,
    steps_needed,
)
from paludarium.engine.errors import SpeciesError

LARGEST = {"damping_per_s": 1e4, "young_modulus": 1e7}
BODIES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}), ({"density": 0.01}, {}), ({"length_u": 0.05}, {}), ({"width_u": 20.0}, {}), ({}, {"density": 0.01}),
    ({"density": 0.01, "length_u": 0.1}, {"length_u": 5.0}), ({"density": 0.01}, {"damping_kind": "rotation_free"}),
]  # fmt: skip


def define(world: World, segments: dict[str, Any], tissue: dict[str, Any]) -> None:
    world.define_species("blob", segments={"count": 6, **segments}, tissue=tissue, body={"ride_height_u": 1.0})


def allowed(segments: dict[str, Any], tissue: dict[str, Any], key: str) -> float:
    """The largest value that the error names."""
    with pytest.raises(SpeciesError) as caught:
        define(World(seed=0), segments, {**tissue, key: LARGEST[key]})
    message = str(caught.value)
    assert f"{key} = {LARGEST[key]}" in message
    assert "12,000 steps per second" in message
    return float(re.search(r"at most ([\d.e+]+) with", message)[1])  # type: ignore[index]


def test_the_animals_of_the_package_are_stepped_as_before():
    world = World(seed=0)
    counts = {key: steps_needed(world.species[key].specs).per_tick(1 / 60) for key in world.species
              if world.species[key].family == "myriapod"}
    assert counts == {
        "ceiling_lamp": 12, "giant_centipede": 12, "millipede": 14, "pauropod": 10, "robot": 10, "slippery_bar": 10,
        "stone_centipede": 10, "swimmer": 10, "two_tailed": 10,
    }  # fmt: skip


def test_every_need_counts():
    assert StepsNeeded(601.0, 100.0).per_tick(1 / 60) == 11
    assert StepsNeeded(100.0, 601.0).per_tick(1 / 60) == 11
    assert StepsNeeded(0.0, 0.0).per_tick(1 / 60) == int(np.ceil(CONTACT_STEPS_PER_S / 60))
    assert StepsNeeded(0.0, 0.0).per_tick(1 / 6000) == 1


def test_stiffness_goes_with_the_root_and_damping_straight():
    world = World(seed=0)
    needs = []
    for factor in (1.0, 4.0):
        define(world, {}, {"young_modulus": 4000.0 * factor, "damping_per_s": 50.0 * factor})
        needs.append(steps_needed(world.species["blob"].specs))
    assert needs[1].stiffness == pytest.approx(2.0 * needs[0].stiffness)
    assert needs[1].damping == pytest.approx(4.0 * needs[0].damping)


@pytest.mark.parametrize("key", LARGEST)
@pytest.mark.parametrize("segments, tissue", BODIES)
def test_the_largest_value_that_is_allowed_survives_a_beating(segments, tissue, key):
    """Damping of 10,000 used to give NaN at the second tick."""
    most = allowed(segments, tissue, key)
    world = World(seed=2)
    define(world, segments, {**tissue, key: most})
    blob = world.spawn("blob", at=(0.0, 0.0, 4.0))
    assert 0.9 * MOST_STEPS_PER_S / 60 < blob.chain.substeps[0] <= MOST_STEPS_PER_S / 60
    draw = np.random.default_rng(5)
    for _ in range(3):
        for segment in range(6):
            blob.push(20.0 * blob.segments.mass[segment] * draw.normal(size=3), segment)
        world.step(12)
    assert blob.alive
    assert np.isfinite(blob.segments.position).all()
    assert np.abs(blob.segments.velocity).max() < 200.0


def test_small_light_and_stiff_is_refused_and_not_stepped_for_minutes():
    small = {"length_u": 0.01, "width_u": 0.01, "height_u": 0.01, "density": 0.01}
    assert allowed(small, {"length_u": 0.01, "density": 0.01}, "young_modulus") < 5.0


def test_a_body_too_large_for_the_index_is_refused():
    with pytest.raises(SpeciesError, match="count = 400: allowed is at most 2 "):
        define(World(seed=0), {"count": 400, "length_u": 100.0, "width_u": 100.0}, {"length_u": 100.0})
