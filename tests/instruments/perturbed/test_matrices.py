from __future__ import annotations

from pathlib import Path

import pytest

import discreet as dc
from discreet.instruments.perturbed.matrices import read_matrix


def test_a_matrix_is_read_row_by_row(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("value,f,m\nf,0.7,0.3\nm,0.1,0.9\n")
    assert read_matrix(tmp_path / "m.csv") == {"f": {"f": 0.7, "m": 0.3}, "m": {"f": 0.1, "m": 0.9}}


@pytest.mark.parametrize(
    ("text", "word"), [("value\nf\n", "column of values"), ("v,f\nf,x\n", "no numbers"), ("v,f\nf,1\nf,1\n", "twice")]
)
def test_what_is_no_matrix_is_refused(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(dc.InputError, match=word):
        read_matrix(tmp_path / "m.csv")
