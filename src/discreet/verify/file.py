"""How a file, or several that are one table, is named to the checker.

Nothing heavy is imported here: `import discreet` comes by.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class File:
    """A file for the checker to read itself.

    `path` names it ("-" is standard input), or `data` holds its bytes. `format` is an extension such as "csv", "csv.gz"
    or "parquet" and overrides the one of the name; `delimiter` and `encoding` are for delimited text.
    """

    path: str | os.PathLike[str] | None = None
    data: bytes | None = field(default=None, repr=False)
    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None


def is_in_parts(source: Any) -> bool:
    """Whether a table is given as a folder, a pattern such as `big/*.parquet`, or a dataset: as files in a row."""
    if isinstance(source, File):
        source = source.path
    if isinstance(source, str | os.PathLike):
        text = os.fspath(source)
        return os.path.isdir(text) or (any(mark in text for mark in "*?[") and not os.path.exists(text))
    return isinstance(getattr(source, "paths", None), list | tuple)
