"""How swimmers are drawn, and the traces of their wakes."""
