"""Files about tables: what is published is what was checked, to the byte, and claims in doubt are taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.cli import table_outputs
from discreet.cli.table_outputs import (
    FEW,
    TableFile,
    check_and_write_bounds,
    check_and_write_synthetic,
    kept,
)
from discreet.errors import InputError, UnsafeReleaseError
from discreet.instruments.synthetic import Synthetic
from discreet.instruments.table_bounds import Bounds
from discreet.results import Verdict

# No sharp bounds of these are known in closed form: the check goes side by side.
RELEASES = [("A", "B"), ("B", "C"), ("A", "C")]
# The categories in the order in which the file has them; the checker, which reads text, has an order of its own.
COUNTS = pd.DataFrame(
    [(a, b, c, 3 * i + j + k) for i, a in enumerate("zy") for j, b in enumerate((10, 9)) for k, c in enumerate("qp")],
    columns=["A", "B", "C", "count"],
)


@pytest.fixture
def table(tmp_path: Path) -> TableFile:
    COUNTS.to_csv(tmp_path / "t.csv", index=False)
    return TableFile(str(tmp_path / "t.csv"))


def bounded() -> Bounds:
    return dc.bounds(dc.Table.from_counts(COUNTS).margins(RELEASES))


def drawn() -> Synthetic:
    return dc.simulate(dc.Table.from_counts(COUNTS).margins([("A",), ("B",), ("C",)]), random_state=3)


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_bounds_that_are_proved_are_written_with_what_was_proved(table: TableFile, tmp_path: Path) -> None:
    said: list[tuple[Bounds, Verdict]] = []

    def texts(result: Bounds, verdict: Verdict) -> Mapping[Path, str]:
        said.append((result, verdict))
        return {tmp_path / "more.txt": verdict.outcome}

    result, verdict = check_and_write_bounds(bounded(), str(tmp_path / "out.csv"), table, texts=texts)
    assert verdict.safe and said == [(result, verdict)]
    assert result.proofs == {"sides": 16, "proved": 16, "undecided": 0}
    assert left(tmp_path) == {"t.csv", "out.csv", "more.txt"}
    assert pd.read_csv(tmp_path / "out.csv")["sharp"].all()


@pytest.mark.parametrize(("side", "step"), [("lower", 1), ("upper", -1), ("upper", 1)])
def test_bounds_that_are_off_by_one_leave_no_file(table: TableFile, tmp_path: Path, side: str, step: int) -> None:
    result = bounded()
    values = np.array(getattr(result, side))
    values[np.unravel_index(int(np.argmax(result.upper - result.lower)), values.shape)] += step
    with pytest.raises(UnsafeReleaseError, match="does not confirm"):
        check_and_write_bounds(replace(result, **{side: values}), str(tmp_path / "out.csv"), table)
    assert left(tmp_path) == {"t.csv"}


@pytest.mark.parametrize("cell", range(8))
def test_what_cannot_be_settled_is_not_called_sharp_in_its_own_cell(
    table: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: int
) -> None:
    """The checker's cells are in the order of its text: the doubt must not land on another cell."""
    from discreet.verify.cells import check as cells

    side = cells._Sides._side

    def unsettled(self: cells._Sides, c: int, s: int) -> str:
        return "undecided" if (c, s) == (cell, 1) else side(self, c, s)

    monkeypatch.setattr(cells._Sides, "_side", unsettled)
    result, _ = check_and_write_bounds(bounded(), str(tmp_path / "out.csv"), table)
    assert result.proofs == {"sides": 16, "proved": 15, "undecided": 1}
    assert result.status == "open"
    assert "1 sides could not be proved again" in result.reasons[-1]
    order = sorted(COUNTS[["A", "B", "C"]].astype(str).itertuples(index=False, name=None))
    frame = pd.read_csv(tmp_path / "out.csv", dtype=str)
    doubted = frame[frame["sharp"].str.lower() != "true"]
    assert [tuple(row) for row in doubted[["A", "B", "C"]].to_numpy()] == [order[cell]]


@pytest.mark.parametrize("wrong", ["a bound", "a claim"])
def test_what_was_written_again_is_compared_with_what_was_checked(
    table: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    from discreet.verify.cells import check as cells

    weaken = table_outputs._not_sharp

    def other(result: Bounds, *given: Any) -> Bounds:
        weak = weaken(result, *given)
        return replace(weak, upper=weak.upper + 1) if wrong == "a bound" else result

    monkeypatch.setattr(cells._Sides, "_side", lambda *_: "undecided")
    monkeypatch.setattr(table_outputs, "_not_sharp", other)
    with pytest.raises(UnsafeReleaseError, match="not what was checked"):
        check_and_write_bounds(bounded(), str(tmp_path / "out.csv"), table)
    assert left(tmp_path) == {"t.csv"}


def test_a_file_that_is_there_stays_and_so_do_the_others(table: TableFile, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("precious")
    with pytest.raises(InputError):
        check_and_write_bounds(
            bounded(), str(tmp_path / "out.csv"), table, texts=lambda *_: {tmp_path / "more.txt": "x"}
        )
    assert (tmp_path / "out.csv").read_text() == "precious"
    assert left(tmp_path) == {"t.csv", "out.csv"}
    check_and_write_bounds(bounded(), str(tmp_path / "out.csv"), table, force=True)
    assert (tmp_path / "out.csv").read_text().startswith("A,B,C,lower,upper")


def test_a_synthetic_table_with_the_margins_is_written(table: TableFile, tmp_path: Path) -> None:
    ones = [("A",), ("B",), ("C",)]
    verdict = check_and_write_synthetic(drawn(), str(tmp_path / "out.csv"), table, ones, original="refuse")
    assert verdict.safe and not verdict.figures["original"]
    with pytest.raises(UnsafeReleaseError, match="does not confirm"):
        check_and_write_synthetic(drawn(), str(tmp_path / "two.csv"), table, RELEASES, original="say")
    assert left(tmp_path) == {"t.csv", "out.csv"}


@pytest.mark.parametrize(("tables", "refused"), [(FEW - 1, True), (FEW, False), (None, False)])
def test_of_few_tables_none_is_published_whatever_was_drawn(
    table: TableFile, tmp_path: Path, tables: int | None, refused: bool
) -> None:
    ones, out = [("A",), ("B",), ("C",)], tmp_path / "out.csv"
    few = replace(drawn(), tables=tables)
    if refused:
        with pytest.raises(UnsafeReleaseError, match=f"only {tables} tables"):
            check_and_write_synthetic(few, str(out), table, ones, original="refuse")
        assert not out.exists()
        check_and_write_synthetic(few, str(out), table, ones, original="say")
    else:
        check_and_write_synthetic(few, str(out), table, ones, original="refuse")
    assert out.exists()


@pytest.mark.parametrize("tables", [None, 1000])
def test_the_original_itself_is_refused_or_said(table: TableFile, tmp_path: Path, tables: int | None) -> None:
    truth = dc.Table.from_counts(COUNTS).dense()
    same, ones = replace(drawn(), counts=truth, tables=tables), [("A",), ("B",), ("C",)]
    with pytest.raises(UnsafeReleaseError, match="is the original itself"):
        check_and_write_synthetic(same, str(tmp_path / "out.csv"), table, ones, original="refuse")
    assert left(tmp_path) == {"t.csv"}
    assert check_and_write_synthetic(same, str(tmp_path / "out.csv"), table, ones, original="say").figures["original"]


def test_a_file_is_read_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("A,count\nx,1\n")
    with kept(str(path)) as name:
        assert name == str(path)
