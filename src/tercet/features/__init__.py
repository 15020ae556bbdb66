"""A hypothesis against its references gives a vector. `tercet.features.feature_set("4metrics").transform(…)`."""

from tercet.features.base import FeatureSet, SentenceVectors
from tercet.features.registry import feature_set, names, register, sentence_vectors

__all__ = ["FeatureSet", "SentenceVectors", "feature_set", "names", "register", "sentence_vectors"]
