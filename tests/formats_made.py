"""Answers made up for the tests of file formats: any names and categories, in an answer as the service gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from discreet.release.engine import Table
from discreet.release.offers.partial import Partial
from discreet.release.open_dataset import Margin
from discreet.release.service import Answer

RECEIPT = "ab" * 32
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30) | st.sampled_from(
    [
        '"',
        "a\nb",
        "\r\n",
        ",",
        ";",
        "a,b",
        "=cmd",
        "OBS_VALUE",
        "STRUCTURE",
        "SYNTHETIC",
        "x" * 300,
        "é",
        "-1",
        "a b",
        "a_b",
        "A",
        "B",
    ]
)


def answer_of(table: Table, synthetic: bool = False) -> Answer:
    word: Any = "simulate" if synthetic else "release"
    return Answer(word, "", table.names, Margin(table, synthetic), "", RECEIPT, "safe")


def part_of(table: Table, *, hidden: Sequence[int] = (), base: int = 1) -> Answer:
    """The table as an answer with hidden counts, or rounded ones."""
    partial = Partial(0, "round", (), base) if base > 1 else Partial(0, "suppress", tuple(hidden))
    counts = table.dense().reshape(-1)
    told = Table(table.names, table.categories, partial.told(counts).reshape(table.shape))
    margin = Margin(told, False, partial.flags(counts.size) if base == 1 else None, base)
    return Answer(partial.kind, "", table.names, margin, "", RECEIPT, "danger")


@st.composite
def tables(draw: st.DrawFn) -> Table:
    names = draw(st.lists(TEXT.filter(bool), min_size=0, max_size=3, unique=True))
    level = TEXT | st.integers(-5, 5) | st.none() | st.booleans()
    categories = tuple(tuple(draw(st.lists(level, min_size=1, max_size=5, unique=True))) for _ in names)
    shape = tuple(len(c) for c in categories)
    size = int(np.prod(shape, dtype=int))
    counts = draw(st.lists(st.integers(0, 10**12), min_size=size, max_size=size))
    return Table(tuple(names), categories, np.array(counts, dtype=np.int64).reshape(shape))
