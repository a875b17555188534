"""Output files that appear whole, and together, or not at all.

A file is written under a temporary name in the folder of its target, private to its owner, flushed to the
disk and then renamed. Whatever goes wrong before the rename, an interrupt included, removes the temporary
file and leaves the target as it was; what goes wrong between the renames of several files takes the earlier
ones back. Without `force` the rename refuses to replace a file, even one that appeared meanwhile. Standard
output, devices and pipes cannot be renamed onto: what goes there is written to a private temporary file first
and copied when it is complete, before anything is renamed, as a copy cannot be taken back.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from discreet.errors import Faults, InputError

STANDARD = "-"
PREFIX = ".discreet-"

_written: ContextVar[list[str] | None] = ContextVar("written", default=None)


def is_standard(path: str | os.PathLike[str]) -> bool:
    """Whether `path` means standard input or output."""
    return os.fspath(path) == STANDARD


def is_special(path: Path) -> bool:
    """Whether `path` is a pipe or a device."""
    try:
        kind = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(kind) and not stat.S_ISDIR(kind)


def standard_input() -> bytes:
    """All of standard input, which whoever started the command may have closed."""
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed")
    return sys.stdin.buffer.read()


@contextlib.contextmanager
def recorded() -> Iterator[list[str]]:
    """The names of outputs as they become complete: whoever says that nothing was written must know."""
    names: list[str] = []
    token = _written.set(names)
    try:
        yield names
    finally:
        _written.reset(token)


def record(name: str) -> None:
    """Note an output that is, or may be, there from now on."""
    names = _written.get()
    temporary = any(part.startswith(PREFIX) for part in Path(name).parts)  # of something that is not finished
    if names is not None and name not in names and not temporary:
        names.append(name)


def check_output(path: str | os.PathLike[str], force: bool = False, *, data: bool = False) -> None:
    """Raise `InputError` if writing to `path` is bound to fail, so that a command can say so before long
    work.

    With `data`, also if `path` does not name a format that a table can be written in.
    """
    faults = Faults()
    if not is_standard(path):
        fault = _output_fault(Path(path), force)
        if fault:
            faults.add(fault)
    elif sys.stdout is None:
        faults.add("cannot write standard output: it is closed")
    if data:
        from discreet.frames.formats import writable_format

        try:
            writable_format(path)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()


@dataclass(frozen=True)
class _Output:
    """Where an output goes, where it is until then, and how: a copy to a stream or a rename, perhaps the last."""

    name: str | os.PathLike[str]
    target: Path | None
    temporary: Path
    mode: int | None
    stream: bool
    last: bool


class Batch:
    """Outputs that appear together: the files are written at `path`s, which are renamed when all is well."""

    def __init__(self, force: bool) -> None:
        self._force = force
        self._outputs: list[_Output] = []
        self._renamed: dict[Path, Path | None] = {}  # the target, and where its former content is kept

    def path(
        self, target: str | os.PathLike[str], *, mode: int | None = None, suffix: str = ".tmp", last: bool = False
    ) -> Path:
        """A new private file to be filled that becomes `target`; the one that is `last` does so after all others."""
        check_output(target, self._force)
        try:
            stream = is_standard(target) or is_special(Path(target))
            goal = None if is_standard(target) else Path(target)
            if goal is not None and not stream:  # the name of a pipe, such as /dev/fd/63, leads to no place
                goal = goal.resolve()
            final = None if goal is None or stream else _final_mode(goal, mode)
            folder = None if goal is None or stream else goal.parent
            with _undisturbed():
                descriptor, name = tempfile.mkstemp(prefix=PREFIX, suffix=suffix, dir=folder)
                os.close(descriptor)
                self._outputs.append(_Output(target, goal, Path(name), final, stream, last))
        except OSError as error:
            raise explain(error, target, "write") from error
        return self._outputs[-1].temporary

    def text(self, target: str | os.PathLike[str], text: str, *, mode: int | None = None) -> None:
        """Add `text` as UTF-8."""
        path = self.path(target, mode=mode)
        try:
            path.write_bytes(text.encode("utf-8"))
        except OSError as error:
            raise explain(error, target, "write") from error

    def finish(self) -> None:
        """Let everything appear: streams first, as they cannot be taken back, and the last file last."""
        streams = [output for output in self._outputs if output.stream]
        files = sorted((output for output in self._outputs if not output.stream), key=lambda output: output.last)
        name: str | os.PathLike[str] = STANDARD
        try:
            for output in files:
                name = output.name
                assert output.mode is not None
                os.chmod(output.temporary, output.mode)
                _sync(output.temporary)
            for output in streams:
                name = output.name
                _copy(output)
            with _undisturbed():
                for output in files:
                    name = output.name
                    self._rename(output, alone=len(files) == 1)
                for output in files:
                    record(os.fspath(output.name))
                former = [old for old in self._renamed.values() if old is not None]
                self._renamed.clear()
                for old in former:
                    _remove(old)
        except OSError as error:
            raise explain(error, name, "write") from error
        for folder in {output.target.parent for output in files if output.target is not None}:
            with contextlib.suppress(OSError):  # the files are there, whatever the folder allows
                _sync(folder)

    def discard(self) -> None:
        """Take back what has appeared of an unfinished batch, and remove what is temporary."""
        with _undisturbed():
            for target, old in self._renamed.items():
                try:
                    if old is None:
                        target.unlink()
                    else:
                        os.replace(old, target)
                except OSError:
                    record(str(target))
            self._renamed.clear()
            for output in self._outputs:
                _remove(output.temporary)

    def _rename(self, output: _Output, alone: bool) -> None:
        """Move a file to its target; where there are others, keep what it takes to undo that."""
        target, old = output.target, None
        assert target is not None
        if not alone and self._force and target.exists():
            old = target.with_name(f"{PREFIX}{secrets.token_hex(8)}.old")
            try:
                os.link(target, old)
            except OSError:  # a file system without links
                shutil.copy2(target, old)
        try:
            _move(output.temporary, target, self._force)
        except BaseException:
            if old is not None:
                _remove(old)
            raise
        self._renamed[target] = old


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _copy(output: _Output) -> None:
    """Copy a complete file to a stream. What arrived there cannot be taken back, so it is on record."""
    with open(output.temporary, "rb") as source:
        if output.target is not None:
            with open(output.target, "wb") as device:
                _pour(source, device, os.fspath(output.name))
            return
        sys.stdout.flush()
        _pour(source, sys.stdout.buffer, "standard output")


def _pour(source: BinaryIO, sink: BinaryIO, name: str) -> None:
    while block := source.read(1 << 20):
        record(name)
        sink.write(block)
    sink.flush()


@contextlib.contextmanager
def together(force: bool = False) -> Iterator[Batch]:
    """Outputs that appear together when the block ends without an error, and else not at all."""
    batch = Batch(force)
    try:
        yield batch
        batch.finish()
    finally:
        batch.discard()


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str], force: bool = False, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """A binary handle whose content becomes the file `path` when the block ends without an error.

    `mode` sets the permissions, such as 0o600 for secrets; by default the file keeps those of the one it
    replaces, else gets what the umask leaves. `-` is standard output.
    """
    with staged(path, force, mode=mode) as temporary, open(temporary, "wb") as handle:
        yield handle
        handle.flush()


@contextlib.contextmanager
def staged(path: str | os.PathLike[str], force: bool = False, *, mode: int | None = None) -> Iterator[Path]:
    """Like `atomic`, for writers that want a path: yields the temporary one."""
    with together(force) as batch:
        temporary = batch.path(path, mode=mode)
        try:
            yield temporary
        except OSError as error:
            raise explain(error, path, "write") from error


def write_text(path: str | os.PathLike[str], text: str, force: bool = False, *, mode: int | None = None) -> None:
    """Write `text` as UTF-8, whole or not at all."""
    with together(force) as batch:
        batch.text(path, text, mode=mode)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C and a request to end come through only when the block has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not None:
                before[number] = signal.signal(number, lambda given, _: came.append(given))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for given in came:
            signal.raise_signal(given)


def explain(error: OSError, path: str | os.PathLike[str], verb: str) -> InputError:
    """What an operating system's complaint about `path` means for the user."""
    name = ("standard input" if verb == "read" else "standard output") if is_standard(path) else os.fspath(path)
    known = {
        errno.ENOSPC: "the disk is full: free some space or write elsewhere",
        errno.EDQUOT: "the disk quota is used up: free some space or write elsewhere",
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.EROFS: "the file system is read-only",
        errno.ENOENT: "it does not exist",
        errno.ENOTDIR: "a part of the path is not a folder",
        errno.EISDIR: "it is a folder, and a file is wanted",
        errno.ENAMETOOLONG: "the name is too long",
        errno.EPIPE: "its reader has gone",
        errno.EFBIG: "the file would be larger than is allowed here",
    }
    reason = known.get(error.errno or 0) or error.strerror or type(error).__name__
    return InputError(f"cannot {verb} {name}: {reason}")


def _output_fault(path: Path, force: bool) -> str | None:
    try:
        if path.is_dir():
            return f"cannot write {path}: it is a folder, and a file is wanted"
        if is_special(path):
            return None
        if os.path.lexists(path) and not force:
            return f"{path} exists already: choose another name, or allow replacing it with force (--force)"
        parent = path.resolve().parent
        if not parent.is_dir():
            return f"cannot write {path}: the folder {path.parent} does not exist; create it first"
        if not os.access(parent, os.W_OK | os.X_OK):
            return f"cannot write {path}: permission denied in the folder {path.parent}"
    except OSError as error:
        return explain(error, path, "write").faults[0]
    except ValueError:
        return f"cannot write {path}: this cannot be the name of a file"
    return None


def _final_mode(target: Path, mode: int | None) -> int:
    if mode is not None:
        return mode
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    # The umask can only be read by setting it; for that moment other threads' files are private, never
    # public.
    umask = os.umask(0o077)
    os.umask(umask)
    return 0o666 & ~umask


def _move(temporary: Path, target: Path, force: bool) -> None:
    if force:
        os.replace(temporary, target)
        return
    try:
        os.link(temporary, target)  # unlike a rename, a link never replaces
    except FileExistsError:
        raise InputError(
            f"{target} appeared while the result was computed: choose another name, or allow replacing it "
            "with force (--force)"
        ) from None
    except OSError:  # a file system without links
        fault = _output_fault(target, force)
        if fault:
            raise InputError(fault) from None
        os.replace(temporary, target)
        return
    temporary.unlink()


def _sync(path: Path) -> None:
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    except OSError:
        if not path.is_dir():  # some network file systems cannot sync a folder; the file itself is safe
            raise
    finally:
        os.close(descriptor)
