"""The one family of exceptions: what a user can put right, said in one line."""

from __future__ import annotations

from os import PathLike


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
