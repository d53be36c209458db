"""Swimming: a travelling wave of muscle lengths, from one clock for the whole body or from a chain of coupled ones."""
