"""Bodies have sides: what meets presses against each other."""
