"""Writing a dataset: in the manner of what was read, into a place where nothing is lost, and all at once."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import InputError
from discreet.frames.datasets.dataset import Dataset, dataset
from discreet.frames.datasets.writing import check_target, copied, copy_of, place, placed


@pytest.fixture
def source(tmp_path: Path) -> Dataset:
    (tmp_path / "big").mkdir()
    for name in ("a", "b"):
        pq.write_table(pa.table({"x": [1, 2, 3]}), tmp_path / "big" / f"{name}.parquet", compression="ZSTD")
    return dataset(tmp_path / "big")


@pytest.mark.parametrize("codec", ["ZSTD", "SNAPPY", "NONE"])
def test_a_copy_has_the_compression_of_what_it_is_like(codec: str, tmp_path: Path) -> None:
    like = tmp_path / "like.parquet"
    pq.write_table(pa.table({"x": [1]}), like, compression=codec)
    made = tmp_path / "deep" / "made.parquet"
    with copy_of(made, str(like)) as copy:
        copy.write(pa.table({"x": [1.5, 2.5]}))
        copy.write(pa.table({"x": [3.5]}))
    found = pq.ParquetFile(made)
    assert found.read().column("x").to_pylist() == [1.5, 2.5, 3.5] and found.num_row_groups == 2
    written = found.metadata.row_group(0).column(0).compression
    assert written == {"NONE": "UNCOMPRESSED"}.get(codec, codec)


def test_dictionaries_do_not_carry_what_is_gone(tmp_path: Path) -> None:
    like, made = tmp_path / "like.parquet", tmp_path / "made.parquet"
    column = pa.array(["kept", "gone", "kept"]).dictionary_encode()
    pq.write_table(pa.table({"x": column}), like)
    with copy_of(made, str(like)) as copy:
        copy.write(pa.table({"x": column.take(pa.array([0, 2]))}))
    assert b"gone" not in made.read_bytes() and pq.read_table(made).column("x").to_pylist() == ["kept", "kept"]


def test_targets_where_something_would_be_lost_are_refused(source: Dataset, tmp_path: Path) -> None:
    check_target(tmp_path / "out", source, force=False, single=False)
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("text")
    folder.mkdir()
    (folder / "old.parquet").write_bytes(b"")
    (tmp_path / "link").symlink_to(folder)
    for target, force, words in (
        (source.folder, True, "is the input"),
        (tmp_path, True, "or holds it"),
        (source.folder / "out", True, "within the input"),
        (tmp_path / "link", True, "is a link"),
        (folder, False, "exists already"),
        (file, True, "it is a file"),
        (Path(os.devnull), True, "a pipe or a device"),
    ):
        with pytest.raises(InputError, match=words):
            check_target(target, source, force=force, single=False)
    check_target(folder, source, force=True, single=False)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="more than Parquet files"):
        check_target(folder, source, force=True, single=False)
    (folder / "notes.txt").unlink()
    (folder / "x.parquet").symlink_to(file)
    with pytest.raises(InputError, match="more than Parquet files"):
        check_target(folder, source, force=True, single=False)


def made_in(folder: Path, content: str = "new") -> Path:
    made = folder / ".made"
    made.mkdir()
    (made / "a.parquet").write_text(content)
    return made


def test_what_is_complete_appears_and_the_old_goes_last(tmp_path: Path) -> None:
    target = tmp_path / "out"
    place(made_in(tmp_path), target, force=False)
    assert (target / "a.parquet").read_text() == "new"
    with pytest.raises(InputError, match="appeared while the result was computed"):
        place(made_in(tmp_path, "other"), target, force=False)
    assert (target / "a.parquet").read_text() == "new" and (tmp_path / ".made").exists()
    place(tmp_path / ".made", target, force=True)
    assert (target / "a.parquet").read_text() == "other" and os.listdir(tmp_path) == ["out"]


def test_a_folder_that_got_other_files_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="more than Parquet files"):
        place(made_in(tmp_path), target, force=True)
    assert (target / "mine.txt").read_text() == "mine"


def test_a_rename_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, made = tmp_path / "out", made_in(tmp_path)
    target.mkdir()
    (target / "a.parquet").write_text("old")
    rename = os.rename

    def fails(source: Path, to: Path) -> None:
        if source == made:
            raise OSError(28, "No space left on device")
        rename(source, to)

    monkeypatch.setattr(os, "rename", fails)
    with pytest.raises(InputError, match="cannot write"):
        place(made, target, force=True)
    assert (target / "a.parquet").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == [".made", "out"]


def test_what_was_placed_is_taken_back_where_what_goes_with_it_fails(tmp_path: Path) -> None:
    target, made = tmp_path / "out", made_in(tmp_path)
    for before in (None, "old"):
        if before:
            target.mkdir()
            (target / "a.parquet").write_text(before)
        with pytest.raises(FileExistsError), placed(made, target, force=True):
            (target / "a.parquet").open("x")
        assert sorted(os.listdir(tmp_path)) == ([".made", "out"] if before else [".made"])
    assert (target / "a.parquet").read_text() == "old" and (made / "a.parquet").read_text() == "new"


def test_a_copy_is_private_and_goes(tmp_path: Path) -> None:
    made = made_in(tmp_path)
    made.chmod(0o700)
    (made / "a.parquet").chmod(0o600)
    with copied(made, tmp_path / "secret") as copy:
        assert copy.stat().st_mode & 0o077 == 0 and (copy / "a.parquet").stat().st_mode & 0o077 == 0
        place(copy, tmp_path / "secret", force=False)
    assert sorted(os.listdir(tmp_path)) == [".made", "secret"]
    with pytest.raises(InputError, match="does not exist"), copied(made, tmp_path / "no" / "secret"):
        pass
