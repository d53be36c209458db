"""Searching for gaits: objective, evolution strategy, jobs. [Tan11 4]"""
