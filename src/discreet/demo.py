"""The guided run behind `discreet demo`: protect, check, report."""

from __future__ import annotations

from pathlib import Path

from discreet.cli.console import progress, say
from discreet.errors import InputError

K = 5
COLUMNS = ("age", "hours", "income", "household_income", "spending", "savings")


def run(folder: Path, *, n: int = 2000, force: bool = False) -> Path:
    """Write a survey, protect it, verify the written file, and leave a report; returns the report's path."""
    from discreet.cli.outputs import check_outputs, publish
    from discreet.datasets import survey
    from discreet.frames import read, write
    from discreet.instruments.microaggregate import microaggregate
    from discreet.verify import verify

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from None
    original, protected, report = folder / "survey.csv", folder / "protected.csv", folder / "report.html"
    check_outputs([original, protected, report], force=force)

    say(f"A synthetic survey of {n} persons: {original}")
    write(survey(n, seed=1), original, force=force)
    document = read(original)

    say(f"Microaggregation: {len(COLUMNS)} numeric columns, groups of at least {K}.")
    with progress() as callback:
        result = microaggregate(document.frame, K, columns=COLUMNS, certify=True, random_state=1, progress=callback)
        publish(result, protected, like=document, report=report, force=force)
    say(_indent(result.summary()))

    say("The same question put to the independent check, from the two files alone:")
    verdict = verify(read(original).frame, read(protected).frame, k=K, quasi_identifiers=COLUMNS)
    say(_indent(verdict.summary()))
    say(f"Published file:  {protected}")
    say(f"Report:          {report.resolve()}")
    return report


def _indent(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())
