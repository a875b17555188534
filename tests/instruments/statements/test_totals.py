"""Tables with totals in plain language: no rule, no reason and no small count is told."""

from __future__ import annotations

import re

from discreet.instruments.statements import totals
from tests.report.planted import counted, planted


def said(found: object) -> str:
    return " ".join(sentence for _, sentences in found.questions() for sentence in sentences)  # type: ignore[attr-defined]


def test_a_table_as_it_is() -> None:
    words = said(totals.tabulated(counted()))
    assert "Records were counted by area, branch" in words and "Nobody" in words and "frequency" not in words


def test_hidden_cells() -> None:
    result = planted("SuppressedTable").result
    words = said(totals.suppressed(result))  # type: ignore[arg-type]
    assert "About 44 % of the cells are not shown" in words
    assert "proven" not in words and "optimal" not in words
    assert not re.search(r"\b[1-3]\b", words)


def test_rounded_figures() -> None:
    words = said(totals.rounded(planted("RoundedTable").result))  # type: ignore[arg-type]
    assert "multiples of 5" in words and "Each is one of the two next to its value." in words


def test_noise() -> None:
    result = planted("CellKeyTable").result
    words = said(totals.with_noise(result))  # type: ignore[arg-type]
    assert ("inferred exactly" in words) == bool(result.exact_by_sums)  # type: ignore[attr-defined]


def test_an_audit_says_its_outcome() -> None:
    words = said(totals.audited(planted("Audit").result))  # type: ignore[arg-type]
    assert "Every sensitive cell is protected" in words
