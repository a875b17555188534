"""The check of releases in many files, or in files that do not fit into memory.

What fits is read whole and judged as any table. What does not is streamed: classes and means are aggregated on disk,
boxes are cut into blocks that fit, columns that go out as they are compared batch by batch, and what they tell is
measured on a part of the rows and counted in all of them. The rules and words are those of the check in memory; what
this way does not decide is "cannot tell", never "safe".
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from discreet.errors import Faults, InputError
from discreet.results import Verdict
from discreet.verify.claims import Asked, Claim, check_claim
from discreet.verify.file import File, is_in_parts
from discreet.verify.large.blocks import needed
from discreet.verify.large.database import bytes_of, database
from discreet.verify.large.groups_verdict import Files, judge_groups
from discreet.verify.large.matchings_verdict import judge_matchings
from discreet.verify.large.sample import some_rows
from discreet.verify.large.source import PARQUET, Source, check_alone, open_source, paths_of
from discreet.verify.readers import Table, open_table, shown, shown_list

PER_CELL = 96  # bytes that a cell of the two tables takes in memory, with all that is computed from it
TEXTS = {".csv": None, ".tsv": "\t", ".tab": "\t", ".txt": None}
GROWTH = 15  # times the size of a file that its table takes
WAYS = "store it as Parquet or as text, or give more memory (--memory)"

ONLY_WHOLE = ("secret", "sensitive", "numeric", "weight", "household", "person", "identifiers")
"""What is said of a release that only the check in memory looks at: it may then take more."""


def judge_parts(original: Any, published: Any, memory: Any, claim: dict[str, Any]) -> Verdict:
    """The verdict on tables in several files, or under a bound on memory."""
    from discreet.verify import judge

    room = bytes_of(memory)
    faults = Faults()
    tables: list[Source | Table | None] = []
    for source, what in ((original, "the original"), (published, "the published data")):
        try:
            tables.append(None if source is None and what == "the original" else _open(source, what, room))
        except InputError as error:
            faults.extend(error)
    faults.check(not claim["earlier"], "earlier releases are compared with files, not with folders or within a memory")
    faults.raise_if_any()
    before, after = tables
    need = sum(one.rows * len(one.names) * PER_CELL + one.size for one in tables if isinstance(one, Source))
    if claim["guarantee"] == "matchings" and isinstance(claim["k"], int) and not any(claim[one] for one in ONLY_WHOLE):
        need += needed(max(one.rows for one in tables if one is not None), claim["k"])
    if need > room:
        if isinstance(before, Table) or not isinstance(after, Source):
            raise InputError(
                f"what does not fit into the memory is read in pieces, and only Parquet and delimited text are: {WAYS}"
            )
        return _judge(before, after, room, claim)
    whole = [one.whole() if isinstance(one, Source) else one for one in tables]
    return judge(*whole, **claim)[-1]


def _open(source: Any, what: str, room: int) -> Source | Table:
    """The files of a table; or the table itself, where it is a dataframe or a file that cannot be streamed."""
    parts: Sequence[Any] = getattr(source, "paths", ())
    if len(parts) == 1 and _kind(Path(parts[0]))[0] in TEXTS:  # a dataset that is one text
        source = Path(parts[0])
    path = source.path if isinstance(source, File) else source
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
    if is_in_parts(source) or (Path(name).suffix.lower() in PARQUET and Path(name).is_file()):
        if isinstance(source, File) and (source.delimiter or source.encoding or source.format):
            raise InputError(f"{what} is in Parquet files, which have neither delimiter nor encoding: leave these out")
        opened = open_source(paths_of(source), shown(name) or what)
        if what == "the published data":
            check_alone(source, opened.name)
        return opened
    kind, compressed = _kind(Path(name))
    if name and Path(name).is_file() and kind in TEXTS and not (isinstance(source, File) and source.format):
        from discreet.verify.large.text import open_text

        delimiter, encoding = (source.delimiter, source.encoding) if isinstance(source, File) else (None, None)
        try:
            return open_text(Path(name), shown(name), delimiter or TEXTS[kind], encoding, compressed=compressed)
        except OSError as error:
            raise InputError(f"cannot read {shown(name)}: {error.strerror or 'it is damaged'}") from None
    if name and Path(name).is_file() and GROWTH * Path(name).stat().st_size > room:
        raise InputError(f"{what} does not fit into the memory: {WAYS}")
    return open_table(source, what)


def _kind(path: Path) -> tuple[str, bool]:
    """The ending of a name that tells the format, and whether the file is compressed."""
    compressed = path.suffix.lower() == ".gz"
    return (path.with_suffix("") if compressed and path.name != ".gz" else path).suffix.lower(), compressed


def _judge(before: Source | None, after: Source, memory: int, claim: dict[str, Any]) -> Verdict:
    rows = after.rows if before is None else min(before.rows, after.rows)
    some_before = None if before is None else some_rows(before, rows)
    some_after = some_rows(after, rows)
    some_after.carried = after.carried
    faults = Faults()
    made = check_claim(some_before, some_after, faults, Asked(**claim), has_original=before is not None)
    _check_use(made, before, some_before)
    if before is not None and before.rows != after.rows:
        words = f"the original has {before.rows} rows, the published data {after.rows}"
        kept = "" if made.guarantee == "matchings" else ", in the original order"
        advice = (f"publish every record exactly once{kept}",)
        return Verdict("unsafe", made.guarantee, made.k, (words,), advice)
    with database(memory) as connection:
        files = Files(connection, before, after, some_before, some_after, memory)
        return judge_matchings(files, made) if made.guarantee == "matchings" else judge_groups(files, made)


def _check_use(claim: Claim, before: Source | None, some: Table | None) -> None:
    """What can only be checked in memory."""
    faults = Faults()
    more = "give more memory (--memory), so that the files are examined whole"
    faults.check(
        claim.guarantee in ("classes", "microaggregation", "matchings"),
        f"the guarantee {claim.guarantee!r} of files that do not fit into memory cannot be checked: {more}",
    )
    if claim.guarantee == "matchings":
        faults.check(claim.named and bool(claim.chosen), "name the columns to examine (quasi_identifiers, --qi)")
        faults.check(claim.secret is None, f"the custodian's secret file cannot be compared at this size: {more}")
        faults.check(claim.sensitive is None, f"sensitive values cannot be counted at this size: {more}")
        faults.check(not claim.roles.named, f"roles of columns cannot be checked at this size: {more}")
    else:
        faults.check(not claim.boxed, f"hierarchies, caps and roles of columns cannot be checked at this size: {more}")
    faults.check(not claim.earlier, f"earlier releases cannot be compared at this size: {more}")
    if claim.guarantee != "matchings" and not claim.named and before is not None and some is not None:
        profiles = some.profile([name for name in some.names if name not in claim.accept])
        stored = {name for name in some.names if _is_number(before.schema.field(name).type)}
        texts = [name for name, (number, _, _) in profiles.items() if number and name not in stored]
        faults.check(
            not texts,
            f"text columns hold numbers ({shown_list(texts)}): name the columns to examine (quasi_identifiers, --qi)",
        )
    faults.raise_if_any()


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))
