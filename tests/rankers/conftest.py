"""A cache of its own for every test, and a network that was trained on a small world."""

from __future__ import annotations

from pathlib import Path

import pytest

from tercet.features.cache import FeatureCache
from tercet.rankers.inputs import FeatureSpecs
from tercet.rankers.network import NetworkOptions, NetworkRanker
from tests import world


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def glove(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small file of vectors in GloVe's form."""
    return world.write_vectors(tmp_path_factory.mktemp("vectors") / "glove.txt")


@pytest.fixture(scope="session")
def trained(glove: Path) -> NetworkRanker:
    """Two members, trained for some epochs; not to be changed."""
    pytest.importorskip("jax", reason="training needs jax: pip install 'tercet[train]'")
    pytest.importorskip("optax", reason="training needs optax: pip install 'tercet[train]'")
    specs = FeatureSpecs(("bleu", "ter"), (f"vectors:path={glove}",))
    options = NetworkOptions(epochs=20, seeds=2, learning_rate=0.1, hidden=2, references="best")
    ranker = NetworkRanker(specs, options, FeatureCache(None))
    return ranker.fit(world.pairs(60, seed=1), world.pairs(30, seed=50))
