"""Bodies of fishes: nodes, springs and water, the pilot that steers them, and cheaper stand-ins for the distance."""
