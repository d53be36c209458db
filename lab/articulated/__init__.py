"""Swimmers off line: bodies and water in three dimensions, and the search for gaits. [Tan11]"""
