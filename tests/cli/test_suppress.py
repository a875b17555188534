"""`discreet suppress`: files in, a checked pattern out, or one error and nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

TABLE = """region,sector,count,status
Total,Total,60,s
Total,A,20,s
Total,B,40,s
N,Total,25,s
N,A,5,u
N,B,20,s
S,Total,35,s
S,A,15,s
S,B,20,s
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def test_a_long_table_is_published_without_its_hidden_cells(discreet: Callable, table: Path) -> None:
    out, figures, evidence = (table.parent / name for name in ("out.csv", "f.json", "c.json"))
    ran = discreet("suppress", table, "-o", out, "--cost", "value", "--json", figures, "--certificate", evidence)
    assert ran.code == 0, ran.err
    lines = out.read_text().splitlines()
    assert [line for line in lines if line.endswith("hidden")] == [
        "N,A,,hidden",
        "N,B,,hidden",
        "S,A,,hidden",
        "S,B,,hidden",
    ]
    told = json.loads(figures.read_text())
    assert (told["primary"], told["secondary"], told["cost"], told["lower_bound"]) == (1, 3, 55, 55)
    assert (told["gap"], told["status"]) == (0.0, "optimal")
    assert json.loads(evidence.read_text())["format"] == "discreet suppression certificate"


def test_a_problem_keeps_its_lines(discreet: Callable, table: Path) -> None:
    problem, out, evidence = (table.parent / name for name in ("p.jj", "out.jj", "c.json"))
    from discreet.instruments.totals.additive import read_problem, written_problem

    problem.write_text(written_problem(read_problem(table)))
    ran = discreet("suppress", problem, "-o", out, "--certificate", evidence)
    assert ran.code == 0, ran.err
    before, after = (path.read_text().splitlines() for path in (problem, out))
    changed = [(old.split()[3], new.split()[3]) for old, new in zip(before, after) if old != new]
    assert changed == [("s", "m")] * 3
    assert discreet("verify-pattern", problem, out, "--certificate", evidence).code == 0
    forged = json.loads(evidence.read_text())
    forged["proofs"] = [{**proof, "duals": {}} for proof in forged["proofs"]]
    evidence.write_text(json.dumps(forged))
    assert discreet("verify-pattern", problem, out, "--certificate", evidence).code != 0


def test_no_table_goes_by_the_extension_of_another_program(discreet: Callable, table: Path) -> None:
    for name in ("out.tab", "out.rda", "OUT.TAB"):
        ran = discreet("suppress", table, "-o", table.parent / name)
        assert ran.code == 2 and "holds the values of its hidden cells" in ran.err
        assert not (table.parent / name).exists()


def test_what_cannot_be_protected_writes_nothing(discreet: Callable, table: Path) -> None:
    table.write_text(TABLE.replace("N,B,20,s", "N,B,20,z").replace("N,Total,25,s", "N,Total,25,z"))
    out = table.parent / "out.csv"
    ran = discreet("suppress", table, "-o", out)
    assert ran.code == 2
    assert "region = N, sector = A cannot be protected" in ran.err
    assert not out.exists()


def test_the_public_page_has_the_published_cells_and_no_other(discreet: Callable, table: Path) -> None:
    page = table.parent / "page.html"
    assert discreet("suppress", table, "-o", table.parent / "o.csv", "--cost", "value", "--public", page).code == 0
    text = page.read_text()
    assert all(f">{count}<" in text for count in (60, 40, 25, 35))
    assert ">15<" not in text and ">5<" not in text


def test_the_public_page_of_a_problem_lists_its_cells_by_number(discreet: Callable, table: Path) -> None:
    from discreet.instruments.totals.additive import read_problem, written_problem

    problem, page = table.with_name("p.jj"), table.with_name("page.html")
    problem.write_text(written_problem(read_problem(table)))
    assert discreet("suppress", problem, "-o", table.with_name("o.jj"), "--public", page).code == 0
    marked = [line.split() for line in table.with_name("o.jj").read_text().splitlines()[2:11]]
    text = page.read_text()
    shown = re.findall(r"<th[^>]*>\s*(\d+)\s*</th>\s*<td[^>]*>\s*(?:<span[^>]*>)?([^<]*)", text)
    assert shown == [(row[0], "×" if row[3] in "um" else row[1]) for row in marked]


def test_single_respondents_know_their_cell(discreet: Callable, table: Path) -> None:
    table.write_text(
        "region,sector,count,value,contributors,status\n"
        + "Total,Total,9,90,9,s\nTotal,A,4,40,4,s\nTotal,B,5,50,5,s\nN,Total,4,41,4,s\nN,A,1,16,1,u\nN,B,3,25,3,s\n"
        + "S,Total,5,49,5,s\nS,A,3,24,3,s\nS,B,2,25,2,s\n"
    )
    asked, not_asked = (
        discreet("suppress", table, "-o", table.parent / f"{word}.csv", word)
        for word in ("--singletons", "--no-singletons")
    )
    assert asked.code == not_asked.code == 0
    assert "1 single respondents" in asked.out and "respondents" not in not_asked.out


def test_counts_beside_amounts_are_not_told(discreet: Callable, table: Path) -> None:
    """Two hidden cells of one person each: the counts of the others and of the total would tell that."""
    table.write_text("region,count,value,status\nTotal,11,110,s\nN,1,16,u\nS,1,20,s\nW,9,74,s\n")
    out = table.parent / "o.csv"
    assert discreet("suppress", table, "-o", out, "--no-singletons").code == 0
    rows = [line.split(",") for line in out.read_text().splitlines()]
    at = rows[0].index("count")
    assert {row[at] for row in rows[1:]} == {""}
    assert sum(row[-1] == "hidden" for row in rows) == 2
