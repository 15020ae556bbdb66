"""tercet: which of two translations is better, how sure, and why."""

from importlib.metadata import version as _version

from tercet._native import set_threads, threads
from tercet.errors import TercetError

__version__ = _version("tercet")
__all__ = ["TercetError", "__version__", "set_threads", "threads"]
