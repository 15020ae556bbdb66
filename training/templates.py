"""What the perceptrons of clauses and of units look at, in a short form."""

from __future__ import annotations

from tercet.language.clauses import CONTEXT

NAMES = {"w": "lower", "t": "column0", "c": "column1", "clause": f"column{2 + len(CONTEXT)}"} | {
    name: f"column{i + 2}"
    for i, name in enumerate(("verb", "vtag", "next", "before", "after", "ahead", "behind", "far", "since"))
}


def templates(text: str) -> tuple[str, ...]:
    """Templates from a short form: `w0 t-1, verb` is lower[0] column0[-1], and the column of the last verb."""

    def part(short: str) -> str:
        name = short.rstrip("-0123456789")
        return f"{NAMES[name]}[{short[len(name) :] or 0}]"

    return tuple(" ".join(map(part, item.split())) for item in text.split(","))


WORDS = templates(
    ",w0,w-1,w1,w2,w-2,w-1 w0,w0 w1,w-1 w0 w1,t0,t-1,t1,t2,t-2,t-1 t0,t0 t1,t1 t2,t-1 t0 t1,t0 t1 t2,t-2 t-1 t0,"
    "t-2 t-1,c0,c-1,c1,c-1 c0,c0 c1,c-1 c0 c1,w0 c0,w0 t1,w0 t-1,w-1 t0,w-1 t0 t1,w0 t1 t2"
)
CONTEXTS = templates(
    "vtag,next,before after,vtag next,t0 vtag,t0 next,w0 next,w0 vtag,w0 vtag next,t-1 t0 next,t-1 t0 vtag,w-1 t0 next,"
    "w-1 t0 vtag next,t0 before after,w0 before after,w-1 before after,t-1 t0 vtag next,verb,verb w0,verb t0,verb w-1,"
    "verb t0 t1,verb w0 next,far w0,far t0 next,far t0 t-1,ahead,ahead w0,ahead t0,ahead w-1,ahead t-1,ahead vtag,"
    "ahead vtag t-1,behind,behind w0,behind ahead,behind t0,w0 since,t0 since,t0 since next,verb w0 since,w0 w1 vtag,"
    "w-1 w0 next,w-1 ahead after,w0 after next"
)
CLAUSES = templates(
    "clause0,clause0 w0,clause0 w-1,clause0 verb,clause0 t0,clause0 t-1,clause0 vtag next,clause1,clause-1,"
    "clause0 clause1,clause0 ahead,clause0 behind,clause0 before after,clause0 verb w0,clause1 w0,clause1 t0,"
    "clause-1 w0,clause-1 clause0 t0"
)
