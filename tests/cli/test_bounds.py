"""The commands of the table room, from file to file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc

RELEASES = ("-r", "A:B", "-r", "B:C", "-r", "A:C", "-r", "C:D:E:F")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    frame = dc.datasets.autoworkers()
    frame[frame["count"] > 0].to_csv(path, index=False)
    return path


def test_from_table_to_verified_bounds(discreet: Callable, table: Path, tmp_path: Path) -> None:
    out, figures, report = tmp_path / "bounds.csv", tmp_path / "b.json", tmp_path / "b.html"
    ran = discreet("bounds", table, *RELEASES, "-o", out, "--json", figures, "--report", report, "--explain")
    assert ran.code == 0, ran.err
    assert "Theorem 2" in ran.err
    frame = pd.read_csv(out)
    assert list(frame.columns) == [*"ABCDEF", "lower", "upper", "sharp"]
    assert len(frame) == 64
    assert frame["sharp"].all()
    assert json.loads(figures.read_text())["sharp_cells"] == 64
    assert "<svg" in report.read_text(encoding="utf-8")
    checked = discreet("verify-bounds", out, table, *RELEASES, "--sample", 8)
    assert checked.code == 0, checked.err
    assert "proved again" in checked.out
    frame.loc[frame["upper"].idxmax(), "upper"] -= 1
    frame.to_csv(out, index=False)
    assert discreet("verify-bounds", out, table, *RELEASES).code == 1


def test_codes_with_leading_zeros_stay_as_they_are(discreet: Callable, tmp_path: Path) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "b.csv"
    path.write_text("area,sex,count\n01,f,3\n01,m,4\n002,f,5\n002,m,6\n")
    assert discreet("bounds", path, "-r", "area", "-r", "sex", "-o", out).code == 0
    assert set(pd.read_csv(out, dtype=str)["area"]) == {"01", "002"}


def test_records_are_counted_where_there_are_no_counts(discreet: Callable, tmp_path: Path) -> None:
    path, out = tmp_path / "people.csv", tmp_path / "b.csv"
    dc.datasets.survey(100, seed=1)[["sex", "dwelling"]].to_csv(path, index=False)
    assert discreet("bounds", path, "-r", "sex", "-r", "dwelling", "-o", out).code == 0
    assert len(pd.read_csv(out)) == 8


def test_simulated_tables_have_the_margins(discreet: Callable, table: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "synthetic.csv", tmp_path / "again.csv"
    assert discreet("simulate", table, *RELEASES, "-o", out, "--seed", 4).code == 0
    assert discreet("simulate", table, *RELEASES, "-o", again, "--seed", 4).code == 0
    assert out.read_bytes() == again.read_bytes()
    drawn = dc.Table.from_counts(pd.read_csv(out))
    truth = dc.Table.from_counts(dc.datasets.autoworkers())
    for release in ("AB", "BC", "AC", "CDEF"):
        assert np.array_equal(drawn.margin(tuple(release)).dense(), truth.margin(tuple(release)).dense())


def test_bad_input_exits_with_2_and_writes_nothing(discreet: Callable, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "bounds.csv"
    ran = discreet("bounds", table, "-r", "A:Q", "-r", "B:", "-o", out)
    assert ran.code == 2
    assert "'Q'" in ran.err
    assert "joined by colons" in ran.err
    assert not out.exists()
    out.write_text("precious")
    assert discreet("bounds", table, "-r", "A:B", "-o", out).code == 2
    assert out.read_text() == "precious"
    assert discreet("bounds", table, "-r", "A:B", "--method", "magic").code == 2


def test_wrong_bounds_are_not_written(
    discreet: Callable, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from discreet.instruments import tables

    true = tables.bounds

    def broken(*arguments: object, **options: object) -> object:
        result = true(*arguments, **options)
        upper = np.array(result.upper)
        upper.reshape(-1)[int(upper.argmax())] -= 1
        return replace(result, upper=upper)

    monkeypatch.setattr(tables, "bounds", broken)
    out, figures = tmp_path / "bounds.csv", tmp_path / "b.json"
    ran = discreet("bounds", table, *RELEASES, "-o", out, "--json", figures)
    assert ran.code == 1
    assert "does not confirm" in ran.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["table.csv"]


def test_what_the_check_cannot_settle_is_not_called_sharp(
    discreet: Callable, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.verify.cells import check as cells

    side = cells._Sides._side
    monkeypatch.setattr(cells._Sides, "_side", lambda self, c, s: "undecided" if c == 5 else side(self, c, s))
    out, figures = tmp_path / "bounds.csv", tmp_path / "b.json"
    ran = discreet("bounds", table, *RELEASES, "-o", out, "--json", figures, "-q")
    assert ran.code == 0, ran.err
    assert "2 sides could not be proved again" in ran.err
    assert int((~pd.read_csv(out)["sharp"]).sum()) == 1
    found = json.loads(figures.read_text())
    assert (found["checked_sides"], found["proved_sides"], found["undecided_sides"]) == (128, 126, 2)
    assert found["sharp_cells"] == 63


def test_every_method_writes_whole_numbers_that_are_confirmed(discreet: Callable, table: Path, tmp_path: Path) -> None:
    for method in ("auto", "shuttle", "shuttle-lines", "buzzigoli-giusti", "lp"):
        out = tmp_path / f"{method}.csv"
        assert discreet("bounds", table, *RELEASES, "-o", out, "--method", method).code == 0
        frame = pd.read_csv(out)
        assert frame["upper"].dtype == frame["lower"].dtype == np.int64
        ran = discreet("verify-bounds", out, table, *RELEASES)
        assert ran.code == 0, ran.out + ran.err


BAD = {
    "fraction": "1.5",
    "negative": "-1",
    "empty": "",
    "NaN": "nan",
    "infinite": "inf",
    "underscore": "1_0",
    "full width": "１２",
    "text": "many",
    "too large": str(2**62 + 1),
    "far too large": "1e300",
    "beyond": "1e99999",
}
GOOD = {"plus": "+5", "space": " 5 ", "exponent": "5e0", "point": "5.0", "largest": str(2**61), "odd": str(2**53 + 1)}


@pytest.mark.parametrize("command", ["bounds", "simulate", "verify-bounds"])
@pytest.mark.parametrize("kind", [*BAD, *GOOD])
def test_counts_are_read_exactly_or_refused(discreet: Callable, tmp_path: Path, command: str, kind: str) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    text = {**BAD, **GOOD}[kind]
    path.write_text(f"a,b,count\nx,p,{text}\nx,q,20\ny,p,30\ny,q,40\n", encoding="utf-8")
    released = ("-r", "a", "-r", "b")
    bounds = tmp_path / "bounds.csv"
    count = {"largest": 2**61, "odd": 2**53 + 1}.get(kind, 5)
    total, sums = count + 90, {"x": count + 20, "y": 70, "p": count + 30, "q": 60}
    rows = [(a, b, max(0, sums[a] + sums[b] - total), min(sums[a], sums[b])) for a in "xy" for b in "pq"]
    bounds.write_text("a,b,lower,upper,sharp\n" + "".join(f"{a},{b},{lo},{hi},true\n" for a, b, lo, hi in rows))
    if command == "verify-bounds":
        ran = discreet(command, bounds, path, *released)
    else:
        # A draw may be the original by chance, which is refused by default.
        said = ("--pinned", "say") if command == "simulate" else ()
        ran = discreet(command, path, *released, "-o", out, *said)
    assert ran.code == (2 if kind in BAD else 0), ran.out + ran.err
    assert text.strip() not in ran.err or not text.strip() or kind in GOOD
    if command == "bounds" and kind in GOOD:
        assert discreet("verify-bounds", out, path, *released).code == 0
        assert [tuple(row) for row in pd.read_csv(out).itertuples(index=False)] == [(*row, True) for row in rows]


AMOUNTS = "region,sector,turnover\n" + "".join(
    f"{r},{s},{100 * i + 7.5}\n" for i, (r, s) in enumerate(["NA", "NB", "SA", "SB"])
)
SMALL = "a,b,c,count\nx,x,x,1\nx,y,x,0\nx,x,y,9\nx,y,y,4\ny,x,x,0\ny,y,x,8\ny,x,y,30\ny,y,y,2\n"


def test_both_facts_stand_apart(discreet: Callable, tmp_path: Path) -> None:
    """That bounds are proven is no word about whether cells are exposed."""
    table, figures, report = tmp_path / "table.csv", tmp_path / "b.json", tmp_path / "b.html"
    table.write_text(SMALL)
    words = ("bounds", table, "-r", "a:b", "-r", "b:c", "--json", figures, "--report", report, "--force")
    ran = discreet(*words)
    assert ran.code == 0, ran.err
    assert (
        "sides proved again" in ran.err and "under the policy c = 2, w = 3: 2 cells with a count of 1 to 2" in ran.err
    )
    assert "a x, b x, c x" not in ran.err
    assert "a x, b x, c x: 0 to 1" in discreet(*words, "--explain").err
    told = json.loads(figures.read_text())["policy"]
    assert (
        told["c"] == 2 and told["sensitive"] == 2 and told["exposed"] >= 1 and not told["safe"] and told["true_counts"]
    )
    page = report.read_text()
    assert "The bounds are proven" in page and "Exposed: 2 cells" in page
    assert page.index('class="verdict safe"') < page.index('class="verdict unsafe"')
    calm = discreet(*words, "--policy", "c=1,w=1")
    assert "under the policy c = 1, w = 1: 1 cells" in calm.err and "Not exposed" in report.read_text()
    rule = tmp_path / "policy.toml"
    rule.write_text("c = 1\nw = 1\n")
    assert discreet(*words, "--policy", rule).err.split("exposed")[1] == calm.err.split("exposed")[1]


def test_variables_for_records(discreet: Callable, tmp_path: Path) -> None:
    records, out = tmp_path / "records.csv", tmp_path / "b.csv"
    dc.datasets.survey(80, seed=1)[["sex", "dwelling", "education", "income"]].to_csv(records, index=False)
    words = ("-r", "sex:dwelling", "-r", "dwelling:education", "-o", out)
    ran = discreet("bounds", records, *words)
    assert ran.code == 2 and "no table of counts: income holds amounts" in ran.err and not out.exists()
    chosen = ("--variables", "sex:dwelling:education")
    assert discreet("bounds", records, *words, *chosen).code == 0
    assert pd.read_csv(out).columns.tolist() == ["sex", "dwelling", "education", "lower", "upper", "sharp"]
    assert discreet("verify-bounds", out, records, *words[:4], *chosen).code == 0
    drawn = discreet("simulate", records, *words[:4], *chosen, "--pinned", "say", "-o", tmp_path / "s.csv")
    assert drawn.code in (0, 1), drawn.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (AMOUNTS, "turnover holds amounts"),
        ("a,b,count,value,largest\nx,y,3,100,50\nx,z,4,70,30\n", "value, largest holds amounts"),
        ("a,b,count\nx,y,3\nTotal,y,3\nx,Total,3\nTotal,Total,3\n", "Total of a, b"),
    ],
)
def test_amounts_and_totals_are_no_counts(discreet: Callable, tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    first, second = text.split(",")[:2]
    release = ("-r", first, "-r", second)
    ran = discreet("bounds", path, *release)
    assert ran.code == 2 and words in ran.err
    assert discreet("bounds", path, *release, "--variables", f"{first}:{second}").code == 0
