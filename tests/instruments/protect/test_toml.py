"""What is written as TOML is read back by the standard library as what it was."""

from __future__ import annotations

import tomllib
from datetime import date, time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from discreet.instruments.protect.toml import commented, key, lines, quoted

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SCALARS = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | st.dates(date(1, 1, 1))
    | st.times().map(lambda moment: time(moment.hour, moment.minute, moment.second))
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3))


@given(st.dictionaries(TEXT, VALUES, max_size=5))
def test_every_value_comes_back(entries: dict[str, Any]) -> None:
    assert tomllib.loads("\n".join(lines(entries))) == entries


@given(TEXT, st.dictionaries(TEXT, TEXT, max_size=4))
def test_a_list_with_comments_is_that_list(name: str, items: dict[str, str]) -> None:
    read = tomllib.loads("\n".join(commented(name, {item: printable(why) for item, why in items.items()})))
    assert read == {name: list(items)}


def printable(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())


def test_keys_are_quoted_where_they_must_be() -> None:
    assert key("a-b_9") == "a-b_9"
    assert key("") == '""'
    assert key("a b") == '"a b"'
    assert quoted("\x7f") == '"\\u007f"'
