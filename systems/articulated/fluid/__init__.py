"""Fluid windows in the plane: water on a grid, coupled with the bodies that swim in it. [Tan11 3]"""
