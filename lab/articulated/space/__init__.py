"""Trials of bodies in boxes of water in three dimensions, for training and for what is published about them. [Tan11 6]"""
