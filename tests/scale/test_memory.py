"""Limits of memory in words, and how many records a task may hold then."""

from __future__ import annotations

import pytest

from discreet.errors import InputError
from discreet.scale.memory import AT_ONCE, DEFAULT, LEAST, memory_limit, rows_within


@pytest.mark.parametrize(
    ("given", "size"),
    [
        (None, DEFAULT),
        ("2GB", 2 * 10**9),
        ("1.5gb", 1_500_000_000),
        (" 800 MiB ", 800 * 2**20),
        ("64000000", 64_000_000),
        (64_000_000, 64_000_000),
        ("1T", 10**12),
    ],
)
def test_what_is_meant(given: str | int | None, size: int) -> None:
    assert memory_limit(given) == size


@pytest.mark.parametrize("given", ["", "much", "2 GBs", "-2GB", "1e9", True, "1MB", LEAST - 1, 0, -5, "9999999999TB"])
def test_what_is_no_limit_is_refused(given: str | int) -> None:
    with pytest.raises(InputError, match="memory"):
        memory_limit(given)


@pytest.mark.parametrize("memory", [LEAST, 10**8, 10**9, 10**11])
@pytest.mark.parametrize("row", [8.0, 120.5, 1e7])
def test_all_tasks_at_once_stay_within_the_limit(memory: int, row: float) -> None:
    rows = rows_within(memory, row)
    assert rows >= 1
    assert rows == 1 or AT_ONCE * rows * row <= memory
    assert rows_within(2 * memory, row) >= rows
