"""A dataset: a folder of Parquet files, some of them, or one file, that together hold a table larger than memory.

Opening one reads what Parquet files say about themselves and no record; delimited text is read through once. All files
have the same columns, of the same types and in the same order; what else they say is theirs.
"""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import Faults, InputError, listing

if TYPE_CHECKING:
    from discreet.frames.datasets.delimited import Delimited

PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Part:
    """Rows of a file that one task reads: row groups g with groups[0] ≤ g < groups[1], from row `first` of the whole.

    `cuts` are the numbers of rows of its pieces, each of which is held in memory at once. Of delimited text, `text`
    says which bytes these rows are.
    """

    file: str
    groups: tuple[int, int]
    first: int
    cuts: tuple[int, ...]
    text: Delimited | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Dataset:
    """Files that together hold a table; `names` are theirs within `folder`. Rows are those of the files in order.

    One file of delimited text has row groups too: the records of some megabytes. `dialect` is the delimiter and the
    encoding that were asked for.
    """

    name: str
    folder: Path
    names: tuple[str, ...]
    schema: Any = field(repr=False)
    groups: tuple[tuple[int, ...], ...] = field(repr=False)
    row_bytes: float
    memory: str | int | None = None
    cluster: str | None = None
    output: Path | None = None
    resume: bool = False
    single: bool = False
    text: Delimited | None = field(default=None, repr=False)
    dialect: tuple[str | None, str | None] = (None, None)
    owner: Any = field(default=None, repr=False, compare=False)

    @property
    def n(self) -> int:
        return sum(map(sum, self.groups))

    @property
    def columns(self) -> list[str]:
        return list(self.schema.names)

    @property
    def paths(self) -> list[Path]:
        return [self.folder / name for name in self.names]

    def __len__(self) -> int:
        return self.n

    def stamps(self) -> list[list[Any]]:
        """What a change of a file changes, with what its end says about its content."""
        return [_stamp(self.folder / name, name) for name in self.names]

    def check_unchanged(self, stamps: list[list[Any]]) -> None:
        """Raise `InputError` unless the files are those that had these stamps."""
        if self.stamps() != stamps:
            raise InputError(f"{self.name} was changed while it was being worked on: run it again")

    def numpy_types(self, columns: Sequence[str]) -> list[str]:
        """The numpy type of columns of numbers; float64 for those that numpy has not."""
        from discreet.frames.dataframes import adopt
        from discreet.frames.replace import numpy_type

        kinds = adopt(self.schema.empty_table()).schema
        return [numpy_type(kinds[name]).str[1:] for name in columns]

    def parts(self, most: int) -> list[Part]:
        """The files in parts of whole row groups, of about `most` rows where those are small, cut into pieces.

        A text that can only be read from its beginning is one part.
        """
        found = []
        first = 0
        undivided = self.text is not None and self.text.in_a_row
        for path, groups in zip(self.paths, self.groups):
            start = rows = 0
            for end, size in enumerate(groups, 1):
                rows += size
                if end == len(groups) or (rows + groups[end] > most and not undivided):
                    pieces = -(-rows // most)
                    cuts = tuple(rows * (i + 1) // pieces - rows * i // pieces for i in range(pieces))
                    text = None if self.text is None else self.text.part((start, end))
                    found.append(Part(str(path), (start, end), first, cuts, text))
                    first, start, rows = first + rows, end, 0
        return found

    def moved(self, target: Path) -> Dataset:
        """The same after its files were renamed, the folder or the one file to `target`."""
        folder, names = (target.parent, (target.name,)) if self.single else (target, self.names)
        return replace(self, name=str(target), folder=folder, names=names)

    def batches(self, columns: Sequence[str] | None = None, rows: int = 65_536) -> Iterator[Any]:
        """The table as a stream of Arrow tables of at most so many rows, in order."""
        for part in self.parts(rows):
            yield from read_pieces(part, columns)

    def read(self, columns: Sequence[str] | None = None) -> Any:
        """The whole table in memory, as Arrow has it."""
        import pyarrow as pa

        tables = [table.replace_schema_metadata(None) for table in self.batches(columns)]
        return pa.concat_tables(tables)


def read_pieces(
    part: Part, columns: Sequence[str] | None = None, *, raw: Collection[str] = (), texts: Collection[str] = ()
) -> Iterator[Any]:
    """The pieces of a part as Arrow tables, one after the other.

    Of delimited text, fields of the columns in `texts` stay text, and of those in `raw` bytes as they are written.
    """
    import pyarrow as pa

    held: list[Any] = []
    rows = 0
    wanted = iter(part.cuts)
    cut = next(wanted)
    try:
        for batch in _stream(part, columns, raw, texts):
            while rows + batch.num_rows >= cut:
                held.append(batch.slice(0, cut - rows))
                yield pa.Table.from_batches(held)
                batch, held, rows = batch.slice(cut - rows), [], 0
                cut = next(wanted, 1 << 62)
            if batch.num_rows:
                held.append(batch)
                rows += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        raise unreadable(error, part.file) from None


def _stream(part: Part, columns: Sequence[str] | None, raw: Collection[str], texts: Collection[str]) -> Iterator[Any]:
    """The record batches of a part."""
    import pyarrow.parquet as pq

    if part.text is not None:
        yield from part.text.batches(part.file, columns, raw=raw, texts=texts)
        return
    with pq.ParquetFile(part.file) as file:
        yield from file.iter_batches(
            batch_size=min(65_536, max(part.cuts)),
            row_groups=list(range(*part.groups)),
            columns=None if columns is None else list(columns),
        )


def unreadable(error: Exception, name: str) -> Exception:
    """What to say of a file that cannot be read."""
    from discreet.frames.atomic import explain

    if isinstance(error, MemoryError):
        return error
    if isinstance(error, OSError) and error.errno:
        return explain(error, name, "read")
    return InputError(f"cannot read {name}: the file is damaged or not Parquet")


def dataset(
    path: str | os.PathLike[str],
    *,
    memory: str | int | None = None,
    cluster: str | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Dataset:
    """A table larger than memory, for `microaggregate`, `generalize` and `verify`.

    Parameters
    ----------
    path : a folder of Parquet files, a pattern such as "big/2024-*.parquet", one Parquet file, or one file of delimited
        text, compressed or not.
    memory : how much memory work on it may take, such as "2GB", which is what it may unless this says otherwise; on a
        cluster, in each worker.
    cluster : where the work is done; threads of this process unless given.
    output : the folder (for one file, the file) that a release of it becomes. It appears when all is done and checked.
        Without it a release lies in a private folder of temporary files, which goes with the result.
    resume : go on with a run for this output that was stopped.
    delimiter, encoding : of delimited text, where they are not to be detected.
    """
    from discreet.frames.atomic import is_special
    from discreet.frames.formats import format_of

    text = os.fspath(path)
    folder, found = _find(text)
    given: dict[str, Any] = {
        "name": text,
        "folder": folder,
        "names": tuple(file.relative_to(folder).as_posix() for file in found),
        "memory": memory,
        "cluster": cluster,
        "output": None if output is None else Path(output),
        "resume": resume,
        "single": found == [Path(text)],
        "dialect": (delimiter, encoding),
    }
    faults = Faults()
    for file in found:
        faults.check(
            not is_special(file),
            f"{file} is a pipe or a device, and what is worked on in blocks is read several times: write it to a file",
        )
    faults.raise_if_any()
    if found == [Path(text)] and format_of(text).family == "text":
        return _text(found[0], given)
    faults.check(
        delimiter is None and encoding is None, "Parquet files have neither delimiter nor encoding: leave these out"
    )
    for file in found:
        faults.check(
            format_of(file).family == "parquet",
            f"{file} is neither Parquet nor delimited text, and other files are read in memory only: convert it, or "
            "leave out memory (--memory)",
        )
    faults.raise_if_any()
    heads = [_head(file, faults) for file in found]
    faults.raise_if_any()
    schema = heads[0][0]
    _check_same(found, [head[0] for head in heads], faults)
    for file, head in zip(found, heads):
        faults.check(sum(head[1]) > 0, f"{file} has column names but no rows: take it out")
    faults.raise_if_any()
    groups = tuple(head[1] for head in heads)
    row_bytes = max(sum(head[2] for head in heads) / sum(map(sum, groups)), _held(found[0]))
    return Dataset(schema=schema, groups=groups, row_bytes=row_bytes, **given)


def _text(file: Path, given: dict[str, Any]) -> Dataset:
    """One file of delimited text."""
    from discreet.frames.datasets.delimited import open_delimited
    from discreet.frames.formats import format_of

    kind = format_of(file)
    delimiter, encoding = given["dialect"]
    try:
        text = open_delimited(
            file, delimiter=delimiter, encoding=encoding, wanted=kind.delimiter, compressed=kind.compressed
        )
    except OSError as error:
        raise unreadable(error, str(file)) from None
    groups = (tuple(rows for _, _, rows in text.spans),)
    return Dataset(schema=text.schema, groups=groups, row_bytes=text.row_bytes, text=text, **given)


def _held(file: Path) -> float:
    """Bytes that a row takes in memory, by the first ones: in the file, repeated values may take next to none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as opened:
            batch = next(opened.iter_batches(batch_size=1000))
            return float(batch.nbytes / batch.num_rows)
    except (pa.ArrowException, OSError) as error:
        raise unreadable(error, str(file)) from None


def _stamp(path: Path, name: str) -> list[Any]:
    """Name, size, time of change, and a hash of the last bytes, where Parquet describes a file's content."""
    try:
        found = path.stat()
        with open(path, "rb") as handle:
            handle.seek(max(0, found.st_size - 65_536))
            return [name, found.st_size, found.st_mtime_ns, hashlib.sha256(handle.read()).hexdigest()]
    except OSError as error:
        raise unreadable(error, str(path)) from None


def _find(text: str) -> tuple[Path, list[Path]]:
    """The folder, and the files in it, by name; what begins with a dot or an underscore is not data."""
    try:
        whole = Path(text)
        if whole.is_dir():
            folder, found = whole, []
            for file in whole.rglob("*"):
                if file.suffix.lower() in PARQUET and file.is_file():
                    found.append(file)
            _check_flat(whole, found)
            _check_alone(whole)
        elif whole.exists() or not glob.has_magic(text):
            return whole.parent, [whole]
        else:
            found = [file for file in map(Path, glob.glob(text, recursive=True)) if file.is_file()]
            folder = Path(os.path.commonpath([file.parent for file in found])) if found else whole
    except InputError:
        raise
    except (OSError, ValueError):
        raise InputError("the name of a dataset cannot be that of a folder or of files") from None
    kept = sorted(
        file for file in found if not any(name.startswith((".", "_")) for name in file.relative_to(folder).parts)
    )
    if not kept:
        raise InputError(f"there are no Parquet files in {text}: a dataset is a folder of .parquet files, or one file")
    return folder, kept


def _check_flat(folder: Path, files: Sequence[Path]) -> None:
    """Files in folders within a folder are not taken for its own, nor left out without a word."""
    if any(file.parent != folder for file in files):
        raise InputError(
            f"there are Parquet files in folders within {folder}: name them all by {folder / '**/*.parquet'}"
        )


def _check_alone(folder: Path) -> None:
    """Data in other formats is not left out without a word."""
    from discreet.frames.formats import extension_of

    others = [
        file.name
        for file in folder.iterdir()
        if not file.name.startswith((".", "_")) and extension_of(file) not in ("", "parquet", "pq")
    ]
    if others:
        raise InputError(
            f"there are files of other formats in {folder}, which would be left out ({listing(sorted(others))}): take "
            f"them out, or name the Parquet files by {folder / '*.parquet'}"
        )


def _head(file: Path, faults: Faults) -> tuple[Any, tuple[int, ...], int]:
    """The schema of a file, the rows of its row groups, and its size in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if not file.stat().st_size:
            raise InputError(f"{file} is empty: take it out")
        with pq.ParquetFile(file) as opened:
            groups = [opened.metadata.row_group(g) for g in range(opened.num_row_groups)]
            size = sum(group.total_byte_size for group in groups)
            return opened.schema_arrow, tuple(group.num_rows for group in groups), size
    except InputError as error:
        faults.extend(error)
    except (pa.ArrowException, OSError) as error:
        shown = unreadable(error, str(file))
        if not isinstance(shown, InputError):
            raise
        faults.extend(shown)
    return None, (), 0


def _check_same(files: Sequence[Path], schemas: Sequence[Any], faults: Faults) -> None:
    """Note every column that differs from that of the first file."""
    first = schemas[0]
    repeated = (
        {name for name in first.names if first.names.count(name) > 1} if len(set(first.names)) < len(first) else set()
    )
    for name in sorted(repeated):
        faults.add(f"{files[0]} has several columns named {name!r}: rename them")
    for file, schema in zip(files[1:], schemas[1:]):
        if schema.names != first.names:
            missing = [name for name in first.names if name not in schema.names]
            more = [name for name in schema.names if name not in first.names]
            for name in missing:
                faults.add(f"{file} has no column {name!r}, which {files[0]} has")
            for name in more:
                faults.add(f"{file} has a column {name!r}, which {files[0]} has not")
            faults.check(bool(missing or more), f"{file} has its columns in another order than {files[0]}")
            continue
        for one, other in zip(first, schema):
            faults.check(
                one.type == other.type,
                f"column {one.name!r} is of type {other.type} in {file} and {one.type} in {files[0]}: convert one",
            )
