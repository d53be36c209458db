"""A world stays sound: no number that is none, nobody beyond the edge for ever."""
