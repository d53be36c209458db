"""Tiers: levels of physical detail. Their names, order and numbers are here and nowhere else.

Where a new tier goes: its name below at its rank, so that what is farther down computes less; then, told by these names,

1. what it computes: the systems that move bodies, ``systems/myriapod/body/system.py``, ``systems/fish/body/system.py``,
   ``systems/insect/walk/system.py`` and ``systems/articulated/system.py``; those that leave out ticks by
   ``systems/row_selection.py``.
2. who gets it: the policy in ``systems/tiers/policy.py``, the places of a family in its ``components/<family>/family.py``.
3. who asks for tiers by name or by order: search for ``FULL``, ``BUSH``, ``FOLLOW`` and ``tier`` in kernels of legs, gait,
   muscles, contact and windows of water; ``systems/safety/system.py`` looks at what is below ``FOLLOW``.
4. what saves of before mean: ``CreaturePool.tier`` holds the index, so a name that is not the last needs a new format.
"""

from __future__ import annotations

from . import arguments

TIERS = ("full", "bush", "follow")
"""From the reference simulation to pure kinematics; the column holds the index."""
FULL, BUSH, FOLLOW = range(len(TIERS))
OTHER_NAMES = {"joint": "bush"}
"""Plainer names that calls and map files take, too: ``bush`` is what engineers call a joint that gives in every direction,
and what such a body has between its segments."""


def tier_index(name: str) -> int:
    """The column value of a tier name."""
    return TIERS.index(tier_name(name))


def tier_name(name: str) -> str:
    """The name of a tier that a call or file means, or an error that lists them."""
    return arguments.choice("tier", OTHER_NAMES.get(name, name) if isinstance(name, str) else name, TIERS)
