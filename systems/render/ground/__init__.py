"""The terrain picture: baked in chunks, kept, and copied to the screen."""
