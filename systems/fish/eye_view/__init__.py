"""What a fish's eyes see, as pictures: asked for by panels, tests and games, never by a tick. [Tu99 6.3.3, 6.7]"""
