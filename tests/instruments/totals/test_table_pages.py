"""What reports and the public see of a table: published cells, and of hidden ones that they are hidden."""

from __future__ import annotations

import re

import pandas as pd

import discreet as dc
from discreet.instruments.totals.table_pages import HIDDEN, public_page, published_sections, status_sections
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.problem import PRIMARY, SECONDARY

FRAME = pd.DataFrame(
    {
        "region": ["n", "n", "s", "s", "s", "n"],
        "sector": ["<a>", "b", "<a>", "b", "b", "<a>"],
        "size": ["x", "y", "x", "x", "y", "y"],
        "x": [1017, 2029, 4057, 8111, 16127, 32261],
    }
)


def pattern() -> AdditiveTable:
    table = dc.tabulate(FRAME, [["region", "sector"], ["region", "size"]], value="x").table
    status = table.problem.cells.status.copy()
    names = [table.labels(i) for i in range(table.cells)]
    status[names.index(("n", "b", "Total"))] = PRIMARY
    for name in (("n", "<a>", "Total"), ("s", "b", "Total"), ("s", "<a>", "Total")):
        status[names.index(name)] = SECONDARY
    return table.with_status(status)


def test_linked_tables_are_shown_one_by_one() -> None:
    sections = published_sections(pattern())
    assert [section.title for section in sections] == ["region by sector", "region by size"]
    nested = sections[0].nested
    assert nested is not None
    assert [line.labels for line in nested.lines] == [["Total"], ["n"], ["s"]]
    assert nested.lines[1].cells == [("35307", ""), ("protects", "secondary"), ("sensitive", "primary")]


def test_statuses_come_without_amounts() -> None:
    texts = [
        text
        for section in status_sections(pattern())
        if section.nested
        for line in section.nested.lines
        for text, _ in line.cells
    ]
    assert set(texts) == {"·", "sensitive", "protects"}


def test_the_public_page_holds_the_published_cells_and_nothing_else() -> None:
    table = pattern()
    page = public_page(table, title="Turnover & more")
    cells = table.problem.cells
    hidden = {str(value) for value, gone in zip(cells.value.tolist(), cells.hidden.tolist()) if gone}
    shown = {str(value) for value, gone in zip(cells.value.tolist(), cells.hidden.tolist()) if not gone}
    assert hidden
    numbers = set(re.findall(r"<td[^>]*>([^<]*)</td>", page))
    assert numbers == shown - (hidden - shown) | {HIDDEN[0]}
    for word in ("sensitive", "protects", 'primary"', 'secondary"', "contributors", "discreet"):
        assert word not in page
    assert "Turnover &amp; more" in page
    assert "&lt;a&gt;" in page
    assert "<a>" not in page


def test_a_table_without_labels_is_a_list_of_cells_by_number() -> None:
    from discreet.frames.tabular.problems import parse_problem
    from discreet.instruments.totals.additive import _from_problem

    problem = parse_problem("0\n2\n0 4 1 s 0 9 0 0 0\n1 4 1 s 0 9 0 0 0\n1\n0 2 : 0 (-1) 1 (1)\n")
    (section,) = published_sections(_from_problem(problem, rounded=False))
    assert section.nested is not None
    assert [(line.labels, line.cells) for line in section.nested.lines] == [(["0"], [("4", "")]), (["1"], [("4", "")])]


def test_a_total_alone() -> None:
    table = dc.tabulate(pd.DataFrame({"a": ["x"]}), ["a"]).table
    section = published_sections(table)[0]
    assert section.nested is not None
    assert [line.labels for line in section.nested.lines] == [["Total"], ["x"]]
