"""How the command speaks: errors, progress, notices. Everything but results goes to standard error.

Names of columns and files may hold anything: whatever does not print is written as an escape.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

from discreet.errors import DiscreetError, InputError, UnsafeReleaseError, visible

if TYPE_CHECKING:
    import typer

    from discreet.work import Progress, ProgressCallback

EXIT_UNSAFE = 1
EXIT_INPUT = 2
EXIT_CANCELLED = 130
_ENDING: ContextVar[ExitStack | None] = ContextVar("ending", default=None)
COMPILING = "compiling for this machine: this happens once and takes some seconds ..."


def say(text: str) -> None:
    """Lines for the person at the terminal. That nobody can be told is no reason to fail."""
    with suppress(OSError, ValueError):
        _write(sys.stderr, text)


def warn(text: str) -> None:
    """What is not protected, or not as one might think. `--quiet` does not silence it."""
    say(f"warning: {text}")


def tell(text: str) -> None:
    """Lines of a result, on standard output."""
    from discreet.frames.atomic import STANDARD, explain

    if sys.stdout is None:
        raise InputError("cannot write standard output: it is closed")
    try:
        _write(sys.stdout, text)
    except OSError as error:
        raise explain(error, STANDARD, "write") from None


def teller(json: str | os.PathLike[str] | None) -> Callable[[str], None]:
    """How to tell a result: not on standard output where figures in JSON go there, which could not be read then."""
    return say if json is not None and os.fspath(json) == "-" else tell


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # closed by whoever started the command
        return
    shown = "\n".join(map(visible, text.split("\n"))) + "\n"
    encoding = stream.encoding or "utf-8"
    stream.write(shown.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def run(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run the command line; one clear message for every error, a traceback only with `--debug`."""
    import typer

    from discreet.cli.first_use import compiled_ahead
    from discreet.frames.atomic import recorded

    debug = "--debug" in arguments
    words = [word for word in arguments if word != "--debug"]
    with recorded() as written, warnings.catch_warnings(), compiled_ahead(words, _tell_parts(words)), _ending():
        if not debug:
            warnings.simplefilter("ignore")  # a library's warning may quote data
        try:
            if any("\0" in word for word in words):
                raise InputError("a word of the command line contains a NUL character")
            code = _built(app)(words, prog_name="discreet", standalone_mode=False)
        except (KeyboardInterrupt, typer.Abort):
            code = EXIT_CANCELLED
        except SystemExit as error:  # what is left is that the reader of the help, or of a completion, has gone
            return EXIT_INPUT if error.code else 0
        except Exception as error:
            if debug:
                traceback.print_exc()
            return _explain(error, debug, written)
    if code == EXIT_CANCELLED:  # typer turns Ctrl-C into this code
        say(f"cancelled: {_standing(written)}")
    return code if isinstance(code, int) else 0


def at_end(close: Callable[[], None]) -> None:
    """Have something closed when the command ends, however it ends."""
    stack = _ENDING.get()
    if stack is not None:
        stack.callback(close)


@contextmanager
def _ending() -> Iterator[None]:
    with ExitStack() as stack:
        token = _ENDING.set(stack)
        try:
            yield
        finally:
            _ENDING.reset(token)


@cache
def _built(app: typer.Typer) -> Callable[..., Any]:
    """The command that stands behind the app; whoever runs several command lines in a process builds it once."""
    from typer.main import get_command

    return get_command(app)


def _standing(written: Sequence[str]) -> str:
    """What the command has left behind so far."""
    return f"already written: {', '.join(written)}" if written else "nothing was written"


def _explain(error: Exception, debug: bool, written: Sequence[str]) -> int:
    if hasattr(error, "exit_code") and hasattr(error, "format_message"):  # wrong words on the command line
        context = getattr(error, "ctx", None)
        if context is not None:
            say(context.get_usage())
            say(f"Try '{context.command_path} --help' for help.\n")
        say("Error: " + visible(error.format_message()))
        return EXIT_INPUT
    if isinstance(error, UnsafeReleaseError):
        say(f"unsafe: {error}\n{_standing(written)}")
        return EXIT_UNSAFE
    if isinstance(error, DiscreetError):
        say(f"error: {error}")
        return EXIT_INPUT
    if isinstance(error, MemoryError):
        say(f"error: not enough memory for this input; {_standing(written)}")
        return EXIT_INPUT
    if type(error).__module__ == "sqlalchemy.exc" and type(error).__name__ in ("OperationalError", "DatabaseError"):
        from discreet.release.history.database import reason

        say(f"error: the database fails: {reason(error)}; {_standing(written)}")  # type: ignore[arg-type]
        return EXIT_INPUT
    # The text of an unexpected exception may quote the data, so it is shown only on request.
    say(f"error: cannot go on, by a defect in discreet ({type(error).__name__}); {_standing(written)}")
    if not debug:
        say("Run again with --debug to see where it happened: that may quote data.")
    return EXIT_INPUT


@contextmanager
def progress(quiet: bool = False) -> Iterator[ProgressCallback | None]:
    """A callback that draws a progress bar on a terminal; says once when kernels are being compiled."""
    from discreet.cli.first_use import wait_for

    wait_for("method")
    with _compile_notice(quiet):
        if quiet or sys.stderr is None or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeElapsedColumn(),
        )
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("starting", total=None, figures="")

            def update(step: Progress) -> None:
                figures = "  ".join(f"{name} {value:.6g}" for name, value in step.figures)
                total = None if step.done is None else 1.0
                if step.left is not None:
                    figures = f"{figures}  {_span(step.left)} left".strip()
                bar.update(task, description=step.stage, completed=step.done or 0.0, total=total, figures=figures)

            yield update


def _span(seconds: float) -> str:
    """A time about as exactly as it can be known."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            return f"about {seconds / length:.0f} {unit}"
    return f"about {seconds:.0f} s"


@cache
def _say_compiling() -> None:
    """Once in a process: some kernels are compiled ahead, and others when they are met."""
    say(COMPILING)


def _tell_parts(words: Sequence[str]) -> Callable[[int, int], None]:
    """Says that kernels are being compiled, and on a terminal how far that is."""
    said: set[int] = set()
    quiet = bool({"-q", "--quiet"} & set(words))

    def tell_parts(done: int, parts: int) -> None:
        if quiet or done in said:
            return
        said.add(done)
        if done == 0:
            _say_compiling()
        elif sys.stderr is not None and sys.stderr.isatty():
            say(f"compiled {done} of {parts} parts")

    return tell_parts


@contextmanager
def _compile_notice(quiet: bool) -> Iterator[None]:
    """Say so, once, when numba compiles: the first run of a command takes some seconds longer."""
    from numba.core import event

    class Notice(event.Listener):  # type: ignore[misc]
        said = quiet

        def on_start(self, _: Any) -> None:
            if not Notice.said:
                Notice.said = True
                _say_compiling()

        def on_end(self, _: Any) -> None:
            pass

    with event.install_listener("numba:compile", Notice()):
        yield


def split_names(text: str | None) -> list[str] | None:
    """`a,b,"c,d"` as names; None where nothing was given."""
    if text is None:
        return None
    import csv

    try:
        names = [name.strip() for name in next(csv.reader([text], skipinitialspace=True, strict=True), [])]
    except csv.Error:
        names = []
    if not names or not all(names):
        raise InputError("a list of columns must be names separated by commas, such as age,sex,region")
    return names


def split_sets(given: list[str] | None) -> list[str] | list[list[str]] | None:
    """An option that takes names and may be repeated: the names, lists of them where it is repeated, or None."""
    sets = [split_names(text) or [] for text in given or []]
    return None if not sets else sets[0] if len(sets) == 1 else sets
