"""Every door, a file for each room."""

ROOMS = ("corpora", "judgments", "language", "lattices", "models", "native", "uploads")
