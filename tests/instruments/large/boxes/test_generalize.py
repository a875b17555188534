"""Generalization in blocks: what comes out is a generalization of the very dataset, shuffled, whatever did the work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.instruments.large.boxes.door import check_asked, generalize_dataset
from discreet.instruments.quasi_identifiers import Treatment
from tests.instruments.large.boxes.conftest import KEYS, whole


def asked(data: Any, k: int = 3, *, secret: bool = False, seed: int | None = 1, **given: Any) -> Any:
    plain: dict[str, Any] = {"hierarchies": {}, "categorical": (), "ordered": {}, "importance": {}}
    treatment = Treatment(**{**plain, "ncp": "distinct", "missing": "error", "sensitive": None, **given})
    return check_asked(
        data,
        k,
        quasi_identifiers=KEYS,
        method="auto",
        options={},
        random_state=seed,
        treatment=treatment,
        accept=(),
        secret=secret,
        refused={},
    )


def test_a_release_is_safe_and_its_secret_shows_the_draw(people: Path, tmp_path: Path) -> None:
    data = dc.dataset(people, output=tmp_path / "out")
    result = generalize_dataset(data, asked(data, secret=True), keep_secret=tmp_path / "secret")
    before, after = whole(people), whole(tmp_path / "out")
    assert result.detail["blocks"] > 2
    sizes = [pq.read_metadata(path).num_rows for path in sorted((tmp_path / "out").iterdir())]
    assert sizes == [240] * 5
    assert after.column_names == before.column_names
    assert after.schema.metadata == {b"source": b"register"}
    for name in ("illness", "weight"):
        assert after.schema.field(name).type == before.schema.field(name).type
        assert sorted(after[name].to_pylist()) == sorted(before[name].to_pylist())
    secret = whole(tmp_path / "secret").to_pandas().to_csv(index=False)
    claim = {**result.claim(), "secret": secret}
    verdict = dc.verify(before, after, **claim)
    assert verdict.safe, verdict.summary()
    assert any("probability 1/3" in words for words in verdict.proven)
    assert not dc.verify(before, after, **{**claim, "k": 4}).safe
    for path in (tmp_path / "secret").iterdir():
        assert path.stat().st_mode & 0o077 == 0
    memory = dc.generalize(before, 3, quasi_identifiers=KEYS, random_state=1, check=False)
    assert result.gcp < 1.25 * memory.gcp
    assert sum(result.losses.values()) / 4 == pytest.approx(result.gcp)
    assert sorted(tmp_path.iterdir()) == [tmp_path / "out", tmp_path / "secret"]  # nothing of the work is left


def test_the_same_bits_from_any_number_of_threads(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for threads in ("1", "2", "8"):
        monkeypatch.setenv("DISCREET_THREADS", threads)
        dc.generalize(dc.dataset(people, output=tmp_path / threads), 3, quasi_identifiers=KEYS, random_state=7)
        found.append([path.read_bytes() for path in sorted((tmp_path / threads).glob("*"))])
    assert found[0] == found[1] == found[2]


def test_without_a_seed_boxes_are_the_same_and_the_draw_is_not(people: Path) -> None:
    one, other = (dc.generalize(dc.dataset(people), 3, quasi_identifiers=KEYS).data.read() for _ in range(2))
    boxes = [sorted(zip(*(table[name].to_pylist() for name in KEYS))) for table in (one, other)]
    assert boxes[0] == boxes[1]
    assert one["illness"].to_pylist() != other["illness"].to_pylist()
    drawn = [sorted(zip(*(table[name].to_pylist() for name in (*KEYS, "illness")))) for table in (one, other)]
    assert drawn[0] != drawn[1]


def test_a_stopped_run_goes_on_and_gives_what_it_would_have(people: Path, tmp_path: Path) -> None:
    def stop(step: Any) -> None:
        if step.stage == "solving" and step.done > 0.3:
            raise KeyboardInterrupt

    data = dc.dataset(people, output=tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        generalize_dataset(data, asked(data, seed=None), progress=stop)
    left = list(tmp_path.iterdir())
    assert len(left) == 1 and left[0].stat().st_mode & 0o077 == 0
    finished = {path.name: path.stat().st_mtime_ns for path in left[0].glob("solved-*")}
    assert finished
    assert not list(left[0].glob("secret/*"))
    again = dc.dataset(people, output=tmp_path / "out", resume=True)
    result = generalize_dataset(again, asked(again, seed=None))
    after = whole(tmp_path / "out")
    assert sorted(after["illness"].to_pylist()) == sorted(whole(people)["illness"].to_pylist())
    assert result.verify().safe
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_gaps_in_some_file_are_one_error_and_nothing_is_written(people: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for path in people.iterdir():
        table = pq.read_table(path)
        age = pa.array([None, *table["age"].to_pylist()[1:]])
        pq.write_table(table.set_column(0, "age", age), folder / path.name)
    with pytest.raises(InputError, match="column 'age' has 3 missing values"):
        dc.generalize(dc.dataset(folder, output=tmp_path / "out"), 3, quasi_identifiers=KEYS)
    assert list(tmp_path.iterdir()) == [folder]
