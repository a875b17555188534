"""Labels of a hierarchy and the values below each, whatever describes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.errors import InputError
from discreet.verify.values.hierarchies import labels_of

ROWS = [("Bern", "West", "*"), ("Genf", "West", "*"), ("Chur", "East", "*")]
LABELS = {
    "Bern": {"Bern"},
    "Genf": {"Genf"},
    "Chur": {"Chur"},
    "West": {"Bern", "Genf"},
    "East": {"Chur"},
    "*": {"Bern", "Genf", "Chur"},
}


class Given:
    """As an instrument holds it."""

    def rows(self) -> list[tuple[str, ...]]:
        return ROWS


@pytest.mark.parametrize(
    "given",
    [ROWS, Given(), {"*": {"West": ["Bern", "Genf"], "East": ["Chur"]}}, [list(row) for row in ROWS]],
    ids=["rows", "object", "nested", "lists"],
)
def test_every_description_gives_the_same_labels(given: Any) -> None:
    found = labels_of({"city": given}, "city")
    assert found is not None and {label: set(values) for label, values in found.items()} == LABELS
    assert labels_of({"city": given}, "other") is None and labels_of(None, "city") is None


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_files_of_any_delimiter(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text("\n".join(delimiter.join(row) for row in ROWS), encoding="utf-8-sig")
    for given in (path, str(path)):
        found = labels_of({"city": given}, "city")
        assert found is not None and found["West"] == {"Bern", "Genf"}


def test_a_label_at_several_places_is_an_error_unless_it_stands_on_one_level() -> None:
    with pytest.raises(InputError, match="several places"):
        labels_of({"x": [("a", "low", "*"), ("b", "*"), ("low", "high", "*")]}, "x")
    found = labels_of({"x": [("a", "odd", "p"), ("b", "odd", "q")]}, "x")
    assert found is not None and found["odd"] == {"a", "b"}, "a table of equal rows needs to be no tree"


def test_a_label_repeated_in_a_row_is_one() -> None:
    found = labels_of({"x": [("a", "a", "*"), ("b", "c", "*")]}, "x")
    assert found is not None and found["a"] == {"a"}


@pytest.mark.parametrize("given", [3, [4, 5], "absent.csv", object()])
def test_what_is_no_hierarchy_is_said_by_column(given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="column city"):
        labels_of({"city": given}, "city")
