"""Files of margins: the format a caller likes best, names that say what is not whole, text that no program runs."""

from __future__ import annotations

import csv
import io
import json

import pyarrow.parquet as pq
import pytest
from fastapi import HTTPException

from discreet.release.answer import Answer
from discreet.release.open_dataset import Margin
from discreet.release.web.downloads import TYPES, accepted_format, as_file, file_name

JSON_STAT = "application/vnd.json-stat+json"


@pytest.mark.parametrize(
    ("accept", "format"),
    [
        ("", "json"),
        ("*/*", "json"),
        ("text/csv", "csv"),
        ("application/*", "json"),
        ("text/*;q=0.2, application/vnd.apache.parquet;q=0.5", "parquet"),
        ("application/json;q=0, */*;q=0.1", "csv"),
        ("text/csv;q=0.3, */*;q=0.9", "json"),
        (f"{JSON_STAT}, application/json;q=0.9", "json-stat"),
        ("TEXT/CSV ; charset=utf-8 ; Q=1.0", "csv"),
    ],
)
def test_the_format_that_is_liked_best(accept: str, format: str) -> None:
    assert accepted_format(accept) == format


@pytest.mark.parametrize("accept", ["image/png", "text/csv;q=0", "*/*;q=0", "text/csv;q=much"])
def test_what_nobody_has_is_406(accept: str) -> None:
    with pytest.raises(HTTPException) as caught:
        accepted_format(accept)
    assert caught.value.status_code == 406


def answer(kind: str, variables: tuple[str, ...] = ("a", "b c")) -> Answer:
    margin = None
    return Answer(kind, "", variables, margin, "null", "f00d", "safe")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("release", "t-a-b_c.csv"),
        ("simulate", "t-a-b_c-synthetic.csv"),
        ("suppress", "t-a-b_c-partial.csv"),
        ("round", "t-a-b_c-rounded.csv"),
    ],
)
def test_names_say_what_is_not_whole(kind: str, name: str) -> None:
    assert file_name("t", answer(kind), "csv") == name


def test_names_are_safe_and_short() -> None:
    assert file_name("t", answer("release", ()), "sdmx-csv") == "t-total.sdmx.csv"
    long = file_name("t", answer("release", ('x"\r\n../' * 60,)), "px")
    assert len(long) <= 123 and not set(long) & set('"\r\n/') and long.endswith(".px")
    assert set(TYPES) >= {"csv", "json", "parquet"} and Margin is not None


def test_files_hold_the_counts_and_no_formula() -> None:
    class Told:
        missing, base = 0, None

        @staticmethod
        def columns() -> dict[str, list[object]]:
            return {"a": ["=1+1", "y"], "count": [4, None]}

        @staticmethod
        def rows() -> list[dict[str, object]]:
            return [{"a": "=1+1", "count": 4}, {"a": "y", "count": None}]

    told = answer("suppress", ("a",))
    object.__setattr__(told, "margin", Told())
    rows = list(csv.reader(io.StringIO(as_file("t", told, "csv").decode())))
    assert rows[0] == ["a", "count"] and rows[2] == ["y", ""]
    assert not rows[1][0].startswith("=") and rows[1][1] == "4"
    plain = json.loads(as_file("t", _quiet(told), "json"))
    assert plain["margin"] == Told.rows() and plain["entry"] == "f00d"
    table = pq.read_table(io.BytesIO(as_file("t", told, "parquet")))
    assert table.column("count").to_pylist() == [4, None]


def _quiet(told: Answer) -> Answer:
    """The margin as one that is not synthetic."""
    told.margin.synthetic = False  # type: ignore[union-attr, misc]
    return told
