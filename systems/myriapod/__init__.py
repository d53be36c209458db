"""Centipedes and millipedes: walking, swimming, bodies of soft tissue, and how they are drawn."""
