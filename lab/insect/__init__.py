"""The insect model as published, rebuilt piece by piece so that each of its results can be checked; `paludarium train`
learns the ant's gaits with it.

Triangles of support, oscillators, controller table, reduced trunk and switching of gaits. Ants of the game walk by
`systems.insect.walk`.
"""
