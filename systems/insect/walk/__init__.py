"""How insects walk: timing of legs, footholds, the pose of the trunk, and what happens when it is pushed."""
