"""`discreet audit` and `discreet verify-pattern`: exit codes, files, and what is refused."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from references import reference
from verify.tabular.cases import written


def test_the_public_pattern_is_unsafe(discreet: Callable[..., Any], tmp_path: Path) -> None:
    path = reference("sumit_pattern.jj")
    names = {name: tmp_path / name for name in ("i.csv", "a.json", "c.json", "r.html")}
    ran = discreet(
        *("audit", path, "-o", names["i.csv"], "--json", names["a.json"]),
        *("--certificate", names["c.json"], "--report", names["r.html"]),
    )
    assert ran.code == 1 and "cell 219; cell 854" in ran.out
    told = json.loads(names["a.json"].read_text())
    assert told["hidden"] == 793 and told["exposed"] == [219, 854] and told["open_sides"] == 0
    with names["i.csv"].open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 793
    by_cell = {row["cell"]: row for row in rows}
    assert by_cell["219"]["exposed"] == "above below" and by_cell["7"]["lower"] == "119.85"
    again = discreet("verify-pattern", path, "--certificate", names["c.json"])
    assert again.code == 1 and "1586 ends of intervals hold, 1586 of them are attained" in again.out


def test_a_safe_pattern(discreet: Callable[..., Any], tmp_path: Path) -> None:
    problem, pattern = written(tmp_path / "p.jj"), written(tmp_path / "o.jj", "ssssumsmm")
    assert discreet("audit", pattern).code == 0
    assert discreet("audit", pattern, "--levels-only", "--quiet").out == ""
    assert discreet("audit", pattern, "--known", "5").code == 1
    assert discreet("verify-pattern", problem, pattern, "--json", tmp_path / "v.json").code == 0
    assert json.loads((tmp_path / "v.json").read_text())["outcome"] == "safe"
    assert discreet("verify-pattern", problem).code == 1
    assert discreet("verify-pattern", problem, pattern, "--known", "7,8").code == 1


def halves(path: Path, top: int) -> Path:
    """y0 + y1 = y1 + y2 = y2 + y0 = y3 ≤ top, odd: fractions reach it, whole numbers, being even, do not."""
    cells = [f"{i} 1 1 m 0 {2 * top} 0 0 0" for i in range(3)] + [f"3 2 1 u 0 {top} 1 {top - 2} 0"]
    rows = [f"0 3 : {a} (1) {b} (1) 3 (-1)" for a, b in ((0, 1), (1, 2), (2, 0))]
    path.write_text("\n".join(["0", "4", *cells, "3", *rows]) + "\n")
    return path


def test_whole_numbers_settle_what_fractions_do_not(discreet: Callable[..., Any], tmp_path: Path) -> None:
    path, proofs = halves(tmp_path / "h.jj", 5), tmp_path / "c.json"
    for words in (("audit", "--certificate", proofs), ("audit", "--levels-only"), ("verify-pattern",)):
        assert discreet(words[0], path, *words[1:]).code == 1, words
    ran = discreet("verify-pattern", path, "--certificate", proofs)
    assert ran.code == 1 and "8 ends of intervals hold, 8 of them are attained" in ran.out


def test_cannot_tell_is_neither(discreet: Callable[..., Any], tmp_path: Path) -> None:
    path = halves(tmp_path / "h.jj", 10**9 + 1)  # no proof in whole numbers is looked for in boxes so wide
    for words in (("audit",), ("audit", "--levels-only"), ("verify-pattern",)):
        ran = discreet(words[0], path, *words[1:])
        assert ran.code == 2, words
        assert "cell 3" in ran.out and "cannot tell" in ran.out


def test_an_earlier_release_counts(discreet: Callable[..., Any], tmp_path: Path) -> None:
    now, before = written(tmp_path / "p.jj", "ssssumsmm"), written(tmp_path / "e.jj", "ssssussmm")
    assert discreet("audit", now, "--earlier", before).code == 1
    assert discreet("audit", written(tmp_path / "a.jj", "ssssussss"), "--rounding", "5").code == 0


def test_what_controlled_rounding_published_is_said(discreet: Callable[..., Any], tmp_path: Path) -> None:
    table, rounded = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_text("region,count,status\nTotal,18,s\nN,5,s\nS,13,u\n")
    assert discreet("round", table, "--base", "5", "-o", rounded).code == 0
    assert "half their base" in discreet("audit", table, "--rounding", "5").out
    ran = discreet("audit", table, "--rounding", "5", "--rounded", rounded)
    assert ran.code == 0 and "the base less one unit" in ran.out
    assert discreet("audit", table, "--rounded", rounded).code == 2


def test_bad_words_write_nothing(discreet: Callable[..., Any], tmp_path: Path) -> None:
    pattern, out = written(tmp_path / "o.jj", "ssssumsmm"), tmp_path / "i.csv"
    for words in (
        ("--levels-only", "-o", out),
        ("--known", "x", "-o", out),
        ("--known", "77", "-o", out),
        ("--hierarchy", "a=b.csv", "-o", out),
    ):
        ran = discreet("audit", pattern, *words)
        assert ran.code == 2 and ran.err and not out.exists(), words
    wrong = written(tmp_path / "w.jj", "ssssumsmm", values=[18, 5, 13, 8, 4, 5, 10, 2, 8])
    ran = discreet("audit", wrong, "-o", out)
    assert ran.code == 2 and "does not add up" in ran.err and not out.exists()
    assert discreet("verify-pattern", wrong).code == 2
