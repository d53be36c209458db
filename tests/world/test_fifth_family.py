"""A fifth family comes as a mod of one file, and everything a game does with animals works with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from paludarium import Camera, Map, PaludariumError, SpeciesError, World
from paludarium.game_demo.watch import read_parts
from paludarium.systems.attachments import Light
from paludarium.systems.tiers.policy import TierPolicy

MODS = Path(__file__).resolve().parent.parent.parent / "examples" / "mods"
FILE = MODS / "rolling_ball.py"
SLOPE = {"kind": "noise", "amplitude": 3.0, "scale": 30.0, "octaves": 1, "elevation": 0.0}


@pytest.fixture
def world() -> World:
    hills = Map.define(name="hills", area={"width_u": 120, "height_u": 120}, terrain=SLOPE)
    return World(seed=3, map=hills, mods=MODS)


def test_the_family_is_written_in_sixty_lines():
    text = FILE.read_text(encoding="utf-8")
    code = [line for line in text.splitlines() if line.strip() and not line.startswith(("from ", "import "))]
    assert len(code) <= 60


def test_a_ball_rolls_downhill_without_slipping_and_stays_on_the_ground(world):
    ball = world.spawn("ball", at=(4, 3))
    start, before = ball.position.copy(), world.state_hash()
    world.step(120)
    assert world.terrain.elevation(ball.position[None, :2])[0] < world.terrain.elevation(start[None, :2])[0]
    assert world.terrain.height(ball.position[None])[0] == pytest.approx(1.0, abs=0.05)
    spin, v = ball.segments.angular_velocity[0], ball.segments.velocity[0]
    assert np.linalg.norm(spin) == pytest.approx(np.linalg.norm(np.cross(world.terrain.normal(ball.position[None])[0], v)),
                                                 rel=0.02)  # fmt: skip
    assert np.linalg.norm(ball.segments.orientation[0]) == pytest.approx(1.0)
    assert ball.doing == "roll"
    assert world.state_hash() != before
    assert ball.length == 2.0


def test_it_is_drawn_where_it_is_and_turns(world):
    ball = world.spawn("ball", at=(0, 0))
    camera = Camera((160, 120), pixels_per_unit=20.0)
    camera.center = ball.position[:2]
    shown = world.picture.frame(camera, (160, 120), still=True).copy()
    ball.despawn()
    empty = world.picture.frame(camera, (160, 120), still=True).copy()
    changed = np.argwhere(shown != empty)
    assert len(changed) > 500
    assert np.abs(changed.mean(axis=0) - (60, 80)).max() < 12.0


def test_it_is_hit_by_points_and_rays_and_found_near(world):
    ball = world.spawn("ball", at=(10, 0))
    x, y = ball.position[:2]
    assert world.hit((x + 0.9, y)) == [ball]
    assert world.hit((x + 1.1, y)) == []
    assert world.near((x, y), 2.0) == [ball]
    met = world.raycast((x - 10.0, y), (x + 10.0, y))
    assert (met.creature, met.segment) == (ball, 0)
    assert met.distance == pytest.approx(9.0)


def test_it_is_pushed_killed_lit_and_told_nothing(world):
    ball = world.spawn("ball", at=(0, 0))
    ball.push((20.0, 0.0, 0.0))
    world.step()
    assert ball.velocity[0] > 15.0
    lamp = ball.attach(Light(radius=3.0))
    assert lamp.pose.position == pytest.approx(ball.position)
    with pytest.raises(PaludariumError, match="nothing|brain"):
        ball.goto((3, 3))
    with pytest.raises(PaludariumError, match="of the family ball: allowed are myriapods"):
        ball.sever(0)
    ball.kill()
    assert (ball.dead, ball.doing) == (True, "dead")


def test_it_is_saved_loaded_hashed_and_goes_on_alike(world, tmp_path, threads):
    world.spawn("ball", count=5, spread=20)
    world.spawn("pauropod", at=(0, 0))
    world.step(30)
    world.save(tmp_path / "balls.save")
    hashes = set()
    for number in (1, 2):
        threads(number)
        again = World.load(tmp_path / "balls.save", mods=MODS)
        assert again.state_hash() == world.state_hash()
        again.step(60)
        hashes.add(again.state_hash())
    world.step(60)
    assert hashes == {world.state_hash()}


def test_it_is_tiered_by_its_own_budget(world):
    group = world.spawn("ball", count=6, spread=8)
    policy = TierPolicy(full=0, bush=0, budgets={"ball": (2, 3)})
    policy.apply(world, (0.0, 0.0), (-50.0, -50.0, 50.0, 50.0))
    assert sorted(ball.tier for ball in group) == ["bush"] * 3 + ["follow"] + ["full"] * 2
    world.step(10)


def test_it_is_inspected(world):
    told = read_parts(world.spawn("ball"))
    assert "ball of 1.0 u" in str(told)


def test_other_animals_feel_it_with_their_antennae():
    world = World(seed=3, mods=MODS)
    walker, ball = world.spawn("giant_centipede", at=(0, 0)), world.spawn("ball", at=(4.5, 0))
    owners = set()
    for _ in range(120):
        world.step()
        owners |= set(walker.antennae.pool.contact_owner[walker.row][walker.antennae.contact].tolist())
    assert ball.row in owners


def test_its_systems_come_with_the_first_one(world):
    names = {entry.name for entry in world.schedule}
    assert "RollSystem" not in names
    assert "FEMSystem" not in names
    world.spawn("ball", at=(5, 5))
    names = {entry.name for entry in world.schedule}
    assert "RollSystem" in names
    assert "FEMSystem" not in names
    world.spawn("giant_centipede", at=(-20, 0))
    assert "FEMSystem" in {entry.name for entry in world.schedule}


def test_a_table_of_another_family_is_refused_by_name(world):
    with pytest.raises(SpeciesError, match="gait.*ball.*myriapod"):
        world.define_species("walking ball", family="ball", ball={}, gait={})
    with pytest.raises(SpeciesError, match="every ball needs a .ball. table"):
        world.define_species("nothing", family="ball")
    with pytest.raises(SpeciesError, match="ball"):
        world.define_species("typo", family="bal", ball={})


def test_hits_near_a_creature_without_segments_do_not_raise(tmp_path):
    from paludarium.engine.plugins import BUILT_IN
    from paludarium.tests.engine.worms import build

    world = World(seed=1, plugins=[*BUILT_IN, build])
    (tmp_path / "worm.toml").write_text("[beads]\ncount = 2\n")
    world.add_species(tmp_path / "worm.toml")
    world.spawn("worm", at=(0, 0))
    assert world.hit((0.0, 0.0), radius=1.0) == []
    assert world.raycast((-5, 0), (5, 0)) is None


def test_a_world_of_balls_loads_no_kernel_of_the_myriapods():
    code = (
        f"import sys; from paludarium import World; w = World(seed=1, mods={str(MODS)!r}); w.spawn('ball'); w.step(2)\n"
        "print([name for name in sys.modules if name.startswith('paludarium.systems.myriapod.') and '_kernel' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
