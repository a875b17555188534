"""A run in stages whose finished tasks are kept: what was killed goes on where it stood.

Everything that is not finished lies in one private folder beside the output, so that what is finished appears there by
a rename. The folder's name says nothing, and follows from that of the output, so that a later run finds it. A task
writes down what it returned when it has ended; a run that goes on (`resume`) does the others. It refuses to where the
input, the options or the version are not those of the run that it continues.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from discreet.errors import InputError, UnsafeReleaseError
from discreet.scale.engines import Engine, Task
from discreet.scale.spill import complete
from discreet.work import Progress, ProgressCallback

PREFIX = ".discreet-"
FULL = {
    errno.ENOSPC: "the disk is full: free some space or write elsewhere",
    errno.EDQUOT: "the disk quota is used up: free some space or write elsewhere",
    errno.EFBIG: "a file would be larger than is allowed here",
}


class Run:
    """A work folder, an engine, and how far the work is; `weights` are the shares of the stages in it."""

    def __init__(
        self, folder: Path, engine: Engine, weights: dict[str, float], progress: ProgressCallback | None
    ) -> None:
        self.folder = folder
        self._engine = engine
        self._weights = weights
        self._progress = progress
        self._before = 0.0
        self._skipped = 0.0
        self._start = time.monotonic()

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def stage(
        self, name: str, function: Callable[..., dict[str, Any]], arguments: Sequence[tuple[Any, ...]]
    ) -> list[dict[str, Any]]:
        """What the function returns for each of the arguments, in their order; what is finished is not done again."""
        names = [f"{name}-{i:05d}" for i in range(len(arguments))]
        found = [_returned(self.folder, one) for one in names]
        missing = [i for i, one in enumerate(found) if one is None]
        share = self._weights[name]
        ended = len(names) - len(missing)
        self._skipped += share * ended / max(1, len(names))
        self._report(name, share * ended / max(1, len(names)))

        def done(_: int) -> None:
            nonlocal ended
            ended += 1
            self._report(name, share * ended / len(names))

        tasks = [Task(names[i], perform, (str(self.folder), names[i], function, arguments[i])) for i in missing]
        for i, returned in zip(missing, self._engine.run(tasks, done)):
            found[i] = returned
        self._before += share
        return [one for one in found if one is not None]

    def _report(self, stage: str, within: float) -> None:
        if self._progress is None:
            return
        whole = sum(self._weights.values())
        done, skipped = (self._before + within) / whole, self._skipped / whole
        elapsed = time.monotonic() - self._start
        # What an earlier run has done took this one no time.
        left = elapsed * (1.0 - done) / (done - skipped) if done > skipped + 0.01 else None
        self._progress(Progress(stage, done, left=left))

    def forget(self, pattern: str) -> None:
        """Remove files that no later stage reads."""
        for path in self.folder.glob(pattern):
            path.unlink()


def perform(
    folder: str, name: str, function: Callable[..., dict[str, Any]], arguments: tuple[Any, ...]
) -> dict[str, Any]:
    """Do a task and write down what it returned; on a worker."""
    found = _returned(Path(folder), name)
    if found is not None:
        return found
    try:
        returned = function(*arguments)
        with complete(Path(folder) / f"{name}.json") as temporary:
            temporary.write_text(json.dumps(returned), encoding="utf-8")
    except OSError as error:
        raise _unwritable(error, folder) from None
    return returned


def _returned(folder: Path, name: str) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return found


def _unwritable(error: OSError, folder: str) -> InputError:
    reason = FULL.get(error.errno or 0) or error.strerror or type(error).__name__
    return InputError(f"cannot work in {Path(folder).parent}: {reason}")


def fingerprint(stamps: Sequence[Any], options: Sequence[Any], seed: int | None, memory: int) -> dict[str, Any]:
    """What a run depends on, as JSON keeps it: a stopped one is continued only where nothing of it has changed."""
    from discreet._version import __version__

    found = {
        "the input": stamps,
        "the options": options,
        "the seed": seed,
        "the memory": memory,
        "the version": __version__,
    }
    plain: dict[str, Any] = json.loads(json.dumps(found, default=repr))
    return plain


def work_folder(output: str | os.PathLike[str]) -> Path:
    """Where a run that writes `output` works: beside it, under a name that tells nothing."""
    goal = Path(output).resolve()
    return goal.parent / f"{PREFIX}{hashlib.sha256(os.fsencode(goal)).hexdigest()[:16]}"


@contextmanager
def opened(output: str | os.PathLike[str], fingerprint: dict[str, Any], *, resume: bool) -> Iterator[Path]:
    """The work folder of a run, new or, with `resume`, the one that an unfinished run has left.

    It goes when the run has ended, and when the input is at fault; a run that was stopped leaves it for the next.
    """
    folder = work_folder(output)
    with suppress(FileNotFoundError):
        _claim(folder, fingerprint, resume)
    if not folder.exists():
        if resume:
            raise InputError(
                f"there is nothing to resume: no run for {output} was stopped. Leave resume (--resume) out"
            )
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise _unwritable(error, str(folder)) from None
    ours = False
    try:
        with locked(folder):
            ours = True
            try:
                with complete(folder / "run.json") as temporary:
                    temporary.write_text(json.dumps(fingerprint), encoding="utf-8")
                yield folder
            except OSError as error:
                if error.errno not in FULL:
                    raise
                raise _unwritable(error, str(folder)) from None
        shutil.rmtree(folder, ignore_errors=True)
    except (InputError, UnsafeReleaseError):
        if ours:  # a run that began at the same moment is at work in it otherwise
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _claim(folder: Path, fingerprint: dict[str, Any], resume: bool) -> None:
    """Raise `InputError` unless what an earlier run has left is to be, and can be, continued."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and _is_open(found)):
        raise InputError(
            f"{folder} is where this run would work, and it is a link, or others can write or read it: remove it"
        )
    with locked(folder):
        if not resume:
            raise InputError(
                f"an earlier run for this output was stopped, and its work is in {folder}: go on with it "
                "(resume=True, --resume), or remove that folder"
            )
        try:
            before = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            before = None
        if before is None:  # stopped before anything was done
            return
        changed = [name for name in fingerprint if before.get(name) != fingerprint[name]]
        if changed:
            raise InputError(
                f"the stopped run cannot be continued, as this differs from it: {', '.join(changed)}. Run it as it "
                f"was, or remove {folder} and start anew"
            )


def _is_open(found: os.stat_result) -> bool:
    """Whether a folder is another's, or open to others: records would lie in it."""
    return found.st_uid != os.getuid() or bool(found.st_mode & 0o077)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """For one process at a time; the system lets go of it when that ends, however it does."""
    try:
        import fcntl
    except ImportError:  # Windows: nobody else is kept out
        yield
        return
    with open(folder / "lock", "w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"another run for this output is at work in {folder}: wait for it to end") from None
        yield
