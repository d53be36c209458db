"""Walking without a clock: leg states by local rules, body poses by following the neighbour ahead."""
