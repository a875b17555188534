"""How the command speaks: errors, progress, notices. Everything but results goes to standard error."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from discreet.errors import DiscreetError, InputError, UnsafeReleaseError

if TYPE_CHECKING:
    import typer

    from discreet.work import Progress, ProgressCallback

EXIT_UNSAFE = 1
EXIT_INPUT = 2
EXIT_BUG = 70
EXIT_CANCELLED = 130


def say(text: str) -> None:
    """A line for the person at the terminal."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def run(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run the command line; one clear message for every error, a traceback only with `--debug`."""
    import typer

    debug = "--debug" in arguments
    words = [word for word in arguments if word != "--debug"]
    try:
        code = app(words, prog_name="discreet", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = EXIT_CANCELLED
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "show"):  # wrong words on the command line
            error.show()
            return EXIT_INPUT
        if debug:
            traceback.print_exc()
        return _explain(error, debug)
    if code == EXIT_CANCELLED:  # typer turns Ctrl-C into this code
        say("cancelled: nothing was written")
    return code if isinstance(code, int) else 0


def _explain(error: Exception, debug: bool) -> int:
    if isinstance(error, UnsafeReleaseError):
        say(f"unsafe: {error}")
        return EXIT_UNSAFE
    if isinstance(error, DiscreetError):
        say(f"error: {error}")
        return EXIT_INPUT
    if isinstance(error, MemoryError):
        say("error: not enough memory for this input; nothing was written")
        return EXIT_INPUT
    # The text of an unexpected exception may quote the data, so it is shown only on request.
    say(f"error: unexpected {type(error).__name__}; nothing was written.")
    if not debug:
        say("This is a defect in discreet: run again with --debug to see where it happened.")
    return EXIT_BUG


@contextmanager
def progress(quiet: bool = False) -> Iterator[ProgressCallback | None]:
    """A callback that draws a progress bar on a terminal; says once when kernels are being compiled."""
    with _compile_notice(quiet):
        if quiet or not sys.stderr.isatty():
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
                bar.update(task, description=step.stage, completed=step.done or 0.0, total=total, figures=figures)

            yield update


@contextmanager
def _compile_notice(quiet: bool) -> Iterator[None]:
    """Say so, once, when numba compiles: the first run of a command takes some seconds longer."""
    from numba.core import event

    class Notice(event.Listener):  # type: ignore[misc]
        said = quiet

        def on_start(self, _: Any) -> None:
            if not Notice.said:
                Notice.said = True
                say("compiling for this machine: this happens once and takes some seconds ...")

        def on_end(self, _: Any) -> None:
            pass

    with event.install_listener("numba:compile", Notice()):
        yield


def split_names(text: str | None) -> list[str] | None:
    """`a,b,"c,d"` as names; None where nothing was given."""
    if text is None:
        return None
    import csv

    names = [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
    if not names or not all(names):
        raise InputError("a list of columns must be names separated by commas, such as age,sex,region")
    return names
