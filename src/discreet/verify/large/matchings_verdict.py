"""The verdict on generalized releases in files that do not fit: boxes by blocks, left columns and the order of rows by
counts and samples, in the words of `discreet.verify.judgement`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import InputError
from discreet.results import Verdict
from discreet.verify import order, other_columns
from discreet.verify.claims import Claim
from discreet.verify.judgement import spelled_words
from discreet.verify.large.blocks import judge_blocks, room_within
from discreet.verify.large.codes import Entries, by_row, read_entries, write_codes
from discreet.verify.large.cuts import Block
from discreet.verify.large.database import NO_ROOM, run
from discreet.verify.large.groups_verdict import Figures, Files, finish_with_doubts
from discreet.verify.large.idle_values import idle_values
from discreet.verify.large.left import Doubts, examine, more_ways, respelled, same_rows, spellings
from discreet.verify.large.source import Source
from discreet.verify.large.values import bits, said
from discreet.verify.left.examine import examine as examine_whole
from discreet.verify.left.examine import widened
from discreet.verify.matchings.reading import Reading
from discreet.verify.other_columns import Findings
from discreet.verify.readers.column import shown_list

MOST_PLACES = 2_000_000
"""So many rows that are recognized by their left values are enough to see whether they keep their places."""


def judge_matchings(files: Files, claim: Claim) -> Verdict:
    """The verdict on a release that claims k disjoint perfect matchings, of as many rows as the original."""
    before, after = files.before, files.after
    assert before is not None
    entries = read_entries(before, after, claim, files.memory)
    if entries.unreadable:
        figures: Figures = {"n": before.rows, "columns": shown_list(claim.chosen)}
        way_out = ("give the hierarchies used, and say which columns are categorical",)
        return Verdict("cannot tell", "matchings", claim.k, entries.unreadable, way_out, figures)
    doubts = Doubts(Findings(claim.accept))
    other_columns.compare_seams(before, after, doubts.findings, ordered=False)
    try:
        with tempfile.TemporaryDirectory(prefix="discreet-") as folder:  # 0700, in TMPDIR
            verdict, outside = _judge(files, before, claim, entries, doubts, Path(folder))
    except OSError:
        raise InputError(NO_ROOM) from None
    return finish_with_doubts(verdict, claim, files, doubts, outside, shuffled=True)


def _judge(
    files: Files, before: Source, claim: Claim, entries: Entries, doubts: Doubts, folder: Path
) -> tuple[Verdict, list[str]]:
    """What boxes, left columns and the order of rows tell, and which columns go out as they are."""
    whole = Block(folder / "before", folder / "after", before.rows)
    readings = entries.readings
    write_codes(before, claim.chosen, entries.before, [r.codes for r in readings], whole.before)
    write_codes(files.after, claim.chosen, entries.after, [r.texts for r in readings], whole.after)
    found = judge_blocks(whole, readings, claim.chosen, claim.k, room_within(files.memory), folder)
    of_rows = by_row(readings, whole.before, whole.after)
    outside, told = _left(files, claim, of_rows, [widened(r) for r in readings], doubts)
    more = [*spelled_words(entries.spelled), *_order(files, outside, of_rows, doubts)]
    verdict = replace(
        found,
        outcome="unsafe" if more else found.outcome,
        failures=(*found.failures, *more),
        figures={**found.figures, **told, "columns": shown_list(claim.chosen)},
    )
    return verdict, outside


def _left(
    files: Files, claim: Claim, readings: list[Reading], changed: list[bool], doubts: Doubts
) -> tuple[list[str], Figures]:
    """The columns that go out as they are: which they are, and figures."""
    before, some, findings = files.before, files.some_before, doubts.findings
    assert before is not None and some is not None
    other_columns.extra_columns(some, files.some_after, findings)
    idle_values(before, files.after, doubts)
    outside = other_columns.left_columns(some, files.some_after, claim.chosen)
    if not outside:
        return outside, {}
    other_columns.listed_in_order(some, files.some_after, outside, findings)
    if some.rows == before.rows:
        rows = other_columns.compare_multisets(some, files.some_after, outside, findings)
        other_columns.copies(some, files.some_after, claim.chosen, outside, findings)
        told = examine_whole(
            some,
            files.some_after,
            keys=claim.chosen,
            left=outside,
            k=claim.k,
            guarantee=claim.guarantee,
            findings=findings,
            readings=readings,
            rows=rows,
        )
        return outside, told
    _compare(files, before, outside, doubts)
    told = examine(
        files.connection,
        before,
        (some, files.some_after),
        keys=claim.chosen,
        changed={name for name, other in zip(claim.chosen, changed) if other},
        left=outside,
        k=claim.k,
        guarantee=claim.guarantee,
        doubts=doubts,
    )
    return outside, told


def _compare(files: Files, before: Source, left: Sequence[str], doubts: Doubts) -> None:
    """Left columns as a multiset of rows: bit by bit or, where that fails, by what they say."""
    connection, after, findings = files.connection, files.after, doubts.findings
    if same_rows(connection, before, after, left):
        return
    changed = []
    for name in left:
        if same_rows(connection, before, after, [name]):
            continue
        if _same(connection, before, after, [name]):
            if more_ways(connection, spellings(after, name)):
                findings.altered([name], other_columns.MORE_WAYS)
            else:
                respelled(before, after, name, doubts)
        else:
            changed.append(name)
    if changed:
        findings.altered(changed, other_columns.NOT_THE_VALUES)
    joined = [name for name in left if name not in changed]
    if joined and not _same(connection, before, after, joined):
        findings.altered(joined, other_columns.TORN)


def _same(connection: Any, before: Source, after: Source, names: Sequence[str]) -> bool:
    """Whether both tables say the same in these columns, in whatever order of rows."""
    columns = ", ".join(f"p{j}" for j in range(len(names)))
    query = f"SELECT count(*) AS c FROM (SELECT sum(2 * side - 1) AS s FROM rows GROUP BY {columns}) WHERE s <> 0"
    return int(run(connection, _both(before, after, names, said), query).column(0)[0].as_py()) == 0


def _both(before: Source, after: Source, names: Sequence[str], of: Callable[[str, Any], Any]) -> Iterator[Any]:
    """The rows of both tables: some columns `p0` …, the side (0, 1) and the place of the row in its table."""
    import pyarrow as pa

    labels = [*(f"p{j}" for j in range(len(names))), "side", "place"]
    for side, source in enumerate((before, after)):
        first = 0
        for batch in source.batches(names):
            arrays = [of(name, batch.column(name)) for name in names]
            arrays.append(pa.array(np.full(batch.num_rows, side, np.int64)))
            arrays.append(pa.array(np.arange(first, first + batch.num_rows)))
            first += batch.num_rows
            yield pa.record_batch(arrays, names=labels)


def _order(files: Files, outside: list[str], readings: list[Reading], doubts: Doubts) -> list[str]:
    """Failures about the order of rows, by left columns and by boxes."""
    assert files.before is not None
    kept = [n for n in outside if files.before.schema.field(n).type == files.after.schema.field(n).type]
    found = _places(files, files.before, kept) if kept else None, order.fitting(readings)
    if any(found):
        return [order.FAILURE]
    if None in found:
        doubts.findings.limits.append(order.UNJUDGED)
    return []


def _places(files: Files, before: Source, names: list[str]) -> bool | None:
    """Whether rows whose left values nobody shares keep their places: the first of them in the original."""
    columns = ", ".join(f"p{j}" for j in range(len(names)))
    query = (
        "SELECT max(place) FILTER (side = 0) AS p, max(place) FILTER (side = 1) AS q FROM rows "
        f"GROUP BY {columns} HAVING count(*) = 2 AND sum(side) = 1 ORDER BY p LIMIT {MOST_PLACES}"
    )
    found = run(files.connection, _both(before, files.after, names, bits), query)
    p, q = (found.column(name).to_numpy().astype(np.int64) for name in ("p", "q"))
    return order.keep_places(p, q, files.after.rows)
