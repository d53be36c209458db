"""How the body of a myriapod is built when it is born: blueprint, masses, tissue, and its place on the ground."""
