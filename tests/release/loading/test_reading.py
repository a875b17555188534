"""Files as tables: what is read in this process equals what is read apart, and every fault is one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.release.loading.apart import Reader
from discreet.release.loading.choices import Choices
from discreet.release.loading.reading import read_file
from discreet.release.loading.results import read_result, write_reading
from discreet.release.policy import Policy

LONG = "A,B,Freq\nx,1,4\ny,2,1\nx,2,3\ny,1,9\n"


def file(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_count_of_another_name_is_not_guessed(tmp_path: Path) -> None:
    """The fault that was found: `Freq` became a variable, and the counts its categories."""
    reading = read_file(file(tmp_path, LONG), Choices())
    assert reading.table is None
    with pytest.raises(InputError, match="could hold counts"):
        reading.settled()
    table = read_file(file(tmp_path, LONG), Choices(count="Freq")).settled()
    assert (table.names, table.total) == (("A", "B"), 17)
    records = read_file(file(tmp_path, LONG), Choices(records=True))
    assert records.settled().names == ("A", "B")
    assert records.settled().total == 4
    assert "Freq" in records.notes()[0]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (("-3", "1"), "negative in 1 rows"),
        (("1.5", "1"), "not a whole number in 1 rows"),
        (("", "1"), "no count in 1 rows"),
        (("many", "1"), "not a whole number in 1 rows"),
        (("1e30", "1"), "larger than 2^62"),
        (("0", "0"), "every count is 0"),
    ],
)
def test_counts_that_are_none(tmp_path: Path, entries: tuple[str, str], said: str) -> None:
    text = "A,count\n" + "".join(f"{level},{entry}\n" for level, entry in zip("xy", entries))
    with pytest.raises(InputError, match=said.replace("^", r"\^")) as error:
        read_file(file(tmp_path, text), Choices()).settled()
    assert len(error.value.faults) == 1
    assert "-3" not in str(error.value) and "many" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A,,count\nx,y,1\n", "has no name"),
        ("A,A,count\nx,y,1\n", "2 columns named"),
        ("A,count\n", "no rows"),
        ("Freq,age\n1,2\n", "no column is left|could hold counts"),
        ("A,B,count\nx,Total,3\ny,b,2\n", "totals among its cells"),
        ("A,x,count\nx,1.5,3\ny,2.5,2\n", "holds amounts"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_file(file(tmp_path, text), Choices()).settled()


def test_too_many_cells_are_told_before_they_are_laid_out(tmp_path: Path) -> None:
    names = [f"v{i}" for i in range(30)]
    rows = [",".join([f"s{row}"] * 30 + ["1"]) for row in range(1000)]
    text = "\n".join([",".join([*names, "count"]), *rows]) + "\n"
    with pytest.raises(InputError, match="more than 1000000000000000000 cells"):
        read_file(file(tmp_path, text), Choices()).settled()


@pytest.mark.parametrize("choices", [Choices(), Choices(count="Freq"), Choices(records=True, variables=("A", "Freq"))])
def test_reading_apart_is_the_same(tmp_path: Path, reader: Reader, choices: Choices) -> None:
    policy = Policy(published=(("A",),))
    here = read_file(file(tmp_path, LONG), choices, policy)
    there = reader.read(LONG.encode(), ".csv", choices, policy)
    assert (here.rows, here.columns, here.taken, here.faults) == (there.rows, there.columns, there.taken, there.faults)
    assert here.figures == there.figures
    assert (here.table is None) == (there.table is None)
    if here.table is not None and there.table is not None:
        assert here.table.categories == there.table.categories
        assert (here.table.dense() == there.table.dense()).all()


def test_a_reading_goes_through_files(tmp_path: Path) -> None:
    reading = read_file(file(tmp_path, LONG), Choices(count="Freq"), Policy(published=(("A",),)))
    write_reading(reading, tmp_path)
    back = read_result(tmp_path)
    assert not isinstance(back, dict)
    assert (back.taken, back.columns, back.figures) == (reading.taken, reading.columns, reading.figures)
    assert (back.settled().dense() == reading.settled().dense()).all()
