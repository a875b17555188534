"""What every command that publishes does at its end: check independently, then write everything or nothing."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from discreet.errors import Faults, InputError, UnsafeReleaseError
from discreet.results import Result, Verdict


def check_outputs(paths: Iterable[str | Path | None], *, force: bool, data: str | Path | None = None) -> None:
    """Fail before long work where an output could not be written; one error for all of them.

    `data` is the output that holds a table, so that its name must also tell a format.
    """
    from discreet.frames import check_output

    faults = Faults()
    seen: set[str] = set()
    for path in (data, *paths):
        if path is None:
            continue
        faults.check(str(path) not in seen, f"two outputs go to the same file {path}")
        seen.add(str(path))
        try:
            check_output(path, force, data=path is data)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()


def publish(
    result: Result,
    output: str | Path,
    *,
    like: Any,
    report: Path | None = None,
    json: Path | None = None,
    also: Mapping[Path, str] | None = None,
    force: bool = False,
) -> Verdict:
    """Verify the result and write it; nothing is written when the check fails, and all files or none otherwise.

    `also` are texts to write along with it.
    """
    from discreet.frames import atomic, write
    from discreet.report import page

    verdict = result.verify()
    if not verdict.safe:
        raise UnsafeReleaseError(
            "the independent check does not confirm this release, so nothing was written.\n" + verdict.summary()
        )
    texts: dict[Path, str] = dict(also or {})
    if json is not None:
        texts[json] = as_json(result.to_dict())
    if report is not None:
        texts[report] = page([result], verdicts=[verdict])
    with ExitStack() as stack:
        for path, text in texts.items():
            handle = stack.enter_context(atomic(path, force))
            handle.write(text.encode("utf-8"))
            handle.flush()
        # Spelling must not tell equal records apart: the columns worked on are written anew, changed or not.
        anew = getattr(result, "columns", getattr(result, "quasi_identifiers", ()))
        # Where rows were shuffled, the other columns are those of the rows they come from, as these were spelled.
        order = getattr(result, "origin", None)
        write(result.data, output, like=like, order=order, anew=anew, force=force)  # type: ignore[attr-defined]
    return verdict


def as_json(figures: dict[str, Any]) -> str:
    return json_format.dumps(figures, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
