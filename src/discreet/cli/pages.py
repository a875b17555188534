"""What the commands put on record in their reports: for whom a page is, the hashes of its files, how to check it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.cli.inputs import Source
from discreet.errors import InputError

if TYPE_CHECKING:
    from discreet.report.record import Digest, Record
    from discreet.results import Audience

Name = str | Path


def readers(audience: str | None, report: Path | None) -> Audience:
    """For whom the report is: those who hold the original, unless --audience says otherwise."""
    from discreet.report.audience import check_audience

    if audience is None:
        return "internal"
    if report is None:
        raise InputError("--audience is about a report: say where to write it (--report)")
    check_audience(audience)
    found: Any = audience
    return found


def record(
    originals: Iterable[Name | Source],
    *,
    published: tuple[Name, Path | bytes] | None = None,
    certificate: tuple[Path, str] | None = None,
    command: Sequence[Name] = (),
) -> Record:
    """What a page puts on record.

    `published` is the file and its bytes, or where they stand until it gets its name; `certificate` the file and its
    text.
    """
    from discreet.report.record import Record, digest

    given = list(originals)
    files = [found for one in given if (found := _original(one)) is not None]
    if published is not None:
        files.append(digest("published", *published))
    if certificate is not None:
        files.append(digest("certificate", certificate[0], certificate[1].encode()))
    confidential = [str(one.path if isinstance(one, Source) else one) for one in given]
    return Record(files, [str(word) for word in command], confidential)


def _original(given: Name | Source) -> Digest | None:
    """The digest of what was read; none of a stream that is gone."""
    from discreet.frames.atomic import is_special, is_standard
    from discreet.report.record import digest

    path, data = (given.path, given.data) if isinstance(given, Source) else (given, None)
    if data is not None:
        return digest("original", "standard input" if is_standard(path) else path, data)
    return None if is_standard(path) or is_special(Path(path)) else digest("original", path)
