"""From primitives to pixels: tiles, shapes, light and bloom."""
