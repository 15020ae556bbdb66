"""Skip-gram vectors from running text, by gensim, with the settings of Apidianaki et al. (2018, footnote 6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from tercet.errors import InputError, ResourceError
from tercet.language.skipgram import SkipGram


@dataclass(frozen=True, kw_only=True)
class SkipGramOptions:
    """The paper's settings, for 4 billion words; less text wants fewer dimensions and rarer words, more often."""

    dimension: int = 300
    window: int = 3
    negative: int = 10
    epochs: int = 5
    least: int = 100
    """Occurrences of a word that has a vector."""
    sample: float = 1e-4
    alpha: float = 0.025
    last_alpha: float = 0.0001
    most: int | None = None
    """How many words have a vector, the most frequent."""
    seed: int = 1

    def as_text(self) -> str:
        """For the file's description."""
        return " ".join(f"{name}={value}" for name, value in asdict(self).items())


def train_skipgram(sentences: Iterable[Sequence[str]], options: SkipGramOptions) -> tuple[SkipGram, int]:
    """Vectors, and of how many words; the same sentences and seed give the same vectors."""
    try:
        from gensim.models import Word2Vec
    except ImportError:
        raise ResourceError("skip-gram vectors are trained by gensim; pip install 'tercet[train]'") from None

    texts = [list(words) for words in sentences]
    total = sum(map(len, texts))
    model = Word2Vec(
        vector_size=options.dimension,
        window=options.window,
        sg=1,
        hs=0,
        negative=options.negative,
        min_count=options.least,
        max_final_vocab=options.most,
        sample=options.sample,
        alpha=options.alpha,
        min_alpha=options.last_alpha,
        epochs=options.epochs,
        seed=options.seed,
        workers=1,  # more would make the result depend on their timing
        hashfxn=_stable_hash,
    )
    model.build_vocab(texts)
    if not len(model.wv):
        raise InputError(f"no word occurs {options.least} times in {total} words; lower `least` or give more text")
    model.train(texts, total_examples=model.corpus_count, epochs=options.epochs)
    content = hashlib.sha256(np.ascontiguousarray(model.wv.vectors).tobytes() + model.syn1neg.tobytes()).hexdigest()
    return SkipGram.of(model.wv.index_to_key, model.wv.vectors, model.syn1neg, content), total


def _stable_hash(text: str) -> int:
    """gensim seeds vectors by a hash of the word; Python's own differs from run to run."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "little")
