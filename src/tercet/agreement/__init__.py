"""Scores against people: taus, correlations, significance, and systems as people rank them."""
