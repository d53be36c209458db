"""Machinery that knows no species: world, schedule, pools, species files, plugins, snapshots, terrain."""
