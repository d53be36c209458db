"""What draws animals near or drives them away."""
