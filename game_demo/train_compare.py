"""``paludarium train --compare N``: the evolution strategy beside other optimisers on one stride. [Guo15 5.3]"""

from __future__ import annotations

from ..engine.errors import PaludariumError

SPEED = 15.0
"""mm/s of the stride. [Guo15 6.2]"""
MOST_TRIES = 100_000


def compare(tries: int, seed: int) -> list[str]:
    """Lines of a table: method, tries, objective; the lowest one first. [Guo15 Fig. 5.6]

    Example::

        print("\\n".join(compare(500, seed=1)))
    """
    from ..components.insect.oscillators import CONTROLS, OscillatorSpec
    from ..lab.insect.gait_tuning import GaitProblem, compare_optimisers
    from ..lab.insect.stride_control import StrideProblem

    if not 1 <= tries <= MOST_TRIES:
        raise PaludariumError(f"--compare {tries}: allowed is 1 to {MOST_TRIES}")
    way = (SPEED * OscillatorSpec().half_cycle, 0.0, 0.0)
    found = compare_optimisers(StrideProblem(way), GaitProblem().hand_made[:CONTROLS], tries, seed)
    ranks = sorted(found.items(), key=lambda item: item[1].objective)
    return [f"{'method':<18}{'tries':>8}  objective", *(
        f"{name:<18}{result.evaluations:>8}  {result.objective:.2e}" for name, result in ranks)]  # fmt: skip
