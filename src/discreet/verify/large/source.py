"""A table in many files, or in one that does not fit: its Parquet files in order, read batch by batch.

A folder holds its Parquet files, in folders within it too, in the order of their names; a pattern (`big/*.parquet`)
likewise. All files have the same columns and types. Nothing of the data is kept.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.errors import Faults, InputError
from discreet.verify.file import File
from discreet.verify.readers.column import Table, shown
from discreet.verify.readers.typed import arrow_table, check_names

BATCH = 1 << 16
PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Source:
    """Parquet files that are one table; `name` is what messages call it, `schema` that of every file."""

    name: str
    paths: tuple[Path, ...]
    schema: Any
    rows: int
    size: int
    carried: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return list(self.schema.names)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """The rows of all files in order, as record batches of these columns."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        for path in self.paths:
            try:
                with pq.ParquetFile(path, buffer_size=1 << 20) as file:
                    for batch in file.iter_batches(BATCH, columns=list(columns)):
                        yield batch.select(list(columns))  # a name with a point may bring others along
            except (OSError, pa.ArrowException, ValueError, TypeError, OverflowError):
                raise InputError(f"cannot read {shown(path.name)} of {self.name}: the file is damaged") from None

    def whole(self) -> Table:
        """All rows in memory."""
        import pyarrow as pa

        table = self.held(pa.Table.from_batches(list(self.batches(self.names)), self.schema))
        table.carried = self.carried
        return table

    def held(self, table: Any) -> Table:
        """Some of the rows in memory."""
        return arrow_table(table, self.name)

    def seams(self) -> object | None:
        """What stands between rows; None where that is the same throughout."""
        return None


def paths_of(source: Any) -> list[Path]:
    """The files of a folder, a pattern or a dataset, or the one file that is named."""
    if isinstance(source, File):
        source = source.path
    if not isinstance(source, str | os.PathLike):
        return [Path(path) for path in source.paths]
    text = os.fspath(source)
    if os.path.isdir(text):
        return sorted(one for one in Path(text).rglob("*") if _is_data(one, Path(text)))
    if os.path.exists(text):
        return [Path(text)]
    return sorted(Path(one) for one in glob.glob(text, recursive=True) if _is_data(Path(one), Path(one).parent))


def _is_data(path: Path, folder: Path) -> bool:
    """Whether a file is one of data: what begins with a dot or an underscore is not."""
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return path.suffix.lower() in PARQUET and path.is_file() and not hidden


def check_alone(source: Any, name: str) -> None:
    """Raise `InputError` where a folder that is to be published holds what is not read, and so not judged.

    Values in the names of folders (`sex=f/`) are columns to many who read them.
    """
    if isinstance(source, File):
        source = source.path
    if not isinstance(source, str | os.PathLike) or not os.path.isdir(source):
        return
    folder = Path(source)
    within = list(folder.rglob("*"))
    faults = Faults()
    others = sum((one.is_symlink() or not one.is_dir()) and not _is_data(one, folder) for one in within)
    faults.check(
        not others,
        f"{name} holds {others} other files, hidden ones among them, which would be published and which nobody checks: "
        "take them out, or name the Parquet files by a pattern",
    )
    faults.check(
        not any(one.is_dir() and "=" in one.name for one in within),
        f"{name} holds folders that are named by values, which nobody checks: put its files into one folder",
    )
    faults.raise_if_any()


def open_source(paths: Sequence[Path], name: str) -> Source:
    """The table in these files, or one error that names every file that does not go with the first."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not paths:
        raise InputError(f"{name} holds no Parquet files")
    faults = Faults()
    schema, rows, size = None, 0, 0
    carried = False
    for path in paths:
        try:
            with pq.ParquetFile(path) as file:
                own, meta = file.schema_arrow, file.metadata
                rows += meta.num_rows
                size += sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        except (OSError, pa.ArrowException, ValueError, TypeError, OverflowError):
            faults.add(f"cannot read {shown(path.name)} of {name}: the file is damaged or not Parquet")
            continue
        carried = carried or bool(own.metadata) or any(set(f.metadata or {}) - {b"PARQUET:field_id"} for f in own)
        if schema is None:
            check_names(own.names, name)
            schema = own
        elif not own.equals(schema):
            faults.add(f"{shown(path.name)} of {name} has other columns or types than {shown(paths[0].name)}")
    faults.raise_if_any()
    if not rows:
        raise InputError(f"{name} has column names but no rows")
    return Source(name, tuple(paths), schema, rows, size, ("metadata of its schema",) if carried else ())


def side_by_side(a: Source, b: Source, columns_a: Sequence[str], columns_b: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Equally many rows of both tables at a time, in order."""
    import pyarrow as pa

    streams = [a.batches(columns_a), b.batches(columns_b)]
    held: list[Any] = [None, None]
    while True:
        for side in (0, 1):
            while held[side] is None or not held[side].num_rows:
                held[side] = next(streams[side], None)
                if held[side] is None:
                    return
        rows = min(held[0].num_rows, held[1].num_rows)
        yield held[0].slice(0, rows), held[1].slice(0, rows)
        held = [one.slice(rows) if one.num_rows > rows else None for one in held]
        assert all(isinstance(one, pa.RecordBatch | None) for one in held)
