"""The millipede of the species file: fat glossy rings, and short legs close to the body."""

import numpy as np
import pytest

from paludarium import Camera, World
from paludarium.systems.render.output.image import rgb_bytes

SIZE = (400, 120)


@pytest.fixture(scope="module")
def millipede():
    world = World(seed=1, map="flat", populate=False)
    source = world.species["millipede"].source
    world.define_species("straight", **source | {"body": source["body"] | {"birth_bend_deg": 0.0}})
    creature = world.spawn("straight", at=(0.0, 0.0), heading=0.0)
    world.step(30)
    return world, creature


def back(millipede, scale):
    """Brightness along the sunny side of the back, from segment 10 on, per pixel."""
    world, creature = millipede
    middle = creature.segments.position[10]
    shown = rgb_bytes(world.picture.frame(Camera(SIZE, tuple(middle[:2]), scale), SIZE, still=True)).astype(float)
    row = SIZE[1] // 2 - round(0.35 * scale)
    return shown[row].mean(axis=1)


@pytest.mark.parametrize("scale", [9.0, 14.0, 22.0])
def test_rings_are_told_apart_by_their_gloss(millipede, scale):
    """Three rings in every two units, each with a light that rises and falls; a bar of one colour has none."""
    light = back(millipede, scale)
    smooth = np.convolve(light, np.ones(3) / 3, mode="valid")
    assert np.percentile(light, 90) - np.percentile(light, 10) > 40.0
    spectrum = np.abs(np.fft.rfft((smooth - smooth.mean()) * np.hanning(smooth.size)))
    rings_per_unit = spectrum.argmax() / smooth.size * scale
    assert rings_per_unit == pytest.approx(1.5, rel=0.08)


def test_the_body_is_wider_than_its_legs_reach_beyond_it(millipede):
    _, creature = millipede
    spec = creature.species.specs["appearance"]
    half = spec.width * 0.5 * creature.species.specs["segments"].width
    side = np.abs(creature.legs.tip[5:50, :, 1] - creature.segments.position[5:50, None, 1])
    assert np.median(side) - half < half
