"""`discreet verify-pattern`: a certificate made from any input and option is checked from the files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROWS = [
    ("Total", "Total", 90, 9), ("Total", "A", 40, 4), ("Total", "B", 50, 5),
    ("N", "Total", 41, 4), ("N", "A", 16, 1), ("N", "B", 25, 3),
    ("S", "Total", 49, 5), ("S", "A", 24, 3), ("S", "B", 25, 2),
]  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    lines = [f"{r},{s},{value / 10:.1f},{number},{'u' if number == 1 else 's'}" for r, s, value, number in ROWS]
    path.write_text("\n".join(["region,sector,value,contributors,status", *lines]) + "\n")
    return path


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--cost", "unit"),
        ("--no-singletons",),
        ("--singletons",),
        ("--known", "5"),
        ("--no-singletons", "--known", "8"),
    ],
)
def test_a_long_table_with_options(discreet: Callable[..., Any], table: Path, words: tuple[str, ...]) -> None:
    proof, out, numbered = (table.with_name(name) for name in ("c.json", "o.csv", "o.jj"))
    made = discreet("suppress", table, "-o", out, "--certificate", proof, *words)
    assert made.code == 0, made.err
    ran = discreet("verify-pattern", table, out, "--certificate", proof, *words)
    assert ran.code == 0 and "no protecting pattern costs less" in ran.out, ran.out + ran.err
    assert discreet("suppress", table, "-o", numbered, "--force", *words).code == 0
    ran = discreet("verify-pattern", table, numbered, "--certificate", proof, *words)
    assert ran.code == 0, ran.out + ran.err


def test_other_options_are_another_problem(discreet: Callable[..., Any], table: Path) -> None:
    proof, out = table.with_name("c.json"), table.with_name("o.csv")
    assert discreet("suppress", table, "-o", out, "--certificate", proof, "--no-singletons").code == 0
    check = ("verify-pattern", table, out, "--certificate", proof)
    assert discreet(*check, "--no-singletons").code == 0
    ran = discreet(*check, "--no-singletons", "--cost", "unit")
    assert ran.code == 1 and "another cost" in ran.out
    assert discreet(*check, "--no-singletons", "--known", "5").code == 1, "who knows N, B undoes the cycle"
    shown = table.with_name("e.csv")
    shown.write_text(out.read_text().replace("N,B,,hidden", "N,B,2.5,s"))
    ran = discreet(*check, "--no-singletons", "--earlier", shown)
    assert ran.code == 1 and "must be published and is hidden" in ran.out


def test_an_earlier_release_is_part_of_the_problem(discreet: Callable[..., Any], table: Path) -> None:
    first, proof, out = (table.with_name(name) for name in ("e.csv", "c.json", "o.csv"))
    assert discreet("suppress", table, "-o", first, "--no-singletons").code == 0
    words = ("--no-singletons", "--earlier", first)
    assert discreet("suppress", table, "-o", out, "--certificate", proof, *words).code == 0
    assert discreet("verify-pattern", table, out, "--certificate", proof, *words).code == 0


def test_what_is_published_otherwise_is_no_pattern(discreet: Callable[..., Any], table: Path) -> None:
    out = table.with_name("o.csv")
    assert discreet("suppress", table, "-o", out, "--no-singletons").code == 0
    text = out.read_text()
    out.write_text(text.replace("N,A,,hidden", "N,A,1.6,s"))
    assert discreet("verify-pattern", table, out, "--no-singletons").code == 1
    out.write_text(text.replace("Total,A,4", "Total,A,5"))
    assert discreet("verify-pattern", table, out, "--no-singletons").code == 2


def test_a_hierarchy_rules_and_an_audit(discreet: Callable[..., Any], tmp_path: Path) -> None:
    table, tree, proof, out = (tmp_path / name for name in ("t.csv", "r.csv", "c.json", "o.csv"))
    leaves = {("n1", "A"): 2, ("n1", "B"): 9, ("n2", "A"): 8, ("n2", "B"): 7, ("s", "A"): 11, ("s", "B"): 12}
    groups = {"n1": "n", "n2": "n", "s": "s"}
    cells: dict[tuple[str, str], int] = {}
    for (region, sector), count in leaves.items():
        for up in {region, groups[region], "Total"}:
            for other in (sector, "Total"):
                cells[up, other] = cells.get((up, other), 0) + count
    table.write_text("region,sector,count\n" + "".join(f"{r},{s},{n}\n" for (r, s), n in cells.items()))
    tree.write_text("n1,n,Total\nn2,n,Total\ns,Total\n")
    words = ("--hierarchy", f"region={tree}", "--rule", "frequency=3", "--rule", "range=50")
    assert discreet("suppress", table, "-o", out, "--certificate", proof, *words).code == 0
    ran = discreet("verify-pattern", table, out, "--certificate", proof, *words)
    assert ran.code == 0, ran.out + ran.err
    marked = tmp_path / "m.csv"
    hidden = {tuple(line.split(",")[:2]) for line in out.read_text().splitlines() if line.endswith("hidden")}
    marks = {key: "u" if count < 3 else "m" if key in hidden else "s" for key, count in cells.items()}
    lines = [f"{r},{s},{n},{marks[r, s]}\n" for (r, s), n in cells.items()]
    marked.write_text("region,sector,count,status\n" + "".join(lines))
    audit = tmp_path / "a.json"
    assert discreet("audit", marked, *words[:2], "--certificate", audit).code == 0
    ran = discreet("verify-pattern", marked, "--certificate", audit, *words[:2])
    assert ran.code == 0 and "ends of intervals hold" in ran.out, ran.out + ran.err


def test_tables_of_argus_and_linked_ones(discreet: Callable[..., Any], tmp_path: Path) -> None:
    micro = tmp_path / "m.csv"
    rows = [f"{'NSW'[i % 3]},{'AB'[i % 2]},{'xy'[i % 5 % 2]},{7 * i % 50 + 1}" for i in range(40)]
    micro.write_text("region,sector,size,turnover\n" + "\n".join(rows) + "\n")
    argus, one, two, proof, out = (tmp_path / n for n in ("t.tab", "one.csv", "two.csv", "c.json", "o.jj"))
    tabulate = ("tabulate", micro, "--value", "turnover")
    assert discreet(*tabulate, "--by", "region,sector", "-o", argus).code == 0
    rule = ("--rule", "dominance=1,30")
    assert discreet("suppress", argus, "-o", out, "--certificate", proof, *rule).code == 0
    ran = discreet("verify-pattern", argus, out, "--certificate", proof, *rule)
    assert ran.code == 0, ran.out + ran.err
    for path, by in ((one, "region,sector"), (two, "region,size")):
        assert discreet(*tabulate, "--by", by, "-o", path).code == 0
    made = discreet("suppress", one, two, "-o", out, "--certificate", proof, "--force", *rule)
    assert made.code == 0, made.err
    words = ("--linked", two, "--certificate", proof, *rule, "--json", tmp_path / "v.json")
    ran = discreet("verify-pattern", one, out, *words)
    assert ran.code == 0, ran.out + ran.err
    assert json.loads((tmp_path / "v.json").read_text())["outcome"] == "safe"
