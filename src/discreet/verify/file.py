"""How a file is named to the checker. Nothing heavy is imported here: `import discreet` comes by."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


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
