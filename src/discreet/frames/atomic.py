"""Output files that appear whole or not at all.

A file is written under a temporary name in the folder of its target, private to its owner, flushed to the
disk and then renamed. Whatever goes wrong before the rename, an interrupt included, removes the temporary
file and leaves the target as it was. Without `force` the rename refuses to replace a file, even one that
appeared meanwhile. Devices and pipes (`/dev/stdout`, `/dev/null`) cannot be renamed onto: they are written to
directly.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from discreet.errors import Faults, InputError

STANDARD = "-"


def is_standard(path: str | os.PathLike[str]) -> bool:
    """Whether `path` means standard input or output."""
    return os.fspath(path) == STANDARD


def is_special(path: Path) -> bool:
    """Whether `path` is a pipe or a device."""
    try:
        kind = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(kind) and not stat.S_ISDIR(kind)


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
    if data:
        from discreet.frames.formats import writable_format

        try:
            writable_format(path)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str], force: bool = False, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """A binary handle whose content becomes the file `path` when the block ends without an error.

    `mode` sets the permissions, such as 0o600 for secrets; by default the file keeps those of the one it
    replaces, else gets what the umask leaves. `-` is standard output.
    """
    if is_standard(path):
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except OSError as error:
            raise explain(error, path, "write") from error
        return
    with staged(path, force, mode=mode) as temporary, open(temporary, "wb") as handle:
        yield handle
        handle.flush()


@contextlib.contextmanager
def staged(path: str | os.PathLike[str], force: bool = False, *, mode: int | None = None) -> Iterator[Path]:
    """Like `atomic`, for writers that want a path: yields the temporary one."""
    check_output(path, force)
    try:
        target = Path(path).resolve()
        if is_special(target):
            yield target
            return
        final_mode = _final_mode(target, mode)
        descriptor, name = tempfile.mkstemp(prefix=".discreet-", suffix=".tmp", dir=target.parent)
        os.close(descriptor)
        temporary = Path(name)
        try:
            yield temporary
            os.chmod(temporary, final_mode)
            _sync(temporary)
            _move(temporary, target, force)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync(target.parent)
    except OSError as error:
        raise explain(error, path, "write") from error


def write_text(path: str | os.PathLike[str], text: str, force: bool = False, *, mode: int | None = None) -> None:
    """Write `text` as UTF-8, whole or not at all."""
    with atomic(path, force, mode=mode) as handle:
        handle.write(text.encode("utf-8"))


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
