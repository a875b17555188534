"""The custodian's file: read to the number, and one clear error for whatever is no such file."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import InputError
from discreet.verify.matchings.secret_file import origins, parse, parse_classes

MATCHINGS = "published_row,origin,drawn,match_1,match_2,also\n1,0,2,1,0,2 1\n0,1,1,1,2,\n2,2,2,0,2,\n"
CLASSES = "published_row,origin,class\n2,0,7\n0,1,7\n1,2,3\n"


@pytest.mark.parametrize("text", [MATCHINGS, MATCHINGS.replace("\n", "\r\n")], ids=["lf", "crlf"])
def test_matchings_stand_in_the_order_of_rows(text: str) -> None:
    found = parse(text, 3)
    assert found.origin.tolist() == [1, 0, 2] and found.drawn.tolist() == [1, 2, 2]
    assert found.matches.tolist() == [[1, 2], [1, 0], [0, 2]]
    assert list(zip(found.also_row.tolist(), found.also.tolist())) == [(1, 2), (1, 1)]


def test_classes_are_numbered_anew() -> None:
    found = parse_classes(CLASSES, 3)
    assert found.origin.tolist() == [1, 2, 0]
    assert found.of_row[0] == found.of_row[2] != found.of_row[1]


def test_originals_that_are_left_out_are_not_counted() -> None:
    kept = np.array([1, 4, 6])
    text = "published_row,origin,class\n0,6,0\n1,1,0\n2,4,0\n"
    assert parse_classes(text, 3, kept).origin.tolist() == [2, 0, 1]
    assert origins(text, 7).tolist() == [1, 4, 6]
    with pytest.raises(InputError, match="left out"):
        parse_classes(text.replace("0,6,0", "0,5,0"), 3, kept)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("drawn", "pulled", "header"),
        ("match_2,", "match_3,", "header"),
        ("0,1,1,1,2,\n", "", "2 rows"),
        ("0,1,1,1,2,\n", "1,1,1,1,2,\n", "every row of the release once"),
        ("0,1,1,1,2,\n", "7,1,1,1,2,\n", "every row of the release once"),
        ("0,1,1,1,2,\n", "0,3,1,1,2,\n", "do not exist"),
        ("0,1,1,1,2,\n", "0,-1,1,1,2,\n", "do not exist"),
        ("0,1,1,1,2,\n", "0,1,3,1,2,\n", "drawn"),
        ("0,1,1,1,2,\n", "0,1,1,,2,\n", "empty"),
        ("0,1,1,1,2,\n", "0,1,1,1.5,2,\n", "whole number"),
        ("0,1,1,1,2,\n", '0,1,1,"1",2,\n', "no part of a number"),
        ("2 1\n", "2 x\n", "also"),
        ("2 1\n", "2  1\n", "also"),
        ("2 1\n", "2 9\n", "do not exist"),
    ],
)
def test_what_is_no_secret_file_is_said(old: str, new: str, words: str) -> None:
    text = MATCHINGS.replace(old, new)
    assert text != MATCHINGS
    with pytest.raises(InputError, match=words) as caught:
        parse(text, 3)
    assert "malformed" in str(caught.value) and "--keep-secret" in str(caught.value)


def test_each_form_is_read_by_its_own_reader() -> None:
    with pytest.raises(InputError, match="header"):
        parse(CLASSES, 3)
    with pytest.raises(InputError, match="header"):
        parse_classes(MATCHINGS, 3)
    with pytest.raises(InputError, match="header"):
        origins("a,b\n1,2\n", 3)
    assert origins(MATCHINGS, 3).tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="do not exist"):
        origins(MATCHINGS, 2)
