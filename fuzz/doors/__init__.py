"""Every door, a file for each room."""

ROOMS = ("corpora", "datasets", "judgments", "language", "lattices", "models", "native", "uploads")
