"""Pictures of what a fish sees: closed forms for pixels and distances, what hides what, colours, threads."""

from __future__ import annotations

from math import acos, asin, degrees, hypot, radians

import numba
import numpy as np
import pytest

from paludarium import Map, PaludariumError, World
from paludarium.systems.fish.eye_view.eye_image import (
    FIELD,
    GROUND_COLOUR,
    KINDS,
    LARGEST_IMAGE,
    SIDES,
    SURFACE_COLOUR,
    eye_picture,
    grey_of,
    identity_colour,
)

EYE = (0.0, 0.0, -30.0)
SIZE = 65  # odd: the pixel in the middle looks straight ahead


def sea(clarity=20.0, bed=-60.0, **tables):
    """Deep, clear water with a flat bed."""
    usual = {"area": {"width_u": 160, "height_u": 160}, "terrain": {"kind": "flat", "elevation": bed},
             "water": [{"bounds": [-80, -80, 80, 80], "level_u": 0.0}], "light": {"clarity": clarity}}  # fmt: skip
    return World(seed=1, map=Map.define(**{**usual, **tables}))


def fish_in(world, heading=0.0):
    """A fish whose mouth is at EYE and whose axes are those of the world, turned by its heading."""
    fish = world.spawn("silverside", at=EYE, heading=heading)
    move = np.array(EYE) - fish.springs.pool.mouth[fish.row]
    fish.springs.pool.mouth[fish.row] += move
    return fish


def hang(world, place, radius):
    """A ball anywhere, also in the middle of the water."""
    ball = world.add_obstacle("sphere", (-40.0, -40.0), radius=radius)  # where nobody is
    world.props.obstacles.position[ball.rows.start] = place
    return ball


def angles(size=SIZE, half=FIELD):
    """(size, size) angle of every pixel from the gaze, and directions (size, size, 3) of a fish that looks east."""
    across = (np.arange(size) + 0.5) * 2.0 / size - 1.0
    right, up = np.meshgrid(across, -across)
    r = np.hypot(right, up)
    angle = r * half
    unit = np.maximum(r, 1e-12)
    return angle, np.stack([np.cos(angle), -np.sin(angle) * right / unit, np.sin(angle) * up / unit], axis=-1)


def test_a_ball_straight_ahead_covers_the_pixels_of_its_cone_at_its_distance():
    world = sea()
    fish = fish_in(world)
    hang(world, (10.0, 0.0, -30.0), 3.0)
    ways = fish.eye_image(SIZE, "range")
    angle, u = angles()
    expected = 10.0 * u[..., 0] - np.sqrt(np.maximum(9.0 - 100.0 * (1.0 - u[..., 0] ** 2), 0.0))
    covered = angle < asin(0.3)
    assert covered.sum() > 40
    np.testing.assert_allclose(ways[covered], expected[covered], rtol=1e-9)
    assert ways[SIZE // 2, SIZE // 2] == pytest.approx(7.0, rel=1e-12)
    assert not np.isclose(ways[~covered & (angle < FIELD)], 10.0, atol=3.01).any()


@pytest.mark.parametrize("kind", ["cylinder", "box"])
def test_upright_shapes_are_met_at_their_faces(kind):
    world = sea()
    fish = fish_in(world)
    prop = world.add_obstacle(kind, (12.0, 0.0), radius=2.0, size=(4.0, 4.0), height=50.0)
    ways = fish.eye_image(SIZE, "range")
    assert ways[SIZE // 2, SIZE // 2] == pytest.approx(10.0)
    image = fish.eye_image(SIZE, "identity")
    assert tuple(image[SIZE // 2, SIZE // 2]) == identity_colour("obstacle", prop.rows.start)
    _, u = angles()
    below = np.arange(SIZE // 2, SIZE // 2 + 6)  # pixels straight below the middle meet the same upright face
    np.testing.assert_allclose(ways[below, SIZE // 2], 10.0 / np.hypot(u[below, SIZE // 2, 0], 0.0), rtol=1e-9)


def test_the_bed_and_the_surface_are_planes():
    world = sea(bed=-50.0)
    fish = fish_in(world)
    ways, image = fish.eye_image(SIZE, "range"), fish.eye_image(SIZE, "identity")
    angle, u = angles()
    for colour, height in ((GROUND_COLOUR, -20.0), (SURFACE_COLOUR, 30.0)):
        pixels = (image == colour).all(axis=2)
        assert pixels.sum() > 200
        np.testing.assert_allclose(ways[pixels], height / u[pixels][:, 2], rtol=1e-3)
    assert (ways[angle > FIELD] == np.inf).all()
    assert (image[angle > FIELD] == 0).all()


def test_hills_are_seen_where_they_are():
    world = sea(terrain={"kind": "gaussians", "elevation": -60.0, "hills": [[30.0, 0.0, 50.0, 4.0]]})
    fish = fish_in(world)
    ways = fish.eye_image(SIZE, "range")
    _, u = angles()
    middle = SIZE // 2
    for column in range(middle - 1, middle + 2):
        t = ways[middle, column]
        place = np.array(EYE) + t * u[middle, column]
        assert abs(place[2] - float(world.terrain.elevation(place[None, :2])[0])) < 0.05
        assert 20.0 < t < 30.0


def test_the_nearer_of_two_hides_the_other():
    world = sea()
    fish = fish_in(world)
    far = hang(world, (20.0, 0.0, -30.0), 4.0)
    before = fish.eye_image(SIZE, "identity")
    near = hang(world, (10.0, 0.0, -30.0), 3.0)
    after = fish.eye_image(SIZE, "identity")
    assert tuple(before[SIZE // 2, SIZE // 2]) == identity_colour("obstacle", far.rows.start)
    assert tuple(after[SIZE // 2, SIZE // 2]) == identity_colour("obstacle", near.rows.start)
    assert not (after == identity_colour("obstacle", far.rows.start)).all(axis=2).any()


def test_who_is_left_is_seen_by_the_left_eye_only_and_in_the_left_half():
    world = sea()
    fish = fish_in(world)
    ball = hang(world, (0.0, 10.0, -30.0), 2.0)  # straight to the left
    colour = identity_colour("obstacle", ball.rows.start)
    seen = {side: (fish.eye_image(SIZE, "identity", side) == colour).all(axis=2) for side in SIDES}
    assert seen["left"].any()
    assert not seen["right"].any()
    rows, columns = np.nonzero(seen["both"])
    assert columns.max() < SIZE // 2
    assert abs(rows.mean() - SIZE // 2) < 0.5
    # straight to the left is 15 degrees beyond the middle of what the left eye sees, away from the front
    _, columns = np.nonzero(seen["left"])
    assert columns.mean() == pytest.approx(SIZE / 2 - 0.5 - 15.0 / 75.0 * SIZE / 2, abs=0.6)


def test_the_gaze_can_be_turned():
    world = sea()
    fish = fish_in(world)
    hang(world, (0.0, 10.0, -30.0), 2.0)
    hang(world, (0.0, 0.0, -18.0), 2.0)
    middle = SIZE // 2
    assert fish.eye_image(SIZE, "range", pan=radians(90.0))[middle, middle] == pytest.approx(8.0)
    assert fish.eye_image(SIZE, "range", tilt=radians(90.0))[middle, middle] == pytest.approx(10.0)
    left = fish.eye_image(SIZE, "range", "left", pan=radians(15.0))
    assert left[middle, middle] == pytest.approx(8.0)


@pytest.mark.parametrize("angle, seen", [(149.0, True), (151.0, False)])
def test_the_field_ends_where_the_book_says(angle, seen):
    world = sea()
    fish = fish_in(world)
    ball = hang(world, (20.0 * np.cos(radians(angle)), 20.0 * np.sin(radians(angle)), -30.0), 0.2)
    image = fish.eye_image(LARGEST_IMAGE, "identity")
    assert (image == identity_colour("obstacle", ball.rows.start)).all(axis=2).any() == seen


def test_other_fishes_are_seen_as_high_as_they_are_and_it_does_not_see_itself():
    world = sea()
    fish = fish_in(world)
    other = world.spawn("blue_tang", at=(16.0, 3.0, -30.0), heading=radians(-90.0))  # it shows its side
    image = fish.eye_image(LARGEST_IMAGE, "identity")
    assert not (image == identity_colour("fish", fish.serial)).all(axis=2).any()
    rows, columns = np.nonzero((image == identity_colour("fish", other.serial)).all(axis=2))
    per_pixel = 2.0 * FIELD / LARGEST_IMAGE
    high, wide = np.ptp(rows) * per_pixel * 16.0, np.ptp(columns) * per_pixel * 16.0
    half = other.segments.half_extents
    assert high == pytest.approx(2.0 * half[:, 2].max(), rel=0.25)
    assert wide == pytest.approx(other.length, rel=0.35)


def test_animals_of_other_families_are_violet_and_food_is_green():
    world = sea()
    fish = fish_in(world)
    worm = world.spawn("pauropod", at=(8.0, 0.0, -30.0))
    food = world.add_food((5.0, 6.0), 4.0)
    world.props.food.position[food.rows.start, 2] = -30.0
    image = fish.eye_image(LARGEST_IMAGE, "identity")
    for kind, number in (("animal", worm.serial), ("food", food.rows.start)):
        assert (image == identity_colour(kind, number)).all(axis=2).any(), kind
    ways = fish.eye_image(LARGEST_IMAGE, "range")[(image == identity_colour("food", food.rows.start)).all(axis=2)]
    assert ways.min() == pytest.approx(hypot(5.0, 6.0) - 0.3 * 2.0, abs=0.02)


def test_identity_colours_are_unique_and_of_the_hues_of_their_class():
    kinds = ("fish", "food", "obstacle", "animal")
    reds, greens, blues, violets = (np.array([identity_colour(kind, k) for k in range(3000)]) for kind in kinds)
    everything = np.concatenate([reds, greens, blues, violets, [GROUND_COLOUR], [SURFACE_COLOUR], [(0, 0, 0)]])
    assert len(np.unique(everything, axis=0)) == len(everything)
    for colours, channel in ((reds, 0), (greens, 1), (blues, 2)):
        others = [c for c in range(3) if c != channel]
        assert (colours[:, channel] > colours[:, others].max(axis=1) + 60).all()


def test_in_turbid_water_things_fade_and_are_lost():
    def contrast(clarity, distance):
        world = sea(clarity)
        fish = fish_in(world)
        empty = fish.eye_image(SIZE)[SIZE // 2, SIZE // 2].astype(float)
        hang(world, (distance + 3.0, 0.0, -30.0), 3.0)
        return np.abs(fish.eye_image(SIZE)[SIZE // 2, SIZE // 2] - empty).max()

    clear, farther, turbid = contrast(20.0, 5.0), contrast(20.0, 40.0), contrast(1.0, 5.0)
    assert clear > farther > 0.0
    assert clear > turbid
    assert contrast(1.0, 20.0) == 0.0


def test_what_cannot_be_seen_is_not_in_the_maps():
    world = sea(clarity=1.0)
    fish = fish_in(world)
    hang(world, (25.0, 0.0, -30.0), 3.0)
    assert (fish.eye_image(SIZE, "range")[SIZE // 2 - 2 : SIZE // 2 + 3] == np.inf).all()


def test_it_is_darker_below_and_at_night():
    def brightness(depth, time="day"):
        world = sea(clarity=6.0, light={"clarity": 6.0, "time": time})
        fish = fish_in(world)
        fish.springs.pool.mouth[fish.row, 2] = -depth
        return fish.retina_brightness

    assert 1.0 > brightness(3.0) > brightness(15.0) > brightness(45.0) > 0.0
    assert brightness(3.0) > brightness(3.0, "dusk") > brightness(3.0, "night")


def test_it_is_darker_in_the_shade():
    def brightness(**tables):
        return fish_in(sea(clarity=6.0, **tables)).retina_brightness

    shade = [{"at_u": [0.0, 0.0], "radius_u": 30.0, "darkness": 0.8}]
    assert brightness(shade=shade) < 0.7 * brightness()
    assert brightness(climate={"brightness": 0.1}) < 0.6 * brightness()


def test_the_sky_shows_in_a_round_window():
    world = sea(clarity=60.0)
    fish = fish_in(world)
    image = fish.eye_image(LARGEST_IMAGE, tilt=radians(90.0)).astype(float).mean(axis=2)
    angle, _ = angles(LARGEST_IMAGE)
    window = asin(1.0 / 1.33)
    inside, outside = image[angle < window - 0.08], image[(angle > window + 0.02) & (angle < window + 0.2)]
    assert inside.min() > 1.3 * outside.max()
    assert degrees(window) == pytest.approx(48.8, abs=0.2)


def test_out_of_the_water_it_sees_the_sky_and_the_water_from_above():
    world = sea()
    fish = fish_in(world)
    fish.springs.pool.mouth[fish.row, 2] = 2.0
    image = fish.eye_image(SIZE, "identity")
    angle, u = angles()
    down = (u[..., 2] < -0.2) & (angle < FIELD)
    assert (image[down] == SURFACE_COLOUR).all()
    assert (image[(u[..., 2] > 0.0) & (angle < FIELD)] == 0).all()
    assert fish.eye_image(SIZE)[SIZE // 4, SIZE // 2].min() > 100


@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_gives_the_same_picture_and_the_world_stays_as_it_was(kind):
    world = sea(clarity=6.0, bed=-35.0)
    fish = fish_in(world)
    world.spawn("blue_tang", at=(10.0, 0.0), count=6, spread=20.0)
    for k in range(8):
        world.add_obstacle("cylinder", (15.0 + 3.0 * k, 4.0 * k - 16.0), radius=1.0, height=20.0)
    before, most = world.state_hash(), numba.get_num_threads()
    pictures = []
    try:
        for threads in {1, min(2, most), most}:
            numba.set_num_threads(threads)
            pictures.append(fish.eye_image(64, kind))
    finally:
        numba.set_num_threads(most)
    for picture in pictures[1:]:
        np.testing.assert_array_equal(picture, pictures[0])
    assert world.state_hash() == before
    assert np.isfinite(pictures[0]).any()


def test_looking_between_ticks_changes_nothing_that_comes():
    hashes = []
    for looks in (False, True):
        world = sea(clarity=6.0)
        fish = world.spawn("silverside", count=5, at=(0.0, 0.0), spread=10.0)[0]
        for _ in range(20):
            world.step()
            if looks:
                fish.eye_image(16)
                assert fish.retina_brightness > 0.0
        hashes.append(world.state_hash())
    assert hashes[0] == hashes[1]


def test_a_panel_gets_bytes_of_any_kind():
    world = sea()
    fish = fish_in(world)
    for kind in KINDS:
        picture = eye_picture(fish, kind, 32)
        assert picture.shape == (32, 32, 3)
        assert picture.dtype == np.uint8
    grey = grey_of(np.array([[0.0, fish.length, 1e6, np.inf]]), fish.length)
    assert grey[0, :, 0].tolist() == [255, 127, 0, 0]


@pytest.mark.parametrize("options, told", [
    ({"size": 0}, "size"), ({"size": LARGEST_IMAGE + 1}, "size"), ({"kind": "colours"}, "colour"),
    ({"side": "top"}, "both"), ({"pan": float("nan")}, "pan"), ({"tilt": "up"}, "tilt"),
])  # fmt: skip
def test_nonsense_is_refused(options, told):
    fish = fish_in(sea())
    with pytest.raises(PaludariumError, match=told):
        fish.eye_image(**options)


def test_only_fishes_have_such_eyes():
    world = sea()
    fish_in(world)
    with pytest.raises(PaludariumError, match="only fishes"):
        world.spawn("pauropod", at=(40.0, 0.0, -30.0)).eye_image()


def test_an_angle_is_what_it_says():
    assert degrees(acos(float(angles(301)[1][150, 0, 0]))) == pytest.approx(149.5, abs=0.1)
