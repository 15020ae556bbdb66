"""Sentences with everything that is known of them: tokens, tags, chunks, discourse units, relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Protocol, get_args

from tercet.errors import InputError, OptionError
from tercet.language.discourse import Span
from tercet.language.trees import Tree

Kind = Literal["SYN", "DIS", "DIS+POS", "DIS+SYN"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_SPAN, _LEAF = "DIS", "EDU"
_ROLES = {"NS": ("NUCLEUS", "SATELLITE"), "SN": ("SATELLITE", "NUCLEUS"), "NN": ("NUCLEUS", "NUCLEUS")}


@dataclass(frozen=True)
class Analysis:
    """A text and its layers. Sentences and units are given by the numbers of the tokens that they start with."""

    text: str
    tokens: tuple[str, ...]
    starts: tuple[int, ...]  # text[starts[i]:ends[i]] is token i
    ends: tuple[int, ...]
    tags: tuple[str, ...]
    chunks: tuple[str, ...]  # B-NP, I-NP, …, O
    sentences: tuple[int, ...]
    units: tuple[int, ...]
    discourse: Span | None  # over the units; None for a text without tokens, or when nobody asked
    constituents: Tree | None = None  # phrases over tags over words, from an analyzer that parses

    def tree(self, kind: Kind = "DIS+SYN") -> Tree:
        """One tree over all tokens, in the shapes that Guzmán et al. (2014) compare (section 2.1, table 1).

        SYN: chunks over tags over words. DIS: relations over units over words; DIS+POS has tags under the units,
        DIS+SYN chunks over tags. A token outside of all chunks stands under O. Nuclearity is on the units
        (EDU:NUCLEUS), and on a node of its own (NUCLEUS) over a unit that is made of others; a text of one unit is a
        nucleus. A text without tokens is a root without children.
        """
        if kind not in KINDS:
            raise OptionError(f"unknown kind of tree {kind!r}; choose from {', '.join(KINDS)}")
        if kind == "SYN":
            return Tree("S", self._chunk_nodes(0, len(self.tokens)))
        if self.discourse is None:
            if self.tokens:
                raise OptionError("no discourse in this analysis; analyze with discourse=True, or draw a SYN tree")
            return Tree(f"{_LEAF}:NUCLEUS")
        return self._discourse_tree(self.discourse, kind)

    def _discourse_tree(self, root: Span, kind: Kind) -> Tree:
        edges = (*self.units, len(self.tokens))
        under = {"DIS": self._word_nodes, "DIS+POS": self._tag_nodes, "DIS+SYN": self._chunk_nodes}[kind]
        built: list[Tree] = []  # finished nodes, from right to left; spans come back in post-order
        waiting: list[tuple[Span, str, bool]] = [(root, "NUCLEUS", False)]
        while waiting:
            span, role, ready = waiting.pop()
            if span.relation is None:
                built.append(Tree(f"{_LEAF}:{role}", under(edges[span.start], edges[span.end])))
            elif not ready:
                waiting.append((span, role, True))
                waiting.extend(
                    (child, r, False) for child, r in zip(span.children, _ROLES[span.relation.nuclearity], strict=True)
                )
            else:
                # children were finished from the right, so the left one is on top
                children = (built.pop(), built.pop())
                node = Tree(f"{_SPAN}:{span.relation.name.upper()}", children)
                built.append(node if span is root else Tree(role, (node,)))
        return built[0]

    def _word_nodes(self, start: int, end: int) -> tuple[Tree, ...]:
        return tuple([Tree(word) for word in self.tokens[start:end]])

    def _tag_nodes(self, start: int, end: int) -> tuple[Tree, ...]:
        return tuple(
            [Tree(tag, (Tree(word),)) for tag, word in zip(self.tags[start:end], self.tokens[start:end], strict=True)]
        )

    def _chunk_nodes(self, start: int, end: int) -> tuple[Tree, ...]:
        # a chunk that a boundary cuts is two chunks of the same kind
        firsts = [i for i in range(start, end) if i == start or not self.chunks[i].startswith("I-")]
        words = self._tag_nodes(start, end)
        return tuple(
            [
                Tree(self.chunks[first][2:] or "O", words[first - start : last - start])
                for first, last in pairwise((*firsts, end))
            ]
        )


class Analyzer(Protocol):
    """Texts, or sentences that are already tokens, to analyses."""

    def analyze(self, sentences: Sequence[str | Sequence[str]], *, discourse: bool = True) -> list[Analysis]: ...


def analyze(
    sentences: Sequence[str | Sequence[str]], *, analyzer: str | Analyzer = "english", discourse: bool = True
) -> list[Analysis]:
    """An analysis for each text, be it a sentence, several, none, or word salad.

    A sequence of strings in place of a text is taken for its tokens. `analyzer` is "english", which ships with the
    package, or "stanford", "spacy:MODEL" or "stanza:LANGUAGE" for those who have these. Without `discourse` units and
    relations are left out.
    """
    if isinstance(sentences, str):
        raise InputError("a list of sentences is wanted, not one text", remedy="put it in brackets: [text]")
    for number, sentence in enumerate(sentences, 1):
        if isinstance(sentence, str):
            continue
        if not isinstance(sentence, Sequence) or not all(isinstance(token, str) for token in sentence):
            raise InputError(f"sentence {number} is neither a text nor a list of tokens")
        if not all(token and not token.isspace() for token in sentence):
            raise InputError(f"sentence {number} has an empty token")
    return (get_analyzer(analyzer) if isinstance(analyzer, str) else analyzer).analyze(sentences, discourse=discourse)


def get_analyzer(name: str) -> Analyzer:
    """The analyzer of a name, with its models loaded."""
    kind, _, model = name.partition(":")
    if name == "english":
        from tercet.language.pipeline import english_pipeline

        return english_pipeline()
    if name == "stanford":
        from tercet.language.stanford import stanford

        return stanford()
    if kind in {"spacy", "stanza"} and model:
        from tercet.language import external

        return external.load(kind, model)
    raise OptionError(f"unknown analyzer {name!r}; choose english, stanford, spacy:MODEL or stanza:LANGUAGE")
