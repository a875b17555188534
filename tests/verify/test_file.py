"""Which names mean several files in a row."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from discreet.verify.file import File, is_in_parts


def test_folders_patterns_and_datasets_are_in_parts(tmp_path: Path) -> None:
    assert is_in_parts(tmp_path) and is_in_parts(str(tmp_path)) and is_in_parts(File(path=tmp_path))
    for mark in ("*.parquet", "part-?.csv", "part-[0-9].csv"):
        assert is_in_parts(str(tmp_path / mark))
    assert is_in_parts(SimpleNamespace(paths=["a", "b"]))


def test_one_file_is_not_even_if_its_name_looks_like_a_pattern(tmp_path: Path) -> None:
    odd = tmp_path / "who[1]?.csv"
    odd.touch()
    assert not is_in_parts(odd)
    assert not is_in_parts(tmp_path / "none.csv")
    assert not is_in_parts(File(data=b"x\n1\n"))
    assert not is_in_parts(pd.DataFrame({"paths": ["a"]}))


def test_bytes_are_not_shown() -> None:
    assert "secret" not in repr(File(data=b"secret"))
