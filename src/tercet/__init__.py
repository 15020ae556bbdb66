"""tercet: which of two translations is better, how sure, and why."""

from tercet._native import set_threads, threads
from tercet.errors import TercetError

__all__ = ["TercetError", "__version__", "set_threads", "threads"]


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version  # a third of what `import tercet` would cost

    globals()[name] = found = version("tercet")  # it is in every signature, and takes milliseconds to find
    return found
