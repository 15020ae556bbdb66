"""Scores against people: taus, correlations, significance, and systems ranked by what people said."""
