"""Bounds in plain language: exposed, not exposed and not decided are told apart."""

from __future__ import annotations

import discreet as dc
from discreet.instruments.statements.margins import statement

TABLE = dc.Table.from_counts(dc.datasets.autoworkers(), count="count")


def test_what_is_exposed() -> None:
    bounds = dc.bounds(TABLE.margins([("A", "B"), ("C",)]))
    undecided = " ".join(statement(bounds).against_whom)
    assert "is not decided" in undecided
    safe = " ".join(statement(bounds.under({"c": 2, "w": 1}, TABLE)).against_whom)
    assert "c = 2, w = 1 no cell is exposed" in safe
    everything = dc.bounds(TABLE.margins([tuple("ABCDEF")])).under({"c": 2, "w": 3}, TABLE)
    assert "cells are exposed" in " ".join(statement(everything).against_whom)
    assert "[A B], [C]" in statement(bounds).done[0]
