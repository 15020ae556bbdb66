"""BLAS with one thread, and as before afterwards."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tercet.blas import one_blas_thread


def _threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_one_thread_within_and_as_many_as_before_afterwards():
    matrix = np.ones((4, 4), np.float32)
    before = _threads()
    with one_blas_thread():
        assert set(_threads()) <= {1}
        assert (matrix @ matrix == 4).all()
    assert _threads() == before


def test_as_before_after_an_error_too():
    before = _threads()
    with pytest.raises(ValueError, match="no"), one_blas_thread():
        raise ValueError("no")
    assert _threads() == before
