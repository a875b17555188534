from __future__ import annotations

from pathlib import Path

import pytest
from references import reference

import discreet as dc


def test_autoworkers_ships_with_the_package() -> None:
    table = dc.datasets.autoworkers()
    assert len(table) == 64
    assert table["count"].sum() == 1841
    assert [name for name in table.columns if name != "count"] == list("ABCDEF")


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("census", 1080, 13),
        ("tarragona", 834, 13),
        ("eia", 4092, 11),
        ("adult", 30162, 9),
        ("rochdale", 256, 9),
    ],
)
def test_the_literature(name: str, rows: int, columns: int) -> None:
    reference(f"{name}.csv")
    assert getattr(dc.datasets, name)().shape == (rows, columns)


def test_an_absent_file_says_where_to_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.datasets import reference as module

    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    monkeypatch.setattr(module, "__file__", str(tmp_path / "a" / "b" / "c" / "d" / "e" / "reference.py"))
    with pytest.raises(dc.InputError, match=r"sdcMicro.*DISCREET_DATA"):
        dc.datasets.census()
