"""Long tables as the checker reads them: labels, numbers to the last digit, and what adds up by the hierarchies.

`differences` compares a table that somebody else read with the files themselves, cell by cell and relation by relation.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from pathlib import Path
from typing import Any

from discreet.errors import InputError

Labels = tuple[str, ...]
Values = Mapping[Labels, int]
TOTAL = "Total"
_NUMBERS = ("count", "value", "largest", "second", "largest_by", "second_by", "others_by", "contributors", "status",
            "cost", "lower", "upper", "below", "above", "sliding")  # fmt: skip


def relations_of(values: Values, parents: Sequence[Mapping[str, str]]) -> dict[tuple[int, Labels], list[Labels]]:
    """For each variable and total the parts that are in the table."""
    found: dict[tuple[int, Labels], list[Labels]] = {}
    for labels in values:
        for v, above in enumerate(parents):
            if labels[v] in above:
                total = (*labels[:v], above[labels[v]], *labels[v + 1 :])
                if total in values:
                    found.setdefault((v, total), []).append(labels)
    return found


def differences(
    problem: Any,
    labels: Sequence[Labels],
    variables: Sequence[str],
    path: str | os.PathLike[str],
    hierarchies: Mapping[str, str | os.PathLike[str]] | None = None,
    decimals: int = 0,
) -> list[str]:
    """What the long file says otherwise than `problem`, whose cells have these labels and units of 10^-`decimals`."""
    names, found, places = read_long(path)
    if set(names) != set(variables) or places > decimals:
        return ["the file has other variables or more decimals than the table that was read from it"]
    order = [names.index(name) for name in variables]
    values = {tuple(own[at] for at in order): int(number.scaleb(decimals)) for own, number in found.items()}
    given, rows = hierarchies or {}, problem.relations
    mine = {own: int(value) for own, value in zip(labels, problem.cells.value)}
    failures = [] if mine == values else ["the table that was read from the file has other cells or values"]
    parents = [parents_of(given.get(name), {own[v] for own in values}) for v, name in enumerate(variables)]
    theirs = {(total, frozenset(parts)) for (_, total), parts in relations_of(values, parents).items()}
    read = set()
    for r in range(len(rows.right)):
        own = range(int(rows.start[r]), int(rows.start[r + 1]))
        heads = [labels[int(rows.cell[t])] for t in own if rows.sign[t] < 0]
        parts = frozenset(labels[int(rows.cell[t])] for t in own if rows.sign[t] > 0)
        if len(heads) != 1 or rows.right[r]:
            return [*failures, "a relation of the table is no sum of parts"]
        read.add((heads[0], parts))
    return failures if read == theirs else [*failures, "the table that was read from the file has other relations"]


def read_long(path: str | os.PathLike[str]) -> tuple[list[str], dict[Labels, Decimal], int]:
    """The variables of a long file, the number of each cell, and the most decimals."""
    rows = rows_of(path)
    if not rows:
        raise InputError(f"{path} is empty")
    head = rows[0]
    number = "value" if "value" in head else "count"
    if number not in head:
        raise InputError(f"{path} has neither a column 'count' nor a column 'value'")
    places = [at for at, name in enumerate(head) if name not in _NUMBERS]
    at = head.index(number)
    found: dict[Labels, Decimal] = {}
    for row in rows[1:]:
        try:
            labels, value = tuple(row[place] for place in places), Decimal(row[at])
        except (InvalidOperation, IndexError):
            raise InputError(f"{path}: a row has no number for its cell") from None
        if labels in found or not value.is_finite():
            raise InputError(f"{path}: a cell is listed twice, or has no finite value")
        found[labels] = value
    decimals = max((max(0, -int(value.normalize().as_tuple().exponent)) for value in found.values()), default=0)
    return [head[place] for place in places], found, decimals


def rows_of(path: str | os.PathLike[str]) -> list[list[str]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"cannot read {path}: give a UTF-8 CSV file") from None
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


def parents_of(path: str | os.PathLike[str] | None, labels: set[str]) -> dict[str, str]:
    """The label above each label; without a hierarchy all stand below the total."""
    if path is None:
        return {label: TOTAL for label in labels if label != TOTAL}
    chains = _indented(path) if Path(path).suffix.lower() == ".hrc" else rows_of(path)
    above: dict[str, str] = {}
    known: dict[str, None] = {}
    for at, chain in enumerate(chains):
        chain = [label.strip() for label in chain if label.strip()]
        if (
            at == 0
            and len(chain) == 2
            and chain[0].lower() in ("child", "label", "code")
            and chain[1].lower() == "parent"
        ):
            continue
        known.update(dict.fromkeys(chain))
        for child, parent in pairwise(chain):
            if child != parent:
                above[child] = parent
    tops = [label for label in known if label not in above]
    root = tops[0] if len(tops) == 1 and len(known) > 1 else TOTAL
    for top in tops:
        if top != root:
            above[top] = root
    if root not in labels and TOTAL in labels and TOTAL not in known:
        above = {child: TOTAL if parent == root else parent for child, parent in above.items()}
    return above


def _indented(path: str | os.PathLike[str]) -> list[list[str]]:
    """Chains of a `.hrc` file, where a code stands below the last one with one `@` fewer."""
    stack: list[str] = []
    chains = []
    for line in Path(path).read_text(encoding="utf-8-sig").splitlines():
        code = line.strip()
        if code:
            depth = len(code) - len(code.lstrip("@"))
            stack = [*stack[:depth], code.lstrip("@").strip()]
            chains.append(stack[::-1])
    return chains
