"""Bodies and fluid boxes in three dimensions, for training and for what is published about them. [Tan11 6]"""
