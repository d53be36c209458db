"""What a player may come to see is compiled behind the loading page, not when it is first needed."""

import subprocess
import sys

SCRIPT = """
from paludarium import World
from paludarium.game_demo.tour import rehearse
from paludarium.systems.render.ground import resample_kernel
from paludarium.systems.render.raster import bloom_kernel, compose_kernel, scaling_kernel
from paludarium.systems.render.scene import mix_poses_kernel
from paludarium.systems.tiers import policy_kernel

world = World(seed=1)
world.spawn("pauropod")
before = world.state_hash()
rehearse(world)
assert world.state_hash() == before
for kernel in (bloom_kernel.blur_bloom, bloom_kernel.bloom_pass, compose_kernel.final_pass, resample_kernel.resample,
               resample_kernel.resample_squares, scaling_kernel.halve, scaling_kernel.enlarge, mix_poses_kernel.mix,
               mix_poses_kernel.mix_turns, policy_kernel.see_creatures, policy_kernel.give_places):
    assert kernel.signatures, kernel.__name__
"""


def test_a_rehearsal_draws_in_every_way_and_leaves_the_world_alone():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
