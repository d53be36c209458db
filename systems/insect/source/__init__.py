"""The walking ant as published: triangles, oscillators, controller table, reduced trunk, switching. For checks and
training."""
