"""The native kernels (cpp/). Batches in, arrays out; results do not depend on the number of threads."""

import numpy as np
from numpy.typing import NDArray

_Matrix = NDArray[np.float64]
_References = list[tuple[str, ...]]

def threads() -> int: ...
def set_threads(threads: int) -> None: ...
def set_character_classes(classes: bytes) -> None: ...
def tokenize(lines: list[str], tokenizer: str) -> list[list[str]]: ...
def bleu(hypotheses: list[str], references: _References, *, tokenizer: str, order: int) -> _Matrix: ...
def chrf(
    hypotheses: list[str],
    references: _References,
    *,
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
) -> _Matrix: ...
