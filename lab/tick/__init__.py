"""What each step of the tick reads and writes, found in the source, and the page and picture that show it."""
