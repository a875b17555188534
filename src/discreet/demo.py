"""The guided run behind `discreet demo`: three instruments on data that ships with discreet, each with its check."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from discreet.cli.console import progress, say
from discreet.errors import InputError, UnsafeReleaseError
from discreet.results import Result

K = 3
NUMBERS = ("age", "hours", "income", "household_income", "spending", "savings")
LEFT = ("region", "dwelling", "sex", "education", "illness")
QUASI_IDENTIFIERS = ("age", "sex", "region", "education", "employment")
RELEASED = (("B", "F"), ("A", "B", "C", "E"), ("A", "D", "E"))
SECONDS = 60.0


def run(folder: Path, *, n: int = 600, force: bool = False) -> Path:
    """Protect a survey in two ways, bound a table, check the files, and leave a report; returns the report's path."""
    from discreet.cli.outputs import check_outputs
    from discreet.datasets import survey
    from discreet.frames import read, write
    from discreet.instruments.protect.manifest import command
    from discreet.report import write_reports
    from discreet.report.record import Record, digest

    drawn = survey(n, seed=1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from None
    names = ("survey", "microaggregated", "generalized", "bounds")
    files = {name: folder / f"{name}.csv" for name in names}
    report, shared = folder / "report.html", folder / "public.html"
    check_outputs([*files.values(), report, shared], force=force)

    say(f"A synthetic survey of {n} persons: {files['survey']}\n")
    write(drawn, files["survey"], force=force)
    document = read(files["survey"], columns=[*NUMBERS, *LEFT])
    with ExitStack() as stack:
        callback = stack.enter_context(progress())
        results = [
            _microaggregate(document, files, callback, force),
            _generalize(document, files, callback, force),
            _bound(files["bounds"], callback, force),
        ]
        sources = [digest("original", files["survey"])]
        written = [digest("published", files[name]) for name in names[1:]]
        record = Record([*sources, *written], command(files["microaggregated"], files["survey"]))
        write_reports(results, report, heading="A guided run of discreet", record=record, force=force)
        told = {"original": files["survey"], "published": files["microaggregated"]}
        results[0].report(shared, audience="public", **told, force=force)
    say(f"Report: {report.resolve()}\nWhat may be passed on about the first release: {shared.resolve()}")
    return report


def _microaggregate(document: Any, files: dict[str, Path], callback: Any, force: bool) -> Result:
    from discreet.instruments.microaggregate import microaggregate

    say(f"1. Microaggregation: {len(NUMBERS)} numeric columns become means of groups of at least {K}.")
    result = microaggregate(
        document.frame, K, columns=NUMBERS, certify=True, time_limit=SECONDS, random_state=1, progress=callback
    )
    return _published(result, document, files["survey"], files["microaggregated"], NUMBERS, force)


def _generalize(document: Any, files: dict[str, Path], callback: Any, force: bool) -> Result:
    from discreet.frames import read
    from discreet.instruments.generalize import generalize

    say(f"2. Generalization: {len(QUASI_IDENTIFIERS)} columns are widened until each person has {K} likely matches.")
    told = read(files["survey"], columns=[*QUASI_IDENTIFIERS, "illness"])
    result = generalize(told.frame, K, quasi_identifiers=QUASI_IDENTIFIERS, random_state=1, progress=callback)
    return _published(result, told, files["survey"], files["generalized"], QUASI_IDENTIFIERS, force)


def _published(
    result: Any, document: Any, original: Path, published: Path, columns: tuple[str, ...], force: bool
) -> Result:
    """Write a release and put the question to the independent check once more, from the two files alone."""
    from discreet.cli.inputs import Source
    from discreet.cli.outputs import publish
    from discreet.verify import File, verify

    publish(result, published, source=Source.take(str(original)), like=document, force=force)
    say(_indent(result.summary()))
    verdict = verify(File(path=original), File(path=published), k=K, quasi_identifiers=columns)
    if not verdict:
        raise UnsafeReleaseError(verdict.summary())
    say(f"  From the two files alone, {published} is {verdict.summary()}\n")
    return result


def _bound(path: Path, callback: Callable[..., None] | None, force: bool) -> Result:
    from tempfile import TemporaryDirectory

    from discreet.cli.table_outputs import TableFile, check_and_write_bounds
    from discreet.datasets import autoworkers
    from discreet.frames import write
    from discreet.instruments.tables import bounds
    from discreet.tables.table import Table

    released = ", ".join(":".join(margin) for margin in RELEASED)
    say(f"3. Table bounds: what the margins {released} of the autoworkers' table give away about its 64 cells.")
    table = Table.from_counts(autoworkers(), count="count")
    result = bounds(table.margins(list(RELEASED)), progress=callback)
    with TemporaryDirectory(prefix="discreet-") as folder:
        original = Path(folder, "table.csv")
        write(autoworkers(), original)
        result, verdict = check_and_write_bounds(result, str(path), TableFile(str(original)), force=force)
    say(_indent(result.summary()))
    say(f"  Every bound in {path} was proved again before it was written: {verdict.summary()}\n")
    return result


def _indent(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())
