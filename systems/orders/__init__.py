"""What a game can tell a creature to do, whatever its family."""
