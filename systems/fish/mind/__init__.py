"""What fishes want, and what they do about it."""
