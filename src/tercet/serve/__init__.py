"""The page and its API: what `tercet compare` does, for a browser. `create_app(judge)` gives the ASGI application."""

from tercet.serve.application import create_app
from tercet.serve.limits import Limits

__all__ = ["Limits", "create_app"]
