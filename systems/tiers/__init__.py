"""Who is simulated in which detail."""
