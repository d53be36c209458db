"""Boxes of water in three dimensions, coupled with the bodies that swim in them: for what flaps in space. [Tan11 6]"""
