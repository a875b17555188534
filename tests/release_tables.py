"""Codebooks for tables of the tests: what an office would declare."""

from __future__ import annotations

from discreet.release.engine import Table
from discreet.release.loading.codebook import Codebook


def declared(table: Table) -> Codebook:
    """All categories of a table, as if they had been declared without looking at the data."""
    return Codebook({n: {str(c): str(c) for c in levels} for n, levels in zip(table.names, table.categories)})
