"""The requests and answers of the API, as its OpenAPI describes them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tercet.serve.limits import Limits

# what a text must be is said here and checked by work.py, whose message tells more
_LINE: dict[str, Any] = {"type": "string", "pattern": r"^[^\n]*$", "maxLength": Limits.segment}

Who = Literal["first", "second", "tie"]


class Error(BaseModel):
    """What is wrong, in one line, as the command line would print it."""

    error: str


class VerdictRequest(BaseModel):
    """One segment: its references, two or more translations, and if at hand its source."""

    model_config = ConfigDict(extra="forbid", strict=True)

    references: list[str] = Field(
        min_length=1, max_length=16, examples=[["The cat sat on the mat."]], json_schema_extra={"items": _LINE}
    )
    translations: dict[str, str] = Field(
        min_length=2,
        max_length=16,
        description="Texts by the name of their system.",
        examples=[{"A": "The cat sat on a mat.", "B": "Cat on mat."}],
        json_schema_extra={"propertyNames": {"pattern": r"\S", "minLength": 1}, "additionalProperties": _LINE},
    )
    source: str | None = Field(None, json_schema_extra={"anyOf": [_LINE, {"type": "null"}]})
    packed: bool = Field(False, description="Also give the data that the page draws its explanation from.")


class Verdict(BaseModel):
    """Two translations of a segment."""

    first: str
    second: str
    verdict: Who
    probability: float = Field(description="How likely people prefer the first, of those who prefer one.")
    margin: float = Field(description="Above 0 where the first is better.")
    sentences: list[str] = Field(description="The verdict and its reasons in plain words.")
    explanation: dict[str, Any] = Field(description="What `tercet compare --explain N -f json` gives.")


class Place(BaseModel):
    """A translation's place among those of a segment."""

    system: str
    rank: int
    score: float


class VerdictAnswer(BaseModel):
    """Every two translations; the better one of the ranking is the first."""

    model: str
    kind: Literal["model", "metric"]
    signature: str
    ranking: list[Place]
    verdicts: list[Verdict]
    notes: list[str]
    packed: str | None = None


class Summary(BaseModel):
    """A finished comparison in short."""

    headline: str
    setting: str
    ranking: list[dict[str, Any]]


class Status(BaseModel):
    """A comparison on its way."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    stage: str
    progress: float = Field(ge=0, le=1)
    segments: int
    systems: list[str]
    error: str | None = None
    summary: Summary | None = None


class Health(BaseModel):
    """That the server is alive, who decides, and what it takes."""

    status: Literal["ok"]
    version: str
    model: str
    kind: Literal["model", "metric"]
    signature: str
    comparisons: dict[str, int]
    limits: dict[str, int | float]
