"""The routes: the page, its assets and the API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

import anyio
from anyio import to_thread
from fastapi import Body, FastAPI, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

import tercet
from tercet.compare.judges import Judge
from tercet.errors import TercetError
from tercet.serve import uploads, work
from tercet.serve.guard import UPLOADS, Guard, error_answer
from tercet.serve.jobs import BusyError, Job, Jobs, StoppingError, UnknownError
from tercet.serve.limits import Limits
from tercet.serve.pages import Pages, report_policy
from tercet.serve.schema import Error, Health, Status, VerdictAnswer, VerdictRequest

T = TypeVar("T")


class NotYetError(TercetError):
    """The comparison runs."""


_STATUS: tuple[tuple[type[TercetError], int], ...] = (
    (UnknownError, 404),
    (NotYetError, 409),
    (uploads.UnsupportedError, 415),
    (BusyError, 429),
    (StoppingError, 503),
    (TercetError, 422),
)
_WORDS = {404: "there is nothing at this address", 405: "this address does not take such requests"}
_MEANINGS = {
    400: "Not a request.",
    404: "No such comparison.",
    408: "The request took too long to arrive.",
    409: "The comparison has not ended yet.",
    413: "The request is too large.",
    415: "The files come in another form than multipart/form-data.",
    422: "Input that cannot be used, with the reason and the remedy.",
    429: "Too much at once; try again later.",
    503: "The server is stopping.",
}

Id = Annotated[str, InPath(min_length=1, max_length=64, description="As the comparison's upload was answered.")]


def create_app(
    judge: Judge, *, limits: Limits | None = None, hosts: frozenset[str] = frozenset(), local: bool = True
) -> Guard:
    """The whole server as an ASGI application. `hosts` are names that it is called by, beside addresses."""
    limits = limits or Limits()
    jobs = Jobs(limits)
    answers = _Answers(limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await to_thread.run_sync(jobs.stop)

    app = FastAPI(
        title="tercet",
        version=tercet.__version__,
        summary="Which of two translations is better, how sure, and why.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load their script from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    _add_errors(app)

    @app.get("/api/health", response_model=Health)
    async def health() -> dict[str, Any]:
        """Whether the server is alive, who decides, and what it takes."""
        return {
            "status": "ok",
            "version": tercet.__version__,
            "model": judge.name,
            "kind": judge.kind,
            "signature": str(judge.signature),
            "comparisons": jobs.counts(),
            "limits": asdict(limits),
        }

    @app.post("/api/verdict", response_model=VerdictAnswer, responses=_errors(400, 408, 413, 422, 429))
    async def verdict(wanted: Annotated[VerdictRequest, Body()]) -> Response:
        """The verdict on one segment, between every two translations, with its reasons."""
        return await answers.give(
            lambda: JSONResponse(  # written in the thread: the others do not wait for it
                work.verdict(
                    judge,
                    limits,
                    references=wanted.references,
                    translations=wanted.translations,
                    source=wanted.source,
                    packed=wanted.packed,
                )
            )
        )

    @app.post(
        UPLOADS,
        status_code=202,
        response_model=Status,
        responses=_errors(400, 408, 413, 415, 422, 429, 503),
        openapi_extra={"requestBody": _UPLOAD},
    )
    async def start(request: Request) -> Response:
        """Compare systems from files; the answer tells where to ask how far that is."""
        with jobs.place() as add:
            upload = await uploads.receive(request.stream(), request.headers.get("content-type", ""))
            corpus = await answers.give(lambda: upload.corpus(limits))
            if len(corpus.systems) < 2:
                raise TercetError("a comparison needs two systems or more; send another file as translations")
            job = add(work.Work(corpus, judge), upload.size)
        return JSONResponse(_status(job), 202, {"location": f"{UPLOADS}/{job.id}"})

    @app.get(UPLOADS + "/{id}", response_model=Status, responses=_errors(404, 422))
    async def status(id: Id) -> dict[str, Any]:
        """How far a comparison is."""
        return _status(jobs.get(id))

    @app.delete(UPLOADS + "/{id}", status_code=204, responses=_errors(404, 422))
    async def forget(id: Id) -> Response:
        """Forget a comparison, and end it if it runs."""
        jobs.end(id)
        return Response(status_code=204)

    @app.get(
        UPLOADS + "/{id}/result", responses=_errors(404, 409, 422, 429) | {200: {"content": {"application/json": {}}}}
    )
    async def result(
        id: Id, segments: Annotated[bool, Query(description="Also the verdict of every segment.")] = True
    ) -> Response:
        """The JSON of `tercet compare -f json`."""
        found = _finished(jobs.get(id))
        return Response(await answers.give(lambda: found.result(segments=segments)), media_type="application/json")

    @app.get(UPLOADS + "/{id}/segments/{segment}", responses=_errors(404, 409, 422, 429))
    async def explain(
        id: Id,
        segment: Annotated[int, InPath(ge=1, le=10_000_000, description="From 1.")],
        pair: Annotated[
            list[str] | None, Query(max_length=2, description="Two systems; by default the best two.")
        ] = None,
    ) -> Response:
        """Why: the reasons for the verdict on a segment, as `tercet compare --explain N --pair A B` gives them."""
        found = _finished(jobs.get(id))
        return await answers.give(lambda: JSONResponse(found.explanation(segment, pair)))

    @app.get(
        UPLOADS + "/{id}/report",
        response_class=Response,
        responses=_errors(404, 409, 422) | {200: {"content": {"text/html": {}}}},
    )
    async def report(
        id: Id, download: Annotated[bool, Query(description="To be saved, not to be shown.")] = False
    ) -> Response:
        """The report: one HTML file."""
        found = _finished(jobs.get(id))
        headers = {"content-security-policy": report_policy()}
        if download:
            headers["content-disposition"] = 'attachment; filename="tercet-report.html"'
        return Response(found.report, media_type="text/html; charset=utf-8", headers=headers)

    Pages(judge, limits, local=local).add_to(app)
    return Guard(app, limits=limits, hosts=hosts, is_stopped=lambda: jobs.stop(0))


class _Answers:
    """Work that a request waits for: few at once, in threads, and not too many in the queue."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._waiting = limits, 0
        self._limiter: anyio.CapacityLimiter | None = None

    async def give(self, work: Callable[[], T]) -> T:
        if self._waiting >= self._limits.answers_waiting:
            raise BusyError(f"{self._waiting} requests are waiting already; try again in a while")
        if self._limiter is None:  # it belongs to the event loop
            self._limiter = anyio.CapacityLimiter(self._limits.answers)
        self._waiting += 1
        try:
            return await to_thread.run_sync(work, limiter=self._limiter)
        finally:
            self._waiting -= 1


def _status(job: Job) -> dict[str, Any]:
    return {
        "id": job.id,
        "state": job.state,
        "stage": job.stage,
        "progress": job.progress,
        "segments": job.work.segments,
        "systems": list(job.work.corpus.systems),
        "error": job.error or None,
        "summary": None if job.found is None else job.found.summary,
    }


def _finished(job: Job) -> work.Found:
    if job.found is not None:
        return job.found
    raise TercetError(job.error) if job.error else NotYetError(f"the comparison is not ready yet: {job.stage}")


def _errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": Error, "description": _MEANINGS[status]} for status in statuses}


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(TercetError)
    async def mistaken(_: Request, error: TercetError) -> Response:
        status = next(code for kind, code in _STATUS if isinstance(error, kind))
        return error_answer(status, str(error), {"retry-after": "5"} if status in (429, 503) else None)

    @app.exception_handler(RequestValidationError)
    async def unfit(_: Request, error: RequestValidationError) -> Response:
        first, *others = error.errors()
        if first["type"] == "json_invalid":
            return error_answer(400, f"the request is not JSON: {first.get('ctx', {}).get('error', first['msg'])}")
        place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
        more = f" (and {len(others)} more)" if others else ""
        return error_answer(422, f"{place[:200]}: {first['msg']}{more}")

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> Response:
        headers: Mapping[str, str] = error.headers or {}
        return error_answer(error.status_code, _WORDS.get(error.status_code, error.detail), dict(headers))

    @app.exception_handler(Exception)
    async def broken(_: Request, __: Exception) -> Response:
        return error_answer(500, "an error inside tercet; the server's terminal says where")


_FILE = {"type": "string", "format": "binary"}
_UPLOAD = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "additionalProperties": False,
                "required": ["references", "translations"],
                "properties": {
                    "references": {"type": "array", "minItems": 1, "items": _FILE, "description": "One or more files."},
                    "translations": {"type": "array", "minItems": 1, "items": _FILE, "description": "A file a system."},
                    "source": _FILE,
                },
            }
        }
    },
}
