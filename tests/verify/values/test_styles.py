"""One style for all entries of a column, or a sign on single rows."""

from __future__ import annotations

import pytest

from discreet.verify import File
from discreet.verify.readers import open_table
from discreet.verify.readers.column import Column
from discreet.verify.values.styles import one_style


def column(*entries: str, delimiter: str = ";") -> Column:
    text = f"x{delimiter}y\n" + "".join(f"{entry}{delimiter}1\n" for entry in entries)
    return open_table(File(data=text.encode()), "data").column("x")


WAS = column("3.5", "4", "10.25")


@pytest.mark.parametrize(
    ("entries", "one"),
    [
        (("3.5", "4", "4"), True),
        (("1.50", "2.00", "3.25"), True),
        (("1.5", "2", "3.25"), True),
        (("1.5", "2.0", "3.25"), True),
        (("1.50", "2", "3.25"), False),
        (("1.5", "2.0", "3"), False),
        (("1.5", "-0", "3"), False),
        (("1.5", "007", "3"), False),
        (("1.5", "2e0", "3"), False),
        (("1.5", "2e-7", "3e8"), True),
        (('"1.5"', '"2"', '"3"'), True),
        (('"1.5"', "2", "3"), False),
        (("1.5", " 2", "3"), False),
    ],
)
def test_numbers_are_written_by_one_rule_or_refused(entries: tuple[str, ...], one: bool) -> None:
    assert one_style(WAS, column(*entries)) is one


def test_words_may_be_quoted_where_they_need_it() -> None:
    was = column("a", "b", '"c;d"')
    assert one_style(was, column("b", '"c;d"', "a"))
    assert one_style(was, column('"a"', '"b"', '"c;d"'))
    assert not one_style(was, column('"a"', "b", '"c;d"'))
