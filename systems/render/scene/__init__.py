"""What one frame shows, as plain arrays: camera, light, ground, ponds, props and poses between two ticks."""
