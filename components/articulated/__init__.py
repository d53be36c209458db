"""Parts that only articulated swimmers have, and their family record."""
