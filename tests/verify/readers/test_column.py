"""Names for messages, and columns read once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.verify.readers import column
from discreet.verify.readers.column import MANY_NAMES, MIXED, Column, Table, shown, shown_list


class Counted(Table):
    names = ("a", "b", "c")

    def __init__(self, rows: int) -> None:
        self.rows, self.made = rows, []

    def read(self, name: str) -> Column:
        self.made.append(name)
        return Column(name, MIXED, np.zeros(self.rows, np.int64), [name], np.zeros(1, bool))

    def peek(self, name: str, rows: Sequence[int]) -> list[str]:
        return [name] * len(rows)


def test_a_column_is_read_once_and_columns_come_in_the_order_asked_for() -> None:
    for rows in (3, column.MANY_ROWS):
        table = Counted(rows)
        assert [c.name for c in table.columns(["c", "a"])] == ["c", "a"]
        assert table.column("a") is table.columns(["a", "b"])[0]
        assert sorted(table.made) == ["a", "b", "c"]
        assert table.column("a").size == 1


def test_names_in_messages_have_no_control_characters_and_an_end() -> None:
    assert shown("age") == "age" and shown(3) == "3"
    assert shown("a\x1b[31m\n") == r"a\x1b[31m\n"
    assert shown("n" * 60) == "n" * 60 and shown("n" * 61) == "n" * 57 + "..."


def test_of_many_names_the_first_are_shown_and_the_others_counted() -> None:
    many = [f"c{i}" for i in range(MANY_NAMES + 2)]
    assert shown_list(many[:MANY_NAMES]) == ", ".join(many[:MANY_NAMES])
    assert shown_list(many) == ", ".join(many[:MANY_NAMES]) + " and 2 more"
