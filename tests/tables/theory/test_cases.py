"""The case that applies, and that it is said in words, with the sets of variables it rests on."""

from __future__ import annotations

import pytest
from oracles.table_cases import random_table

from discreet.tables.theory.cases import Case, case_of, explain_margins
from discreet.tables.theory.graph import decompose

CYCLE = [("V1", "V2"), ("V2", "V3"), ("V3", "V4"), ("V1", "V4")]


@pytest.mark.parametrize(
    ("releases", "case", "words"),
    [
        ([("V1", "V2"), ("V2", "V3"), ("V3", "V4")], "decomposable", ["Theorem 1", "Separators: [V3], [V2]"]),
        ([("V1", "V2"), ("V2", "V3"), ("V1", "V3"), ("V3", "V4")], "reducible", ["Theorem 2", "to be computed"]),
        (CYCLE, "irreducible", ["no closed form"]),
        ([("V1", "V2"), ("V2",)], "reducible", ["Contained in others and left out: [V2]", "No margin contains V3, V4"]),
    ],
)
def test_cases(releases: list[tuple[str, ...]], case: Case, words: list[str]) -> None:
    margins = random_table(1, (2, 2, 2, 2)).margins(releases)
    tree = decompose(4, margins.values)
    assert case_of(tree) == case
    said = explain_margins(margins, tree)
    assert all(some in said for some in words), said
