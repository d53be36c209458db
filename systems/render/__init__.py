"""The top-down renderer: reads simulation arrays, writes pixels, never changes the world."""
