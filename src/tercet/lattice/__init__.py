"""Paraphrases, lattices of them, and the search for the one that is nearest to a hypothesis."""
