"""What every command that measures does at its end: write what was asked for, all of it or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from discreet.cli.inputs import Source
from discreet.results import Audience, Measurement


class Kept(NamedTuple):
    """What the page puts on record: the files, the command that measures them again, and for whom it is."""

    originals: Sequence[Source]
    command: Sequence[str]
    audience: Audience
    published: Source | None = None


def words_of(asked: Mapping[str, Any]) -> list[str]:
    """Options as they are typed: what is None or False is left out, a list is repeated."""
    words: list[str] = []
    for option, given in asked.items():
        if isinstance(given, bool) or given is None:
            words += [option] if given else []
            continue
        for one in given if isinstance(given, list) else [given]:
            words += [option, str(one)]
    return words


def write_measurement(
    result: Measurement, output: str | None, json: Path | None, report: Path | None, kept: Kept, *, force: bool
) -> None:
    """The table, the figures and the page, the table last."""
    from discreet.cli.inputs import extension
    from discreet.cli.outputs import as_json
    from discreet.cli.pages import record
    from discreet.frames import write
    from discreet.frames.atomic import together
    from discreet.report import page

    with together(force) as batch:
        if output is not None:
            write(result.to_frame(), batch.path(output, suffix=f".{extension(output)}", last=True), force=True)
        if json is not None:
            batch.text(json, as_json(result.to_dict()))
        if report is not None:
            told = record(kept.originals, published=_measured(kept.published), command=kept.command)
            batch.text(report, page([result], audience=kept.audience, record=told))


def _measured(published: Source | None) -> tuple[str, Path | bytes] | None:
    """The published file that was measured, and its bytes."""
    from discreet.frames.atomic import is_standard

    if published is None:
        return None
    name = "standard input" if is_standard(published.path) else published.path
    return name, Path(published.path) if published.data is None else published.data
