"""The native kernels (cpp/). Batches in, arrays out; results do not depend on the number of threads."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_Matrix = NDArray[np.float64]
_Numbers = NDArray[np.int64]
_References = list[tuple[str, ...]]

def threads() -> int: ...
def set_threads(threads: int) -> None: ...
def set_character_classes(classes: bytes) -> None: ...
def ill_formed_utf8(bytes: NDArray[np.uint8]) -> int | None: ...
def line_starts(bytes: NDArray[np.uint8]) -> NDArray[np.int64]: ...
def line_texts(bytes: NDArray[np.uint8], starts: NDArray[np.int64]) -> list[str]: ...
def tokenize(lines: list[str], tokenizer: str) -> list[list[str]]: ...
def bleu(
    hypotheses: list[str], references: _References, *, tokenizer: str, order: int, lowercase: bool = False
) -> _Matrix: ...
def chrf(
    hypotheses: list[str],
    references: _References,
    *,
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
    lowercase: bool = False,
) -> _Matrix: ...
def beer57(
    hypotheses: list[str], references: _References, *, tokenizer: str, whitespace: bool, lowercase: bool = False
) -> NDArray[np.float32]: ...
def bootstrap_sums(statistics: _Matrix, samples: int, seed: int) -> _Matrix: ...
def coin_sums(statistics: _Matrix, samples: int, seed: int) -> _Matrix: ...
def mixture_sums(statistics: _Matrix, samples: int, seed: int) -> _Matrix: ...

class RunningSums:
    def __init__(self, draws: str, rows: int, columns: int, *, first: int, samples: int, seed: int) -> None: ...
    def add(self, rows: _Matrix) -> None: ...
    def sums(self, samples: int) -> _Matrix: ...

def pair_counts(human: _Matrix, metric: _Matrix, *, epsilon: float) -> _Matrix: ...
def best_epsilon(human: _Matrix, metric: _Matrix) -> float: ...

class NistInformation:
    def __init__(self, references: _References, *, tokenizer: str, order: int) -> None: ...
    def statistics(self, hypotheses: list[str], references: _References) -> _Matrix: ...

def ter(hypotheses: list[str], references: _References, *, lowercase: bool = False) -> _Matrix: ...
def ter_alignment(hypothesis: str, reference: str) -> tuple[list[tuple[int, int, int]], list[int], str]: ...
def wer(hypotheses: list[str], references: _References, *, tokenizer: str, lowercase: bool = False) -> _Matrix: ...
def trueskill(
    first: _Numbers,
    second: _Numbers,
    value: _Numbers,
    order: _Numbers,
    start: _Numbers,
    *,
    systems: int,
    mu: float,
    sigma: float,
    beta: float,
    tau: float,
    draw_margin: float,
) -> _Matrix: ...
def trueskill_matched(
    first: _Numbers,
    second: _Numbers,
    value: _Numbers,
    seeds: _Numbers,
    *,
    steps: int,
    systems: int,
    mu: float,
    sigma: float,
    beta: float,
    tau: float,
    draw_margin: float,
) -> _Matrix: ...

class MeteorTables:
    def __init__(self, text: NDArray[np.uint8], **numbers: NDArray[np.uint32]) -> None: ...

class MeteorText:
    def __init__(
        self,
        hypotheses: list[str],
        references: _References,
        *,
        style: str | None,
        punctuation: bool,
        abbreviations: dict[str, bool],
    ) -> None: ...
    def words(self) -> list[str]: ...
    def statistics(
        self,
        forms: list[str],
        stems: list[str],
        function: list[bool],
        *,
        tables: MeteorTables | None,
        modules: list[str],
        beam: int,
        characters: bool,
    ) -> _Matrix: ...

class Lattices:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(self, states: int, edges: Sequence[tuple[int, int, tuple[str, ...]]], finals: Sequence[int]) -> None: ...
    def distances(
        self, hypotheses: list[str], which: _Numbers, *, tokenizer: str, normalize: str, window: int
    ) -> _Matrix: ...
    def match(
        self, hypothesis: str, which: int, *, tokenizer: str, normalize: str, window: int
    ) -> tuple[float, float, list[tuple[str, int, str | None]]]: ...

def hash_words(words: list[str]) -> NDArray[np.uint32]: ...

class Lexicon:
    def __init__(self, keys: NDArray[np.uint32], classes: NDArray[np.uint16]) -> None: ...

class WeightTable:
    def __init__(
        self,
        keys: NDArray[np.uint32],
        starts: NDArray[np.uint32],
        labels: NDArray[np.uint8],
        weights: NDArray[np.int16],
    ) -> None: ...

class SequenceModel:
    def __init__(
        self,
        templates: list[str],
        lexicon: Lexicon,
        table: WeightTable,
        transitions: NDArray[np.int32],
        labels: int,
    ) -> None: ...
    def label(self, sentences: list[tuple[str, ...]], columns: NDArray[np.int32]) -> NDArray[np.int32]: ...

def feature_keys(
    templates: list[str], lexicon: Lexicon, sentences: list[tuple[str, ...]], columns: NDArray[np.int32]
) -> NDArray[np.uint32]: ...
def train_sequence(
    templates: list[str],
    lexicon: Lexicon,
    sentences: list[tuple[str, ...]],
    columns: NDArray[np.int32],
    gold: NDArray[np.int32],
    *,
    labels: int,
    epochs: int,
    cutoff: int,
    seed: int,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.float64], NDArray[np.float64]]: ...
def span_keys(
    templates: list[str],
    sentences: list[tuple[str, ...]],
    columns: NDArray[np.int32],
    starts: NDArray[np.int32],
    counts: NDArray[np.int32],
) -> NDArray[np.uint32]: ...

class DiscourseModel:
    def __init__(self, templates: list[str], table: WeightTable, labels: int, scale: float) -> None: ...
    def parse(
        self,
        sentences: list[tuple[str, ...]],
        columns: NDArray[np.int32],
        starts: NDArray[np.int32],
        counts: NDArray[np.int32],
    ) -> NDArray[np.int32]: ...

class Phrases:
    def __init__(
        self,
        text: NDArray[np.uint8],
        text_start: NDArray[np.uint32],
        text_slot: NDArray[np.uint32],
        child_slot: NDArray[np.uint32],
        last_word: NDArray[np.uint32],
        parent: NDArray[np.uint32],
        paraphrase: NDArray[np.uint32],
        paraphrase_start: NDArray[np.uint32],
    ) -> None: ...
    def spans(self, sentence: list[str]) -> list[tuple[int, int, int]]: ...
    def paraphrases(self, phrase: int) -> list[tuple[str, ...]]: ...

class Forest:
    def __init__(
        self,
        starts: _Numbers,
        labels: NDArray[np.int32],
        counts: NDArray[np.int32],
        smooth: NDArray[np.int32],
        vectors: NDArray[np.int32],
    ) -> None: ...
    def __len__(self) -> int: ...

class TreeKernel:
    def __init__(
        self, fragments: str, *, decay: float, vertical: float, vectors: NDArray[np.float32], power: float
    ) -> None: ...

def tree_kernels(
    kernel: TreeKernel, a: Forest, rows: _Numbers, b: Forest, columns: _Numbers, *, plain: bool = False
) -> _Matrix: ...
def tree_kernels_aligned(kernel: TreeKernel, a: Forest, rows: _Numbers, b: Forest, columns: _Numbers) -> _Matrix: ...
def tree_kernel_by_node(kernel: TreeKernel, a: Forest, tree: int, b: Forest, weights: _Matrix) -> _Matrix: ...
def fragment_weights(kernel: TreeKernel, fragments: Forest, trees: Forest) -> _Matrix: ...
