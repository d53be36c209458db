"""Watching worlds live: what happens in them for minutes, counted, measured and told in figures."""
