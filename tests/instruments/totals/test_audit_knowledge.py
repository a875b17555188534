"""What attackers know, as data: cells by number or label, boxes of rounded and relative figures, sentences."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from verify.tabular.cases import written

import discreet as dc
from discreet.errors import InputError
from discreet.instruments.totals.additive import read_problem
from discreet.instruments.totals.audit_knowledge import RING, Knowledge, attacker_view, cell_number, rounded_values
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.holder import Holder

LONG = """sex,region,count,status
Total,Total,18,s
Total,a,5,s
Total,b,13,s
f,Total,8,s
f,a,3,u
f,b,5,m
m,Total,10,s
m,a,2,m
m,b,8,m
"""


@pytest.fixture
def table(tmp_path: Path) -> AdditiveTable:
    path = tmp_path / "t.csv"
    path.write_text(LONG)
    return read_problem(path)


def test_cells_by_number_and_by_label(table: AdditiveTable) -> None:
    for cell in range(table.cells):
        assert cell_number(table, cell) == cell_number(table, np.int64(cell)) == cell
        assert cell_number(table, table.labels(cell)) == cell
    for wrong, words in ((-1, "no cell -1"), (9, "no cell 9"), (("f",), "2 labels"), (("f", "zz"), "these labels")):
        with pytest.raises(InputError, match=words):
            cell_number(table, wrong)


def test_numbered_problems_have_no_labels(tmp_path: Path) -> None:
    problem = read_problem(written(tmp_path / "p.jj"))
    assert cell_number(problem, 3) == 3
    with pytest.raises(InputError, match="a cell is its number"):
        cell_number(problem, ("f", "a"))


def test_several_releases_hide_only_what_each_hides(table: AdditiveTable) -> None:
    hidden = table.problem.cells.hidden
    earlier = hidden.copy()
    earlier[np.flatnonzero(hidden)[0]] = False
    _, seen, _ = attacker_view(table, Knowledge(earlier=(earlier,)))
    assert seen.tolist() == (hidden & earlier).tolist() != hidden.tolist()
    assert attacker_view(table, Knowledge())[1].tolist() == hidden.tolist()


@pytest.mark.parametrize("base", [1, 2, 3, 5, 10])
def test_boxes_of_rounded_cells_hold_what_rounds_alike(table: AdditiveTable, base: int) -> None:
    problem, hidden, _ = attacker_view(table, Knowledge(rounding=base))
    assert hidden.all(), "a rounded cell is not published"
    cells, value = problem.cells, table.problem.cells.value
    for cell in np.flatnonzero(~table.problem.cells.hidden).tolist():
        near = [v for v in range(60) if abs(v - round(v / base) * base) * 2 <= base]
        alike = [v for v in near if any(abs(v - m) * 2 <= base and abs(value[cell] - m) * 2 <= base
                                        for m in range(0, 80, base))]  # fmt: skip
        limits = table.problem.cells
        alike = [v for v in alike if limits.lower[cell] <= v <= limits.upper[cell]]
        assert cells.lower[cell] <= value[cell] <= cells.upper[cell]
        assert set(range(int(cells.lower[cell]), int(cells.upper[cell]) + 1)) <= set(alike) | {int(value[cell])}


def test_what_cannot_be_rounded_is_said(table: AdditiveTable) -> None:
    for base in (0, True, 2.5, {("f", "a"): -1}):
        with pytest.raises(InputError, match="rounding must be"):
            attacker_view(table, Knowledge(rounding=base))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no multiple of the base"):
        attacker_view(table, Knowledge(rounding=5, rounded=np.full(9, 7)))


def test_rounded_values_in_the_unit_of_the_true_ones(table: AdditiveTable) -> None:
    again = rounded_values(table, table)
    assert again.tolist() == table.problem.cells.value.tolist()
    finer = table._replace(decimals=1) if hasattr(table, "_replace") else None
    if finer is not None:
        assert rounded_values(finer, table).tolist() == (10 * table.problem.cells.value).tolist()


def test_attackers_are_numbered_and_all_that_is_wrong_is_said(table: AdditiveTable) -> None:
    known = attacker_view(table, Knowledge(stated=([("f", "b")], [0, 5]), singletons=False))[2]
    assert [own.tolist() for own in known.attackers] == [[cell_number(table, ("f", "b"))], [0, 5]]
    assert known.respondents == 0
    with pytest.raises(InputError) as caught:
        attacker_view(table, Knowledge(stated=([99], [("x", "y")])))
    assert len(caught.value.faults) == 2


def test_sentences_say_what_is_assumed(table: AdditiveTable) -> None:
    assert Knowledge().told()[-1] == "knows no hidden cell beforehand"
    flags = np.ones(9, bool)
    told = Knowledge(
        earlier=(flags, flags), rounding=5, percentages={4: (0, 1)}, attackers=(np.array([1]),) * 3, respondents=2
    ).told()
    words = " ".join(told)
    assert "2 earlier releases" in words and "half their base" in words and "percentages of 1 hidden" in words
    assert "2 single respondents and 1 stated attackers" in words
    assert "the base less one unit" in " ".join(Knowledge(rounding=5, rounded=np.zeros(1, np.int64)).told())


def test_parts_of_holders_in_units_of_the_values() -> None:
    holder = Holder(np.array([2, 7]), np.array([150, 30]), np.array([900, 30]))
    assert Knowledge(holders=(holder,)).known_parts(1) == [
        {2: (Fraction(15), Fraction(90)), 7: (Fraction(3), Fraction(3))}
    ]
    assert Knowledge().known_parts() == []


def test_percentages_of_a_hidden_total_say_nothing(table: AdditiveTable) -> None:
    with pytest.raises(InputError, match="hidden itself"):
        attacker_view(table, Knowledge(percentages={4: (5, 0)}))
    with pytest.raises(InputError, match="0 to 9 decimals"):
        attacker_view(table, Knowledge(percentages={4: (0, 10)}))
    problem = attacker_view(table, Knowledge(percentages={("f", "a"): (("Total", "Total"), 0)}))[0]
    low, high = int(problem.cells.lower[4]), int(problem.cells.upper[4])
    assert [v for v in range(19) if round(100 * v / 18) == round(100 * 3 / 18)] == list(range(low, high + 1))
    assert dc is not None


def test_what_lies_half_way_is_named(tmp_path: Path) -> None:
    """15 to the nearest ten may be published as 10 or 20, and what follows for the hidden cell is not the same."""
    path = tmp_path / "t.csv"
    path.write_text("a,count,status\nTotal,15,s\nx,5,u\ny,10,m\n")
    words = "a figure exactly half way between two multiples rounded down"
    found = dc.audit(path, rounding=10, singletons=False)
    assert any(words in line for line in found.knowledge.told())
    assert any(words in limit for limit in found.verify().limits)
    assert not any("half way" in line for line in dc.audit(path, rounding=4, singletons=False).knowledge.told())
    given = dc.audit(path, rounding=(10, rounded_to(path, 10)), singletons=False)
    assert not any("half way" in line for line in given.knowledge.told())


def rounded_to(path: Path, base: int) -> AdditiveTable:
    table = read_problem(path)
    value = table.problem.cells.value // base * base
    value[0] = 20 if value[1] + value[2] == 20 else 10
    cells = table.problem.cells._replace(value=value, lower=value, upper=value)
    return table.with_problem(table.problem._replace(cells=cells))


@pytest.mark.parametrize(("part", "half"), [(1, 1), (2, 0), (3, 1), (4, 0)])
def test_a_percentage_half_way_is_named(part: int, half: int, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"a,count,status\nTotal,200,s\nx,{part},u\ny,{200 - part},m\n")
    told = dc.audit(path, percentages={("x",): (("Total",), 0)}, singletons=False).knowledge
    assert told.halves == half
    assert any("half way" in line for line in told.uncovered()) == bool(half)


@pytest.mark.parametrize(("by", "ring"), [(["xy", "yz", "xz"], True), (["xy", "yz"], False)])
def test_what_tables_in_a_ring_tell_is_named_as_not_covered(by: list[str], ring: bool) -> None:
    records = pd.DataFrame([list(each) for each in ("aaa", "aab", "aba", "abb", "bba")], columns=list("xyz"))
    made = dc.tabulate(records, [list(names) for names in by], rules=["frequency=2"])
    found = dc.suppress(made, cost="unit", singletons=False)
    assert (RING in found.knowledge.uncovered()) == (RING in found.verify().limits) == ring
    plain = dc.tabulate(records, [list(names) for names in by])
    assert (f"is not taken for {RING}" in dc.round_table(plain, 3).audit().attackers) == ring
    assert (f"is not taken for {RING}" in dc.round_table(made, 5).audit().attackers) == ring


def test_amounts_in_thousands_are_taken_for_any_numbers() -> None:
    records = pd.DataFrame(
        [("a", "k", 2000), ("a", "l", 3000), ("b", "k", 4000), ("b", "l", 7000), ("c", "k", 5000), ("c", "l", 1000)],
        columns=["x", "y", "v"],
    )
    words = "multiples of 1000, and takes"
    found = dc.suppress(dc.tabulate(records, ["x", "y"], value="v"), hidden=[("a", "k")], cost="unit")
    assert any(words in text for text in found.knowledge.uncovered())
    assert any(words in text for text in dc.audit(found.table).verify().limits)
    fine = dc.tabulate(records.assign(v=records["v"] + 1), ["x", "y"], value="v")
    assert not any("multiples" in text for text in dc.suppress(fine, hidden=[("a", "k")]).knowledge.uncovered())
    counted = dc.suppress(dc.tabulate(records, ["x", "y"], rules=["frequency=2"]), hidden=[("a", "k")])
    assert not any("multiples" in text for text in counted.knowledge.uncovered()), "persons are counted one by one"
