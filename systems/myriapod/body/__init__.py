"""Body physics of segmented creatures: rigid boxes joined by soft blocks, in three tiers of cost.

``step_full`` is the reference (finite elements), ``step_joint_tier`` an implicit joint model for creatures far away,
``step_follow`` moves segments with their given velocities only. All three take the same arguments.
"""
