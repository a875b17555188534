"""Limits on a file that someone sends, and what can be told of it before it is read.

A few hundred kilobytes of Parquet can stand for 2·10^8 rows. Its footer says so, and a delimited text shows the width
of its header and the length of its lines; so a file beyond the limits is refused before anything is unpacked. What the
footer conceals is caught by the limits on memory and time of the process that reads (`worker.py`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError, listing

LONGEST_LINE = 1 << 20
DELIMITERS = (b",", b";", b"\t", b"|")
# A footer has so many entries at most, and texts of so many bytes.
FOOTER_ENTRIES = 2_000_000
FOOTER_TEXT = 16 << 20


class BeyondLimits(InputError):
    """The file is larger than this server reads."""


@dataclass(frozen=True)
class Sight:
    """The columns worth reading (None: all), and those whose entries have parts, which are left alone."""

    columns: tuple[str, ...] | None = None
    parts: tuple[str, ...] = ()


EVERYTHING = Sight()


@dataclass(frozen=True)
class ReadLimits:
    """`memory` is in bytes beyond what the reading process needs for itself, `seconds` by the clock."""

    rows: int = 10_000_000
    columns: int = 500
    memory: int = 2 << 30
    seconds: float = 60.0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def check(self, path: Path) -> Sight:
        """Refuse what is too large at sight."""
        return self._parquet(path) if path.suffix == ".parquet" else self._text(path)

    def _parquet(self, path: Path) -> Sight:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from discreet.release.loading.columns import has_parts

        try:
            with pq.ParquetFile(
                path, thrift_container_size_limit=FOOTER_ENTRIES, thrift_string_size_limit=FOOTER_TEXT
            ) as file:
                told = file.metadata
                size = sum(told.row_group(i).total_byte_size for i in range(told.num_row_groups))
                self._compare(Faults(), told.num_rows, told.num_columns, size)
                schema = file.schema_arrow
        except MemoryError:
            raise
        except (pa.ArrowException, OSError):
            raise InputError("the file is damaged or not Parquet") from None
        repeated = sorted({name for name in schema.names if schema.names.count(name) > 1})
        if repeated:
            raise InputError(f"the file has several columns named {listing(repeated)}: rename them")
        parts = tuple(field.name for field in schema if has_parts(field.type))
        return Sight(tuple(name for name in schema.names if name not in parts), parts)

    def _text(self, path: Path) -> Sight:
        """The widest header that any delimiter would give, the longest line, the number of lines."""
        data = np.fromfile(path, np.uint8)
        ends = np.flatnonzero((data == 10) | (data == 13))
        edges = np.concatenate(([-1], ends, [data.size]))
        longest = int(np.diff(edges).max()) - 1
        header = data[: edges[1]].tobytes()
        width = 1 + max(header.count(mark) for mark in DELIMITERS)
        lines = int(np.count_nonzero(np.diff(edges) > 1))
        faults = Faults()
        faults.check(longest <= LONGEST_LINE, f"a line is longer than {LONGEST_LINE} bytes")
        self._compare(faults, lines - 1, width, 0)
        return Sight()

    def _compare(self, faults: Faults, rows: int, columns: int, size: int) -> None:
        faults.check(
            rows <= self.rows, f"the file has more than {self.rows} rows: count it first, or take a part of it"
        )
        faults.check(columns <= self.columns, f"the file has more than {self.columns} columns: leave some out")
        faults.check(size <= self.memory, f"the file takes more than {self.memory >> 20} MB unpacked")
        try:
            faults.raise_if_any()
        except InputError as error:
            raise BeyondLimits(error.faults) from None
