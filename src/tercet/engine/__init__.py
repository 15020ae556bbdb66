"""Datasets larger than memory, on one process or on the workers of a Dask cluster, with the same numbers."""

from tercet.engine.dataset import Dataset, open_dataset
from tercet.engine.drivers import Driver, driver
from tercet.engine.scoring import score_dataset

__all__ = ["Dataset", "Driver", "driver", "open_dataset", "score_dataset"]
