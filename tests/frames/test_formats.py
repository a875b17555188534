"""Which format a file name stands for, and what is said where none does."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.frames import formats
from discreet.frames.formats import extension_of, format_of, writable_format


@pytest.mark.parametrize(
    ("name", "extension", "family"),
    [
        ("a.csv", "csv", "text"),
        ("A.CSV", "csv", "text"),
        ("a.b.tsv.gz", "tsv.gz", "text"),
        ("a.pq", "pq", "parquet"),
        ("a.parquet", "parquet", "parquet"),
        ("-", "csv", "text"),
        ("folder.csv/a.parquet", "parquet", "parquet"),
    ],
)
def test_names(name: str, extension: str, family: str) -> None:
    assert extension_of(name) == extension and format_of(name).family == family


@pytest.mark.parametrize("name", ["a", "csv", "a.gz", "a.csv.zip", "a.json"])
def test_names_that_tell_nothing(name: str) -> None:
    with pytest.raises(InputError, match="cannot tell the format"):
        format_of(name)


def test_delimiters_and_compression() -> None:
    assert format_of("a.tsv").delimiter == format_of("a.tab.gz").delimiter == "\t"
    assert format_of("a.csv").delimiter is None
    assert format_of("a.csv.gz").compressed and not format_of("a.csv").compressed


def test_an_extension_can_be_given() -> None:
    assert format_of("temporary.1234", ".CSV").family == "text"


def test_a_pipe_is_csv() -> None:
    assert extension_of(Path("/dev/stdin")) == "csv"


@pytest.mark.parametrize(("name", "instead"), [("a.sas7bdat", r"\.xpt"), ("a.por", r"\.sav")])
def test_formats_that_are_only_read(name: str, instead: str) -> None:
    pytest.importorskip("pyreadstat")
    assert format_of(name).writable is False
    with pytest.raises(InputError, match=instead):
        writable_format(name)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_installed", lambda package: False)
    for name, extra in (("a.xlsx", "xlsx"), ("a.sav", "spss"), ("a.dta", "stata"), ("a.xpt", "sas")):
        with pytest.raises(InputError, match=rf"discreet\[{extra}\]"):
            format_of(name)
    assert format_of("a.csv").family == "text"
