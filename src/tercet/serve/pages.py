"""The page that a browser opens, and what it is made of: files of this package and the report's own."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files

from fastapi import FastAPI
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from tercet.compare.judges import Judge
from tercet.compare.report.page import asset as report_asset
from tercet.compare.report.page import bundle, policy
from tercet.serve.limits import MB, Limits

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_FROM_REPORT = ("theme.js", "data.js", "charts.js", "words.js", "trees.js", "why.js")
_OWN = ("requests.js", "verdict.js", "files.js", "start.js")
_DEMO = ("reference", "careful", "literal", "hasty")
_FIELD = re.compile(r"\{\{([a-z]+)\}\}")


@cache
def report_policy() -> str:
    """A report may run its own script and nothing more: not even as a page of this server, whatever is in its texts."""
    return f"{policy()}; frame-ancestors 'none'; sandbox allow-scripts"


class Pages:
    """All that is not the API; made once, when the server starts."""

    def __init__(self, judge: Judge, limits: Limits, *, local: bool) -> None:
        where = "on this machine" if local else "on the machine that runs tercet"
        fields = {
            "judge": escape(f"{judge.kind} {judge.name}"),
            "where": f"Everything stays {where}.",
            "limit": f"{limits.upload / MB:g} MB",
            "bytes": str(limits.upload),
        }
        self._page = _FIELD.sub(lambda match: fields[match[1]], _asset("page.html"))
        script = bundle([*map(report_asset, _FROM_REPORT), *map(_asset, _OWN)])
        self._assets = {
            "page.js": (script, "text/javascript"),
            "page.css": (report_asset("report.css") + _asset("page.css"), "text/css"),
            "icon.svg": (_asset("icon.svg"), "image/svg+xml"),
        } | {
            f"{name}.txt": ((files("tercet") / "demo" / f"{name}.txt").read_text("utf-8"), "text/plain")
            for name in _DEMO
        }

    def add_to(self, app: FastAPI) -> None:
        """The page at `/`, its parts under `/assets/`."""

        @app.get("/", include_in_schema=False)
        async def page() -> Response:
            return Response(
                self._page, media_type="text/html; charset=utf-8", headers={"content-security-policy": POLICY}
            )

        @app.get("/assets/{name}", include_in_schema=False)
        async def part(name: str) -> Response:
            if name not in self._assets:
                raise HTTPException(404)
            content, kind = self._assets[name]
            return Response(content, media_type=f"{kind}; charset=utf-8", headers={"cache-control": "no-cache"})


def _asset(name: str) -> str:
    return (files("tercet.serve") / "assets" / name).read_text("utf-8")
