"""Writing a dataset: a file for each that was read, with its types, its metadata and its compression."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError
from discreet.frames.datasets.dataset import PARQUET

if TYPE_CHECKING:
    from discreet.frames.datasets.dataset import Dataset


class Copy:
    """A Parquet file that is written piece by piece in the manner of another."""

    def __init__(self, path: Path, like: str) -> None:
        self._path = path
        self._like = like
        self._writer: Any = None

    def write(self, table: Any) -> None:
        """Add a piece. All have the columns and types of the first; each is a row group."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        from discreet.frames.files import publishable

        table = publishable(table)
        if self._writer is None:
            with pq.ParquetFile(self._like) as file:
                codec = file.metadata.row_group(0).column(0).compression
            self._writer = pq.ParquetWriter(
                self._path, table.schema, compression="NONE" if codec == "UNCOMPRESSED" else codec
            )
        self._writer.write_table(pa.table(table.columns, schema=self._writer.schema))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


@contextmanager
def copy_of(path: Path, like: str) -> Iterator[Copy]:
    """A file to be written in the manner of another; it is flushed to the disk at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    copy = Copy(path, like)
    try:
        yield copy
    finally:
        copy.close()
    flush(path)


def flush(path: Path) -> None:
    """See to it that a file is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_target(target: Path, source: Dataset, *, force: bool, single: bool) -> None:
    """Raise `InputError` where a dataset could not be written, before long work: a file for a file, else a folder."""
    from discreet.frames.atomic import check_output, is_special

    if is_special(target):
        raise InputError(
            f"the output {target} is a pipe or a device: a release that is made in blocks is a file or folder"
        )
    place, inside = target.resolve(), [path.resolve() for path in source.paths]
    if place in inside or any(place in path.parents for path in inside):
        raise InputError(f"the output {target} is the input {source.name}, or holds it: choose another name")
    if not source.single and source.folder.resolve() in place.parents:
        raise InputError(f"the output {target} is within the input {source.name}: choose another place")
    if target.is_symlink() and not single:
        raise InputError(f"the output {target} is a link: name the place that it leads to, or another")
    if target.is_dir() and not single:
        if not force:
            raise InputError(
                f"{target} exists already: choose another name, or allow replacing it with force (--force)"
            )
        _check_replaceable(target)
        return
    check_output(target, force, data=single)
    if any("=" in part for name in source.names for part in Path(name).parts[:-1]):
        raise InputError(
            f"files of {source.name} lie in folders that are named by values, which the output would show and nobody "
            "checks: put them into one folder"
        )
    if single:
        _check_format(target, source)
    if not single and target.exists():
        raise InputError(f"cannot write {target}: it is a file, and the output of a dataset is a folder")


def _check_format(target: Path, source: Dataset) -> None:
    """A file that is written as a stream has the format of the one that it comes from."""
    from discreet.frames.formats import format_of

    found = format_of(target)
    if source.text is None:
        fits = found.family == "parquet"
    else:
        fits = found.family == "text" and found.delimiter in (None, source.text.delimiter)
    if not fits:
        raise InputError(
            f"the output {target} must be in the format of the input {source.name}, as both are streams: name it so"
        )


def _check_replaceable(folder: Path) -> None:
    """A folder goes as a whole where a release replaces it: what is no earlier release is not lost by that."""
    others = (one for one in folder.rglob("*") if one.is_symlink() or not one.is_dir())
    if any(one.is_symlink() or one.suffix.lower() not in PARQUET for one in others):
        raise InputError(
            f"{folder} holds more than Parquet files, which would be lost where it is replaced: choose another name, "
            "or take them out"
        )


@contextmanager
def copied(made: Path, target: Path) -> Iterator[Path]:
    """A copy of a private folder beside `target`, which may be on another disk; what is left of it goes at the end."""
    from discreet.frames.atomic import PREFIX, explain

    copy = target.with_name(f"{PREFIX}{os.urandom(8).hex()}.new")
    try:
        try:
            copy.mkdir(mode=0o700)
            for file in sorted(made.iterdir()):
                shutil.copy2(file, copy)
                flush(copy / file.name)
        except OSError as error:
            raise explain(error, target, "write") from None
        yield copy
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def check_free(target: Path, *, force: bool) -> None:
    """Raise `InputError` where something that is not to be replaced has appeared under a name since it was free."""
    if os.path.lexists(target):
        if not force:
            raise InputError(
                f"{target} appeared while the result was computed: choose another name, or allow replacing it with "
                "force (--force)"
            )
        if target.is_dir():
            _check_replaceable(target)


def place(made: Path, target: Path, *, force: bool) -> None:
    """Let a folder or file that is complete appear as `target`; what is there goes only with `force`, and last."""
    with placed(made, target, force=force):
        pass


@contextmanager
def placed(made: Path, target: Path, *, force: bool) -> Iterator[None]:
    """The same, taken back if the block ends with an error: what was there is there again."""
    from discreet.frames.atomic import PREFIX, explain, record

    old = None
    try:
        check_free(target, force=force)
        if os.path.lexists(target):
            old = target.with_name(f"{PREFIX}{os.urandom(8).hex()}.old")
            os.rename(target, old)
        try:
            os.rename(made, target)
        except OSError:
            if old is not None:
                os.rename(old, target)
            raise
    except OSError as error:
        raise explain(error, target, "write") from None
    try:
        yield
    except BaseException:
        os.rename(target, made)
        if old is not None:
            os.rename(old, target)
        raise
    record(str(target))
    if old is not None:
        shutil.rmtree(old) if old.is_dir() else old.unlink()
