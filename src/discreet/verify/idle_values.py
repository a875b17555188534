"""Values that a published column lists and no row has: what they say goes out with the file.

A column that is stored by a dictionary (a categorical of pandas, a dictionary of Arrow and Parquet) may list values
that stand in no row: a row that was left out, a value that was blanked, any sentence. What the original itself lists or
has is no news, only a limit where the release was to hide it; what it has not is a failure, accepted or not.
"""

from __future__ import annotations

from collections.abc import Collection

from discreet.verify.other_columns import Findings
from discreet.verify.readers.column import Table, shown_list
from discreet.verify.values.meaning import texts

NEWS = "the dictionary of column {} lists values that stand in no row, nor in the original"
HIDDEN = "the dictionaries of {} list values of the original that stand in no published row"


def idle_values(before: Table, after: Table, findings: Findings) -> None:
    """Say which columns list values that no row has."""
    known = set(before.names)
    news: list[str] = []
    hidden: list[str] = []
    for name in after.names:
        idle = after.idle(name)
        if not idle:
            continue
        theirs = _listed(before, name) if name in known else ()
        (hidden if all(text in theirs for text in idle) else news).append(name)
    if news:
        findings.altered(news, NEWS)
    if hidden:
        findings.limits.append(HIDDEN.format(shown_list(hidden)))


def _listed(table: Table, name: str) -> Collection[str]:
    """The texts of all values that a column has or lists."""
    column = table.column(name)
    values = map(str, column.entries) if isinstance(column.entries, list) else texts(column)
    return {*values, *table.idle(name)}
