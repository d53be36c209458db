"""Parts that only insects have, and their family record."""
