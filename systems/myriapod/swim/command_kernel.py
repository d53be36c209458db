"""What muscles are told: the wishes of the brain above them."""

from __future__ import annotations

from ....engine.kernel import kernel


@kernel()
def take_commands(rows, brain_owner, owner, speed, yaw_rate, tiers, follow, command, still):
    """Update the commands of the creatures in `rows` that have a brain, and who is still because nobody sees it.

    The muscles of the unseen relax, or they would snap when they are let go.
    """
    for k in range(rows.shape[0]):
        c = rows[k]
        if c < brain_owner.shape[0] and brain_owner[c] == owner[c]:
            command[c, 0], command[c, 1] = speed[c], yaw_rate[c]
        if tiers[c] == follow:
            still[c] = 1
