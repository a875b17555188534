"""What is asked of a large generalization: everything that is wrong is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet as dc
from discreet.errors import InputError
from tests.instruments.large.boxes.conftest import KEYS


def test_what_blocks_cannot_honor_is_refused_at_once(people: Path, tmp_path: Path) -> None:
    data = dc.dataset(people, output=tmp_path / "out")
    needs: dict[str, Any] = {"certify": True, "time_limit": 3, "sensitive": "illness", "l": 2}
    with pytest.raises(InputError) as error:
        dc.generalize(data, 9999, quasi_identifiers=["age", "hight"], method="mip", **needs)
    words = str(error.value)
    for part in ("'hight' is not in the data", "method 'mip'", "certify", "time_limit", "sensitive and l", "k = 9999"):
        assert part in words
    assert not list(tmp_path.iterdir())


def test_an_output_that_is_there_stays(people: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(InputError, match="exists already"):
        dc.generalize(dc.dataset(people, output=tmp_path / "out"), 3, quasi_identifiers=KEYS)
    assert not list((tmp_path / "out").iterdir())
