"""Which version of the package wrote a file, and what an error says when another one cannot use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import PaludariumError


def version() -> str:
    """The version of this package, as saves and recordings hold it.

    Example::

        header["version"] = version()
    """
    from .. import __version__

    return __version__


def needs(made_by: str) -> str:
    """The end of a message about a file that this version cannot use: which version can. Older files name none.

    >>> needs("0.0.9")
    'it needs paludarium 0.0.9, which made it; this is paludarium 0.1.1'
    """
    unnamed = "the older paludarium that made it and did not name itself"
    maker = f"paludarium {made_by}, which made it" if made_by else unnamed
    if made_by == version():
        return f"paludarium {made_by}, this version, made it: with other mods, or on another kind of processor?"
    return f"it needs {maker}; this is paludarium {version()}"


@contextmanager
def told_with_version(made_by: str, error: type[PaludariumError]) -> Iterator[None]:
    """Errors of ours about a file of another version end with the version that the file needs."""
    try:
        yield
    except PaludariumError as problem:
        if made_by == version() or str(problem).endswith(needs(made_by)):
            raise
        raise error(f"{problem}; {needs(made_by)}") from problem
