"""Bodies that meet press against each other."""
