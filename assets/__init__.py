"""Data only: species, worlds, palettes and meshes."""
