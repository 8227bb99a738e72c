"""Errors for the user. Each is one line: the error, then what to do about it."""


class AprofError(Exception):
    """A user's mistake or a lost resource; `str` is the whole message, without newline."""

    def __init__(self, what: str, todo: str) -> None:
        super().__init__(f"{what}; {todo}")


class UsageError(AprofError):
    """A meaningless value of an option, whatever the profile."""


class ProfileError(AprofError):
    """A profile that cannot be used. `line` counts from 1; None if no line is to blame."""

    def __init__(self, path: str, line: int | None, what: str, todo: str) -> None:
        where = path if line is None else f"{path}:{line}"
        super().__init__(f"{where}: {what}", todo)


class SelectionError(AprofError):
    """A ROUTINE argument that names none or several routines. `candidates`: a line for each."""

    def __init__(self, what: str, todo: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(what, todo)
        self.candidates = candidates


class RecordError(Exception):
    """A record that breaks the format, in line `line` or, if that is None, in the line that the
    reader is at. The reader turns it into a ProfileError."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.line = line
