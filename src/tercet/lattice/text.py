"""The words that lattices are made of and hypotheses are read as."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tercet.language import tokenizers

# Moses parts English words at an apostrophe between letters: it 's, don 't; typographic ones are made plain before.
_APOSTROPHE = re.compile(r"([^\W\d_])'(?=[^\W\d_])")
_QUOTES = str.maketrans("‘’‛", "'''")


@dataclass(frozen=True, kw_only=True)
class Wording:
    """How texts become words."""

    lowercase: bool = True
    tokenize: tokenizers.Tokenizer = "13a"
    clitics: bool = True
    """English clitics are words of their own (it 's), as the Moses tokenizer has it."""
    punctuation: bool = True
    """False leaves out tokens without a letter or digit."""

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of every text."""
        if self.lowercase:
            texts = [text.lower() for text in texts]
        if self.clitics:
            texts = [_APOSTROPHE.sub(r"\1 '", text.translate(_QUOTES)) for text in texts]
        tokens = tokenizers.tokenize(texts, self.tokenize)
        if not self.punctuation:
            tokens = [[token for token in line if any(map(str.isalnum, token))] for line in tokens]
        return tokens

    def items(self) -> dict[str, str | bool | None]:
        """What a signature says of it."""
        return {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self.tokenize,
            "clitics": self.clitics,
            "punct": None if self.punctuation else False,
        }
