"""The one family of exceptions: what a user can put right, said in one line."""

from __future__ import annotations

import re
from os import PathLike

# control characters, ends of lines, what turns the direction of letters, half surrogate pairs
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """A text without what a stranger could do with it to a terminal, to a table, or to the order of letters."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


class TercetError(Exception):
    """Something the user can put right. The message is one line: what is wrong, where, and the remedy."""


class InputError(TercetError):
    """A file that cannot be used, named with its line where there is one."""

    def __init__(
        self, problem: str, *, file: str | PathLike[str] | None = None, line: int | None = None, remedy: str = ""
    ) -> None:
        place = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(f"{place}{problem}" + (f"; {remedy}" if remedy else ""))
        self.file, self.line = file, line


class OptionError(TercetError):
    """An unknown metric, option or value."""


class ShapeError(TercetError):
    """Texts that do not fit together: unequal numbers of segments, transposed references."""


class ResourceError(TercetError):
    """Language data that is missing, broken or cannot be had."""


class UndefinedError(TercetError):
    """A number that does not exist for these data, such as the correlation of a constant."""


class TercetWarning(UserWarning):
    """A number that is right but perhaps not the one that was meant. One line, like an error's."""
