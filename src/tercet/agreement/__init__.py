"""Scores against people: taus, correlations, accuracies, and which differences between scorers are significant."""
