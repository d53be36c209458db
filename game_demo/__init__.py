"""The playable demo and the command line."""
