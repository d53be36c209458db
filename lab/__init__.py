"""What never runs in a tick: published models to check against, training of gaits, sweeps, and jobs on many cores.

It may import systems, components and engine; none of them knows that it exists.
"""
