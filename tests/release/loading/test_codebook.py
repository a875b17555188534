"""Declared categories: read from three formats, put into the table with zeros, and nothing else is shown early."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.errors import InputError
from discreet.release.engine import Table
from discreet.release.loading.codebook import Codebook, codebook_text

TABLE = Table(("sex", "region"), (("f", "m"), (1, 3)), np.array([[4, 0], [2, 5]]))
JSON = '{"region": {"3": "South", "2": "West", "1": "North"}, "sex": ["m", "f"]}'
TOML = 'sex = ["m", "f"]\n[region]\n3 = "South"\n2 = "West"\n1 = "North"\n'
CSV = "variable,code,label\nregion,3,South\nregion,2,West\nregion,1,North\nsex,m,\nsex,f,\n"


@pytest.mark.parametrize("text", [JSON, TOML, CSV, "\ufeff" + CSV])
def test_order_labels_and_empty_categories(text: str) -> None:
    table, labels = Codebook.from_text(text).apply(TABLE)
    assert table.names == ("sex", "region")
    assert table.categories == (("m", "f"), (3, 2, 1))
    assert table.dense().tolist() == [[5, 0, 2], [0, 0, 4]]
    assert labels == {"sex": ("m", "f"), "region": ("South", "West", "North")}


def test_a_variable_left_out_keeps_its_own() -> None:
    table, labels = Codebook.from_text('{"sex": {"f": "women", "m": "men"}}').apply(TABLE)
    assert table.categories == TABLE.categories
    assert labels == {"sex": ("women", "men")}


@pytest.mark.parametrize(
    ("levels", "codes"),
    [((True, False), ["true", "false"]), ((1.5, 2.0), ["1.5", "2"]), ((1, 2), ["1", "2"]), (("01", "1"), ["01", "1"])],
)
def test_codes_are_compared_as_text_and_keep_the_datas_kind(levels: tuple[Any, ...], codes: list[str]) -> None:
    table = Table(("v",), (levels,), np.array([1, 2]))
    made, _ = Codebook({"v": {code: code for code in codes}}).apply(table)
    assert made.categories == (levels,)
    assert [type(c) for c in made.categories[0]] == [type(c) for c in levels]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[1, 2]", "not valid TOML"),
        ("{", "not valid JSON"),
        ('{"sex": 3}', "list of codes"),
        ('{"sex": []}', "no categories"),
        ('{"sex": ["f", "f"]}', "twice"),
        ('{"sex": {"f": 1}}', "labels of 'sex' must be text"),
        ('{"sex": [["f"]]}', "one by one"),
        ('{"sex": {"f": "a", "f": "b"}}', "twice"),
        ("variable,code,label\nsex,f,women,more\n", "line 2"),
        ("variable,code,label\nsex,f,a\nsex,f,b\n", "line 3"),
        ("variable,code,color\n", "variable,code,label"),
    ],
)
def test_faults_of_a_file_are_named(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        Codebook.from_text(text)


def test_what_does_not_fit_the_table_is_told_without_its_values() -> None:
    with pytest.raises(InputError, match="1 categories in the data") as error:
        Codebook.from_text('{"region": ["1", "2"]}').apply(TABLE)
    assert "3" not in str(error.value)
    with pytest.raises(InputError, match="does not have"):
        Codebook.from_text('{"town": ["a"]}').apply(TABLE)
    with pytest.raises(InputError, match="declare fewer"):
        Codebook({"sex": {str(i): "" for i in range(9000)}, "region": {str(i): "" for i in range(9000)}}).apply(TABLE)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text(CSV, encoding="utf-8")
    assert codebook_text(tmp_path / "b.csv") == CSV
    (tmp_path / "c.csv").write_bytes(b"\xff\xfe\x00")
    for name in ("c.csv", "missing.toml"):
        with pytest.raises(InputError, match=name):
            codebook_text(tmp_path / name)


def test_what_analysts_see(web: Callable[..., Any], service: Any, bearer: Any, small: Table) -> None:
    """The list of a variable without codebook appears with the first released margin that has it, nowhere before."""
    from discreet.release.policy import Policy

    table = Table(("A", "B", "C"), (("one", "two"), ("x", "y"), ("secret", "hidden")), small.dense() + 3)
    service.add("custodian", "own", table, Policy(c=1, w=1), codebook='{"A": {"two": "zwei", "one": "eins"}}')
    client = web("analyst")
    told = next(d for d in client.get("/api/datasets", headers=bearer["analyst"]).json() if d["name"] == "own")
    assert told["categories"] == {"A": ["two", "one"]}
    assert told["labels"] == {"A": ["zwei", "eins"]}
    assert told["variables"] == ["A", "B", "C"]
    page = client.get("/datasets/own").text
    assert "zwei, eins" in page
    assert "secret" not in page
    path = "/api/datasets/own/requests"
    assert client.post(path, json={"variables": ["C"]}, headers=bearer["analyst"]).json()["answer"] == "release"
    told = next(d for d in client.get("/api/datasets", headers=bearer["analyst"]).json() if d["name"] == "own")
    assert set(told["categories"]) == {"A", "C"}
    assert "secret" in client.get("/datasets/own").text
