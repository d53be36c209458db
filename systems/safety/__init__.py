"""A world stays sound: no invalid numbers, and no creature stays beyond the edge."""
