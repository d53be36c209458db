"""The fish as published, with its own integrator, to check the animals of the game against. [Tu99 4]"""
