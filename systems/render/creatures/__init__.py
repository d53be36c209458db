"""What creatures of all families are drawn with: the primitive row, and one painter per family."""
