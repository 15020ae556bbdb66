"""One thread for numpy's products of matrices, where many small ones are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within the block BLAS shares nothing out: on small products its threads wait for each other more than they work.

    Numbers do not depend on it, but time does: with as many threads as cores, features of texts cost up to twice as
    much. It holds for the whole process.
    """
    with _libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def _libraries() -> Any:
    import numpy as np  # noqa: F401  so that its library is loaded
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
