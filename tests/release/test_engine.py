"""What the server asks of the table room: each answer depends on what is public alone."""

from __future__ import annotations

from itertools import product

import numpy as np

from discreet.release import engine
from discreet.release.engine import Table
from discreet.work import Deadline


def test_a_synthetic_table_is_drawn_from_what_is_public_alone() -> None:
    """Every table with the same released margins gets the same synthetic table, or none: it tells nothing else."""
    given: dict[bytes, set[object]] = {}
    for counts in product(range(3), repeat=4):
        table = Table.from_array(np.array(counts).reshape(2, 2))
        if not table.total:
            continue
        public = table.margins([["V1"], ["V2"]])
        drawn = engine.synthesize(public, 7, Deadline(30.0), 2)
        key = b"".join(values.tobytes() for values in public.values.values())
        given.setdefault(key, set()).add(None if drawn is None else tuple(drawn.reshape(-1).tolist()))
    assert len(given) > 20
    assert all(len(answers) == 1 for answers in given.values())


def test_no_synthetic_table_where_public_margins_fix_a_sensitive_count() -> None:
    refused = 0
    for counts in product(range(3), repeat=4):
        table = Table.from_array(np.array(counts).reshape(2, 2))
        if not table.total:
            continue
        public = table.margins([["V1"], ["V2"]])
        tables = engine.tables_with(public)
        assert tables is not None
        fixed = tables.min(axis=0) == tables.max(axis=0)
        told = fixed.all() or (fixed & (tables[0] >= 1) & (tables[0] <= 2)).any()
        assert (engine.synthesize(public, 1, Deadline(30.0), 2) is None) == bool(told)
        refused += bool(told)
    assert refused > 10
