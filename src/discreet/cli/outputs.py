"""What every command that publishes does at its end: have the very bytes checked, then write everything or nothing."""

from __future__ import annotations

import hashlib
import json as json_format
import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.cli.inputs import Source, extension, is_text
from discreet.errors import Faults, InputError, UnsafeReleaseError
from discreet.results import Audience, Result, Verdict

Name = str | Path


@dataclass(frozen=True)
class Extra:
    """A text for its owner alone to write along with the data: a certificate (`proof`), or who is who."""

    path: Path
    text: str
    proof: bool = False


def check_outputs(
    paths: Iterable[Name | None],
    *,
    force: bool,
    data: Name | None = None,
    inputs: Iterable[Name | None] = (),
    manifest: bool = False,
) -> None:
    """Fail before long work where an output could not or must not be written; one error for all of them.

    `data` is the output that holds a table, so that its name must also tell a format. An output that is one of
    `inputs`, or another output, by whatever name or link, is refused with `force` too. With `manifest` one is written
    beside the table.
    """
    from discreet.frames import check_output
    from discreet.instruments.protect.manifest import manifest_path

    faults = Faults()
    beside = manifest_path(data) if manifest and data is not None else None
    outputs = [path for path in (data, beside, *paths) if path is not None]
    read = {identity: path for path in inputs if path is not None for identity in _identities(path, 0)}
    seen: set[object] = set()
    for path in outputs:
        found = _identities(path, 1)
        faults.check(not seen & found, f"two outputs go to the same file {path}")
        seen |= found
        same = next((read[identity] for identity in found if identity in read), None)
        faults.check(same is None, f"the output {path} is the input {same}: choose another name")
        try:
            check_output(path, force, data=path is data)
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()


def _identities(path: Name, standard: int) -> set[object]:
    """What tells a file from others: its place in the file system, and where it is not there yet its name.

    Names that differ in case or in the form of their accents count as one: on many systems they are one file. Devices
    and pipes are files of their own only as outputs: a terminal is both read and written.
    """
    from discreet.frames.atomic import is_standard

    try:
        if is_standard(path):
            stream = (sys.stdin, sys.stdout)[standard]
            found = None if stream is None else os.fstat(stream.fileno())
        else:
            found = os.stat(path)
    except (OSError, ValueError):
        found = None
    if found is not None:
        regular = stat.S_ISREG(found.st_mode)
        return {(found.st_dev, found.st_ino)} if regular or standard else set()
    if is_standard(path):
        return {"-"}
    try:
        return {unicodedata.normalize("NFC", str(Path(path).resolve())).casefold()}
    except (OSError, ValueError, RuntimeError):  # a loop of links: its writer will say so
        return {str(path)}


def publish(
    result: Result,
    output: Name,
    *,
    source: Source,
    like: Any,
    report: Path | None = None,
    audience: Audience = "internal",
    json: Path | None = None,
    also: Sequence[Extra] = (),
    hierarchies: Mapping[str, Name] | None = None,
    force: bool = False,
    measured_only: bool = False,
) -> Verdict:
    """Write the release to a temporary file, have the checker read it back, and let all files appear or none.

    What is judged is what is published: the checker reads the bytes of the temporary file by its own reader, and the
    original from the `source`. Beside it goes its manifest, for which `hierarchies` are the files whose labels appear;
    `also` are texts to write along with it. The data file appears last. `measured_only` is the custodian's word that a
    file about which nothing can be proven may be written: one that claims to be measured, and of which the check finds
    nothing wrong.
    """
    from discreet.cli.pages import record
    from discreet.frames.atomic import together
    from discreet.instruments.protect.manifest import command, manifest_path
    from discreet.report import page

    with together(force) as batch:
        temporary = batch.path(output, suffix=f".{extension(output)}", last=True)
        try:
            _fill(result, temporary, like)
            verdict = _checked(result, source, temporary, output)
        except InputError as error:  # the user knows the file by another name
            raise InputError(fault.replace(str(temporary), str(output)) for fault in error.faults) from None
        measured = measured_only and verdict.outcome == "cannot tell" and verdict.guarantee == "measured"
        if not (verdict.safe or measured):
            raise UnsafeReleaseError(
                "the independent check does not confirm this release, so it is not written.\n" + verdict.summary()
            )
        short = result.shortfalls(verdict)
        if short:
            raise UnsafeReleaseError("this release does not hold what the recipe demands: " + "; ".join(short))
        beside = manifest_path(output)
        if beside is not None:
            told = _manifest(result, verdict, source, like, temporary, Path(output), hierarchies or {})
            batch.text(beside, as_json(told), mode=0o600)  # the original's hash confirms guesses about it
        for extra in also:
            batch.text(extra.path, extra.text, mode=0o600)
        if json is not None:
            batch.text(json, as_json(result.to_dict()))
        if report is not None:
            proof = next(((extra.path, extra.text) for extra in also if extra.proof), None)
            how = () if beside is None else command(output, source.path)
            kept = record([source], published=(output, temporary), certificate=proof, command=how)
            batch.text(report, page([result], verdicts=[verdict], audience=audience, record=kept))
    return verdict


def _manifest(
    result: Result,
    verdict: Verdict,
    source: Source,
    like: Any,
    temporary: Path,
    output: Path,
    hierarchies: Mapping[str, Name],
) -> dict[str, Any]:
    """What goes beside the release: claims, hashes, the verdict, and no record."""
    from discreet.frames import adopt
    from discreet.frames.atomic import is_standard
    from discreet.instruments.protect.manifest import file_hash, manifest

    table = adopt(result.publication().data)
    original = {
        "name": "standard input" if is_standard(source.path) else Path(source.path).name,
        "sha256": file_hash(source.path) if source.data is None else hashlib.sha256(source.data).hexdigest(),
        "rows": like.n,
    }
    dialect = {"delimiter": source.delimiter, "encoding": source.encoding}
    original |= {name: given for name, given in dialect.items() if given is not None}
    source.check_unchanged()
    return manifest(
        result,
        verdict,
        output=output,
        published={"name": output.name, "sha256": file_hash(temporary), "rows": len(table)},
        original=original,
        dropped=[name for name in like.names if name not in set(table.columns)],
        hierarchies=hierarchies,
    )


def _fill(result: Result, temporary: Path, like: Any) -> None:
    from discreet.cli.first_use import wait_for
    from discreet.frames import write

    wait_for("check")
    going = result.publication()
    write(going.data, temporary, like=like, order=going.order, anew=going.anew, force=True)


def _checked(result: Result, source: Source, temporary: Path, output: Name) -> Verdict:
    """What the checker says of the file, read as someone would who knows how the original is to be read."""
    from discreet.verify import File, verify

    follows = is_text(source.path) and is_text(output)
    kind = extension(output)
    published = File(
        path=temporary,
        format=kind,
        delimiter=source.delimiter if follows and kind.startswith(("csv", "txt")) else None,
        encoding=source.encoding if follows else None,
    )
    verdict = verify(source.file(), published, **result.claim())
    source.check_unchanged()
    return verdict


def as_json(figures: dict[str, Any]) -> str:
    """Figures as JSON in which whatever does not print is escaped."""
    text = json_format.dumps(figures, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return re.sub(r"[^\n -~]", lambda found: found[0] if found[0].isprintable() else _escaped(found[0]), text)


def _escaped(letter: str) -> str:
    return json_format.dumps(letter)[1:-1]
