"""Skip-gram vectors from running text, by gensim, with the settings of Apidianaki et al. (2018, footnote 6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from tercet.errors import InputError, OptionError, ResourceError
from tercet.language.skipgram import SkipGram

LEAST_SHARE = 0.05
"""Of a word's occurrences that have a tag, for the tag to be one of the word's."""
_BATCH = 4096


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
    tags: bool = True
    """Words carry the parts of speech that our tagger of English sees them as."""

    def __post_init__(self) -> None:
        for name, lowest in (
            ("dimension", 1),
            ("window", 1),
            ("negative", 1),
            ("epochs", 1),
            ("least", 1),
            ("seed", 0),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
                raise OptionError(f"skip-gram: {name}={value!r} is not allowed; it is a whole number from {lowest}")
        for name in ("sample", "alpha", "last_alpha"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
                raise OptionError(f"skip-gram: {name}={value!r} is not allowed; it is a number from 0 to 1")
        if self.most is not None and (isinstance(self.most, bool) or not isinstance(self.most, int) or self.most < 1):
            raise OptionError(f"skip-gram: most={self.most!r} is not allowed; it is a whole number from 1")
        if not isinstance(self.tags, bool):
            raise OptionError(f"skip-gram: tags={self.tags!r} is not allowed; it is true or false")

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
    found = SkipGram.of(model.wv.index_to_key, model.wv.vectors, model.syn1neg, content)
    return with_tags(found, texts) if options.tags else found, total


def with_tags(vectors: SkipGram, texts: Sequence[Sequence[str]]) -> SkipGram:
    """The vectors, with the tags that our tagger gives each word at least once in twenty times."""
    from tercet.language.pipeline import english_pipeline

    tagger = english_pipeline().tagger
    words, labels = len(vectors.rows), len(tagger.labels)
    cells = np.zeros((words + 1) * labels, np.int64)  # a row a word; the last is that of words without a vector
    for first in range(0, len(texts), _BATCH):
        some = [tuple(sentence) for sentence in texts[first : first + _BATCH]]
        rows = np.array([vectors.rows.get(word, words) for sentence in some for word in sentence], np.int64)
        cells += np.bincount(rows * labels + tagger.label(some), minlength=len(cells))
    counts = cells.reshape(words + 1, labels)[:-1]
    often = counts >= np.maximum(1, counts.sum(axis=1, keepdims=True) * LEAST_SHARE)
    bits = (often.astype(np.uint64) << np.arange(labels, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    return replace(vectors, tags=bits, tag_names=tagger.labels)


def _stable_hash(text: str) -> int:
    """gensim seeds vectors by a hash of the word; Python's own differs from run to run."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "little")
