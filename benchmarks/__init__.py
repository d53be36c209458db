"""Scenes to measure and the runner behind ``paludarium bench``."""
