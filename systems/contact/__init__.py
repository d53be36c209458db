"""Bodies that meet press against each other, whatever their families and tiers."""
