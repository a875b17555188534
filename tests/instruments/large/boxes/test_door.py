"""What is asked of a large generalization: everything that is wrong is told at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.instruments.large.boxes.door import generalize_dataset
from tests.instruments.large.boxes.conftest import KEYS, whole
from tests.instruments.large.boxes.test_generalize import asked
from tests.instruments.large.test_failures import stop_at


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


def test_a_hierarchy_that_was_changed_is_another_run(people: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.csv"
    tree.write_text("n,cold,*\ns,warm,*\ne,cold,*\nw,warm,*\n")
    given: dict[str, Any] = {"quasi_identifiers": KEYS, "hierarchies": {"region": tree}, "random_state": 1}
    with pytest.raises(KeyboardInterrupt):
        dc.generalize(dc.dataset(people, output=tmp_path / "out"), 3, progress=stop_at("solving", 1), **given)
    tree.write_text("n,cold,*\ns,warm,*\ne,warm,*\nw,warm,*\n")
    again = dc.dataset(people, output=tmp_path / "out", resume=True)
    with pytest.raises(InputError, match="cannot be continued, as this differs from it: the options"):
        dc.generalize(again, 3, **given)


def test_an_output_that_appears_meanwhile_stays_and_no_secret_is_left(people: Path, tmp_path: Path) -> None:
    output, figures = tmp_path / "out", tmp_path / "figures"
    data = dc.dataset(people, output=output)

    def appear(*_: Any) -> None:
        figures.write_text("figures")
        output.mkdir()

    with pytest.raises(InputError, match="appeared while the result was computed"):
        generalize_dataset(data, asked(data, secret=True), keep_secret=tmp_path / "secret", beside=appear)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["figures", "out"] and not list(output.iterdir())


def test_a_secret_goes_to_another_disk_and_outlives_a_run_that_stops_beside_it(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk").mkdir()
    rename, secret = os.rename, tmp_path / "disk" / "secret"

    def within_a_disk(source: Any, target: Any) -> None:
        if Path(source).parent.name == "disk" or Path(target).parent.name == "disk":
            assert Path(source).parent == Path(target).parent, "a rename from disk to disk fails"
        rename(source, target)

    def stop(*_: Any) -> None:
        assert secret.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", within_a_disk)
    data = dc.dataset(people, output=tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        generalize_dataset(data, asked(data, secret=True), keep_secret=secret, beside=stop)
    assert not list((tmp_path / "disk").iterdir()) and not data.output.exists()
    again = dc.dataset(people, output=tmp_path / "out", resume=True)
    generalize_dataset(again, asked(again, secret=True), keep_secret=secret)
    assert [one.name for one in (tmp_path / "disk").iterdir()] == ["secret"]
    assert len(whole(secret)) == len(whole(tmp_path / "out")) == 1200
    assert secret.stat().st_mode & 0o077 == 0
