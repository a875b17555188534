"""Columns that go out as they are, in files that do not fit: compared row by row, and examined for what they tell.

What a random part of the rows is enough for is measured on one, as it is in memory. What depends on how often values
repeat in the whole file (identifiers, numbers of households, two columns that number rows together) is judged by counts
of all values. Where counts alone do not decide it nothing is called safe: that is a doubt, and the verdict "cannot
tell".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from discreet.verify.groups import classes
from discreet.verify.large.database import ask
from discreet.verify.large.groups import Counts, count_values
from discreet.verify.large.source import Source, side_by_side
from discreet.verify.large.values import bits, column_of, said
from discreet.verify.left.chance import few_repeated, surprising
from discreet.verify.left.crossed import CLUSTERS, MOST_COLUMNS
from discreet.verify.left.examine import Figures, Fits, Part
from discreet.verify.left.examine import examine as examine_whole
from discreet.verify.left.grouping import LARGEST, SOME, is_called_group
from discreet.verify.left.identifier import FEW_ROWS, REPEATED, WORDS, is_called_id, tokens
from discreet.verify.left.sample import Sample
from discreet.verify.left.values import Values
from discreet.verify.other_columns import SEVERAL_STYLES, Findings, copies, joint
from discreet.verify.readers.column import Column, Table
from discreet.verify.values.styles import one_style

RESPELLED = "column {} is written in another way than in the original: whether that tells rows apart"
MOST_ENTRIES = 1_000_000
NEARLY_ALL = 0.85
OWN = 0.9


@dataclass
class Doubts:
    """What could not be judged, as sentences; about columns that are accepted by name it is a limit."""

    findings: Findings
    words: list[str] = field(default_factory=list)

    def about(self, names: Sequence[str], words: str) -> None:
        found = Findings(self.findings.accepted)
        found.about_all(names, words)
        self.words += found.failures
        self.findings.limits += found.limits

    def altered(self, names: Sequence[str], words: str) -> None:
        """About what was made of columns: accepting them does not settle it."""
        found = Findings(())
        found.altered(names, words)
        self.words += found.failures


def compare_rows(
    before: Source, after: Source, left: Sequence[str], chosen: Sequence[str]
) -> tuple[dict[str, int], set[str], set[str]]:
    """Left columns row by row: rows that differ, and columns that are only written otherwise; chosen ones changed."""
    names = [*left, *(name for name in chosen if name not in left)]
    differ: dict[str, int] = {}
    respelled: set[str] = set()
    changed: set[str] = set()
    if not names:
        return differ, respelled, changed
    for was, now in side_by_side(before, after, names, names):
        for name in names:
            if name in changed:
                continue
            a, b = was.column(name), now.column(name)
            old, new = bits(name, a), bits(name, b)
            if a.type == b.type and old.equals(new):
                continue
            if name not in left:
                changed.add(name)
                continue
            one, two = column_of(name, a), column_of(name, b)
            left_codes, right_codes = joint(one, two)
            rows = int((left_codes[one.codes] != right_codes[two.codes]).sum())
            if rows:
                differ[name] = differ.get(name, 0) + rows
            else:
                respelled.add(name)
    return differ, respelled - set(differ), changed


def same_rows(connection: Any, before: Source, after: Source, names: Sequence[str]) -> bool:
    """Whether both tables hold the same rows in these columns, in whatever order."""
    import pyarrow as pa

    if any(before.schema.field(name).type != after.schema.field(name).type for name in names):
        return False

    def both() -> Iterator[Any]:
        for source, side in ((before, 1), (after, -1)):
            for batch in source.batches(names):
                arrays = [bits(name, batch.column(name)) for name in names]
                arrays.append(pa.array(np.full(batch.num_rows, side, np.int64)))
                yield pa.record_batch(arrays, names=[*(f"p{j}" for j in range(len(names))), "side"])

    keys = ", ".join(f"p{j}" for j in range(len(names)))
    query = f"SELECT count(*) FROM (SELECT sum(side) AS s FROM rows GROUP BY {keys}) WHERE s <> 0"
    return int(ask(connection, both(), query)[0]) == 0


def more_ways(connection: Any, batches: Iterator[Any]) -> bool:
    """Whether some `p0` stands with several `p1`: one value is published in ways that tell its rows apart."""
    pairs = "SELECT p0, p1 FROM rows GROUP BY p0, p1"
    query = f"SELECT count(*), count(DISTINCT p0) + coalesce(max((p0 IS NULL)::INT), 0) FROM ({pairs})"
    several, different = ask(connection, batches, query)
    return int(several) > int(different)


def spellings_by_row(before: Source, after: Source, name: str) -> Iterator[Any]:
    """What stands in the original and how it is published, row by row."""
    import pyarrow as pa

    for was, now in side_by_side(before, after, [name], [name]):
        yield pa.record_batch([bits(name, was.column(name)), bits(name, now.column(name))], names=["p0", "p1"])


def spellings(after: Source, name: str) -> Iterator[Any]:
    """What the published values say and how they are written."""
    import pyarrow as pa

    for batch in after.batches([name]):
        array = batch.column(name)
        yield pa.record_batch([said(name, array), bits(name, array)], names=["p0", "p1"])


def respelled(before: Source, after: Source, name: str, doubts: Doubts) -> None:
    """Say what the spelling of a column tells that holds the same values, each spelled in one way."""
    was, now = (distinct(source, name) for source in (before, after))
    if was is None or now is None:
        doubts.altered([name], RESPELLED)
    elif one_style(was, now):
        doubts.about([name], RESPELLED)
    else:
        doubts.findings.altered([name], SEVERAL_STYLES)


def distinct(source: Source, name: str) -> Column | None:
    """The different entries of a column as they are written; None where there are too many to hold."""
    import pyarrow as pa

    known, kind = None, source.schema.field(name).type
    for batch in source.batches([name]):
        array = batch.column(name)
        plain = array.storage if isinstance(array, pa.ExtensionArray) else array
        plain = plain.dictionary_decode() if pa.types.is_dictionary(plain.type) else plain
        known = pa.concat_arrays([*([] if known is None else [known]), plain.unique()]).unique()
        if len(known) > MOST_ENTRIES:
            return None
    if known is None:
        return None
    return column_of(name, pa.ExtensionArray.from_storage(kind, known) if isinstance(kind, pa.ExtensionType) else known)


def examine(
    connection: Any,
    before: Source,
    some: tuple[Table, Table],
    *,
    keys: Sequence[str],
    changed: Collection[str],
    left: Sequence[str],
    k: int,
    guarantee: str,
    doubts: Doubts,
) -> Figures:
    """Tell the findings what the columns `left` tell about `keys`, of which those in `changed` were protected.

    `some` are the same rows of both tables, drawn at random; where they are all, they are examined as any table.
    """
    if not left:
        return {}
    findings = doubts.findings
    copies(*some, [name for name in keys if name in changed], left, findings)
    if some[0].rows == before.rows:
        found = examine_whole(
            *some,
            keys=keys,
            left=left,
            k=k,
            guarantee=guarantee,
            findings=findings,
            groups=classes(some[1].columns(keys)).of_row,
        )
        return found
    sample = Sample(some[0], None, before.rows, None, np.arange(some[0].rows), None)
    targets = [sample.values(name) for name in keys if name in changed]
    unchanged = [sample.values(name) for name in keys if name not in changed]
    part = Part(some[0], sample, list(left), targets, k, findings, Fits(None, None, None), unchanged)
    part.examine_some()
    others = [name for name in left if name not in part.found and name not in findings.accepted]
    counts = {name: _count(connection, before, [name]) for name in others}
    for name in others:
        _repeats(name, counts[name], part.columns[name], before.rows, doubts)
    _pairs(connection, before, counts, doubts)
    findings.limits.append(
        f"what columns tell was measured on {some[0].rows} of {before.rows} rows, taken at random; what one column "
        "more would leave of the candidates was not"
    )
    return {"examined_rows": some[0].rows}


def _count(connection: Any, source: Source, names: Sequence[str]) -> Counts:
    import pyarrow as pa

    def batches() -> Iterator[Any]:
        for batch in source.batches(names):
            arrays = [bits(name, batch.column(name)) for name in names]
            yield pa.record_batch(arrays, names=[f"p{j}" for j in range(len(names))])

    return count_values(connection, batches, len(names), LARGEST)


def _repeats(name: str, counts: Counts, values: Values, rows: int, doubts: Doubts) -> None:
    """Whether a column is an identifier of rows or of groups of rows, by how often its values repeat."""
    words = values.places is None
    if counts.different >= NEARLY_ALL * rows:
        broken = not words and bool((values.places[values.known] % 1.0 != 0.0).any())  # type: ignore[index]
        called = bool(WORDS.intersection(tokens(name))) or is_called_id(name)
        own = words and rows >= FEW_ROWS and counts.single >= OWN * rows
        if values.kind == "dates" or broken:
            pass
        elif own or (called and counts.different == rows):
            said = "column {} has a value of its own in nearly every row, as an identifier has"
            doubts.findings.about([name], said)
            return
        else:
            doubts.about([name], "column {} has a value of its own in nearly every row: whether it is an identifier")
            return
    if counts.shared >= 0.9 * SOME * rows and values.kind != "dates":
        if is_called_group(name) and (2 * counts.shared >= rows or counts.most <= LARGEST):
            doubts.findings.about([name], "column {} groups rows, as the number of a household does")
        else:
            doubts.about([name], f"column {{}} has values that 2 to {LARGEST} rows share: whether it groups households")


def _pairs(connection: Any, source: Source, counts: dict[str, Counts], doubts: Doubts) -> None:
    """Whether two columns number rows, or groups of rows, only together."""
    rows = source.rows
    fit = [name for name, own in counts.items() if 2 <= own.different <= rows / 2][:MOST_COLUMNS]
    pairs = [(a, b) for a, b in combinations(fit, 2) if counts[a].different * counts[b].different * LARGEST >= rows]
    for a, b in pairs:
        both = _count(connection, source, [a, b])
        repeated = rows - both.different
        room = float(counts[a].different) * counts[b].different
        if repeated <= REPEATED * rows and surprising(few_repeated(rows, repeated, room), len(pairs)):
            said = "columns {} together have values of their own in nearly every row, as an identifier has"
            doubts.findings.about_all([a, b], said)
        elif both.shared >= SOME * rows and both.most <= LARGEST:
            if any(is_called_group(one) and CLUSTERS.intersection(tokens(two)) for one, two in ((a, b), (b, a))):
                said = "columns {} together group rows, as the number of a household does"
                doubts.findings.about_all([a, b], said)
            else:
                doubts.about([a, b], "columns {} together have values that few rows share: whether they group rows")
