"""Check A41 of the insect digest: foragers that meet stop and go on."""

import numpy as np

from paludarium.components.insect.colony import Errand
from paludarium.components.insect.trunk import TrunkPool
from paludarium.lab.insect.encounters import HALF_WIDTH, forage_on_strip
from paludarium.tests.insects.arena import Arena
from paludarium.tests.reproduction.criteria import criterion


def published():
    """Three strips of 30 ants for a minute each; shares that stopped and went on, and mm to the side."""
    runs = [forage_on_strip(30, 60.0, seed) for seed in (1, 2, 3)]
    met = sum(run.met for run in runs)
    stopped, resumed = sum(run.stopped for run in runs) / met, sum(run.resumed for run in runs) / met
    wrong, longest = sum(run.same_goal_stops for run in runs), max(run.longest for run in runs)
    return met, stopped, resumed, wrong, max(run.farthest for run in runs) / HALF_WIDTH, longest


def steady():
    """Ants of the game that stop for everybody, between one entrance and one piece of food at 67 mm; every other one begins
    with something to carry home."""
    arena = Arena(60, 41, side=64.0, far=20.0, foods=1, entrances=1, greet_chance=1.0)
    for ant in list(arena.world.creatures.values())[::2]:
        ant.carry(arena.world.add_food(ant.position[:2], amount=0.2))
    world, trunks = arena.world, arena.world.pool(TrunkPool)
    row_of = {int(arena.colonies.owner[row]): int(row) for row in arena.rows}
    pairs, wrong = [], 0

    def met(event):
        rows = [event.creature.row, row_of[event.other]]
        pairs.append([world.tick, rows, trunks.position[rows, :2].copy(), False, False])
        nonlocal wrong
        wrong += {int(arena.colonies.before[row]) for row in rows} != {int(Errand.SEARCH), int(Errand.HOMEWARD)}

    world.on("met", met)
    stood, longest, aside = np.zeros(len(arena.rows)), 0.0, []
    along = arena.foods[0] / np.linalg.norm(arena.foods[0])
    for _ in range(45 * 60):
        world.step(1)
        still = np.abs(trunks.speed[arena.rows]) < 0.05
        stood = np.where(still, stood + 1.0 / 60.0, 0.0)
        longest = max(longest, float(stood.max()))
        for pair in pairs:
            _, rows, where, _, _ = pair
            pair[3] = pair[3] or bool((np.abs(trunks.speed[rows]) < 0.3).all())
            pair[4] = pair[4] or (pair[3] and bool((np.linalg.norm(trunks.position[rows, :2] - where, axis=1) > 0.7).all()))
        bearers = arena.rows[arena.colonies.carried[arena.rows] >= 0]
        if bearers.size:
            at = trunks.position[bearers, :2]
            aside.append(np.abs(at[:, 0] * along[1] - at[:, 1] * along[0]))
    done = [pair for pair in pairs if pair[0] < world.tick - 300]
    shares = (np.mean([pair[place] for pair in done]) for place in (3, 4))
    return len(done), *shares, wrong, float(np.percentile(np.concatenate(aside), 95)) / 3.0, longest


def test_a41_encounters(record_property, profile):
    """Digest: every encounter of opposite goals is stop and go, none of equal goals is; ants stay loosely in the strip
    (20 mm wide)."""
    met, stopped, resumed, wrong, aside, longest = steady() if profile == "steady" else published()
    record_property("encounters", met)
    record_property("share that stopped, that went on", f"{stopped:.3f} {resumed:.3f}")
    record_property("stops for equal goals", wrong)
    record_property("to the side, half widths", round(aside, 2))
    record_property("longest stand s", round(longest, 2))
    assert met >= 20
    assert (stopped, resumed, wrong) == (1.0, 1.0, 0), (met, stopped, resumed, wrong, aside, longest)
    assert aside < 2.0
    assert longest < 10.0
    criterion(record_property, holds=aside < 2.0, why_not="ants leave the strip by more than its half width")
