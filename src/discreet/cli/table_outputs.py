"""How files about tables leave: written aside, read back and proved by the check of cells, only then moved in place.

What is judged are the bytes that are published, and the table as the checker itself reads it. Bounds whose sides it
cannot settle in time are not called sharp in the file; how many were proved, of how many, is part of the figures.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from discreet.errors import UnsafeReleaseError
from discreet.instruments.synthetic import Synthetic
from discreet.instruments.table_bounds import Bounds, Sharpness
from discreet.results import Verdict

CHECKING = 60.0
# Of so few tables the original is found by striking out the one that was published, where it never is the original.
FEW = 10


@dataclass(frozen=True)
class TableFile:
    """Where the table comes from, for the checker to read it by itself."""

    path: str
    count: str = "count"
    variables: tuple[str, ...] | None = None
    delimiter: str | None = None
    encoding: str | None = None

    def options(self) -> dict[str, Any]:
        own = {"count": self.count, "variables": self.variables}
        return {**own, "delimiter": self.delimiter, "encoding": self.encoding}


@contextlib.contextmanager
def kept(path: str) -> Iterator[str]:
    """The path itself; for a stream, that of a private copy, since it is read more than once."""
    from discreet.cli.inputs import Source, extension

    data = Source.take(path).data
    if data is None:
        yield path
        return
    with TemporaryDirectory(prefix="discreet-") as folder:
        copy = Path(folder, f"input.{extension(path)}")
        copy.write_bytes(data)
        yield str(copy)


@contextlib.contextmanager
def _aside(output: str | None) -> Iterator[Path]:
    """A path of the output's name in a private folder, beside it where that can be."""
    from discreet.frames.atomic import is_special, is_standard

    beside = None
    if output is not None and not is_standard(output) and not is_special(Path(output)):
        beside = Path(output).resolve().parent
    name = "output.csv" if beside is None else Path(str(output)).name
    with TemporaryDirectory(prefix=".discreet-", dir=beside) as folder:
        yield Path(folder, name)


def _appear(checked: Path, output: str | None, texts: Mapping[Path, str], force: bool) -> None:
    """All files or none, the checked one last."""
    from discreet.frames.atomic import together

    with together(force) as batch:
        for name, text in texts.items():
            batch.text(name, text)
        if output is not None:
            shutil.copyfile(checked, batch.path(output, last=True))


def check_and_write_bounds(
    result: Bounds,
    output: str | None,
    table: TableFile,
    *,
    time_limit: float | None = None,
    texts: Callable[[Bounds, Verdict], Mapping[Path, str]] | None = None,
    force: bool = False,
) -> tuple[Bounds, Verdict]:
    """The result as far as the check confirms it, and the verdict; written to `output`, where one is given.

    `texts` are further files, made from the two; all files are written or none.
    """
    from discreet.cli.first_use import wait_for
    from discreet.frames import write
    from discreet.verify.cells.files import check_bounds

    wait_for("check")
    seconds = CHECKING if time_limit is None else max(10.0, time_limit)
    releases = result.margins.releases
    witness = None if result.solution is None else _witness(result)
    with _aside(output) as path:
        write(result.publication().data, path)
        check = check_bounds(str(path), table.path, releases, witness=witness, time_limit=seconds, **table.options())
        verdict = check.verdict()
        if verdict.outcome == "unsafe":
            raise UnsafeReleaseError(
                "the independent check does not confirm these bounds, so nothing was written.\n" + verdict.summary()
            )
        result = replace(result, proofs={key: int(verdict.figures[key]) for key in ("sides", "proved", "undecided")})
        if verdict.figures["undecided"]:
            # The cells in doubt, in the order of the checker, are found again by the file itself.
            result = _not_sharp(result, check.undecided, check.levels)
            path.unlink()
            write(result.publication().data, path)
            again = check_bounds(str(path), table.path, releases, time_limit=0.0, **table.options())
            same = np.array_equal(again.low, check.low) and np.array_equal(again.high, check.high)
            doubt = check.undecided[1] | check.undecided[-1]
            if not same or not np.array_equal(again.sharp[1], check.sharp[1] & ~doubt):
                raise UnsafeReleaseError("the file that was written is not what was checked, so it was removed")
        _appear(path, output, {} if texts is None else texts(result, verdict), force)
    return result, verdict


def _witness(result: Bounds) -> Callable[[list[list[str]], Sequence[int], int], Any]:
    """Witnesses for the checker, whose categories are text in an order of its own."""
    assert result.solution is not None
    solution, shown = result.solution, [_texts(levels) for levels in result.margins.categories]

    def found(levels: list[list[str]], place: Sequence[int], side: int) -> Any:
        order = [[own.index(level) for level in level_list] for own, level_list in zip(shown, levels)]
        cell = [own[i] for own, i in zip(order, place)]
        return solution.witness(cell, side)[np.ix_(*order)]

    return found


def _texts(levels: Sequence[Any]) -> list[str]:
    return [str(level) for level in levels]


def _not_sharp(result: Bounds, undecided: Mapping[int, Any], levels: list[list[str]]) -> Bounds:
    """The result without the claim that sides are sharp which the check could not settle."""
    own = [_texts(some) for some in result.margins.categories]
    order = [[theirs.index(level) for level in mine] for mine, theirs in zip(own, levels)]
    doubt = {side: flags.reshape([len(some) for some in levels])[np.ix_(*order)] for side, flags in undecided.items()}
    count = int(undecided[1].sum() + undecided[-1].sum())
    reason = f"{count} sides could not be proved again in time: they are not called sharp"
    lower_sharp, upper_sharp = result.lower_sharp & ~doubt[-1], result.upper_sharp & ~doubt[1]
    status: Sharpness = "open" if result.status == "sharp" and count else result.status
    return replace(
        result, lower_sharp=lower_sharp, upper_sharp=upper_sharp, status=status, reasons=(*result.reasons, reason)
    )


def check_and_write_synthetic(
    drawn: Synthetic,
    output: str,
    table: TableFile,
    releases: Sequence[Sequence[str]],
    *,
    original: str,
    texts: Callable[[Verdict, Path], Mapping[Path, str]] | None = None,
    force: bool = False,
) -> Verdict:
    """Write a synthetic table that has the margins; with `original` "refuse", not where it is the original itself.

    That a table was not published since it is the original tells something: of N tables with the margins the reader
    can strike out the one that is published. So of few none is published, whatever was drawn; that depends on the
    margins alone.
    """
    from discreet.frames import write
    from discreet.verify.cells.files import verify_table

    if original == "refuse" and drawn.tables is not None and drawn.tables < FEW:
        raise UnsafeReleaseError(
            f"only {drawn.tables} tables have these margins, the original among them: nothing was written. Release "
            "less, or write one of them all the same with --pinned say"
        )
    with _aside(output) as path:
        write(drawn.to_frame(), path)
        verdict = verify_table(str(path), table.path, releases, **table.options())
        if not verdict.safe:
            raise UnsafeReleaseError(
                "the independent check does not confirm this table, so nothing was written.\n" + verdict.summary()
            )
        if verdict.figures["original"] and original == "refuse":
            among = f"one of {drawn.tables} tables" if drawn.tables else "one of the tables"
            raise UnsafeReleaseError(
                f"the table that was drawn, {among} with these margins, is the original itself: nothing was written. "
                "Draw again with another seed, and keep the seeds to yourself"
            )
        _appear(path, output, {} if texts is None else texts(verdict, path), force)
    return verdict
