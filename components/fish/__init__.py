"""Parts that only fishes have, and their family record."""
