"""Small tables for the tests of the checker, as `.jj` files and as arrays; no import of what finds patterns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

# A 2 x 2 table with totals: 4, 5, 7, 8 are the inner cells.
ROWS = [[(0, -1), (3, 1), (6, 1)], [(1, -1), (4, 1), (7, 1)], [(2, -1), (5, 1), (8, 1)]]
ROWS += [[(0, -1), (1, 1), (2, 1)], [(3, -1), (4, 1), (5, 1)], [(6, -1), (7, 1), (8, 1)]]
VALUES = [18, 5, 13, 8, 3, 5, 10, 2, 8]


def written(
    path: Path,
    statuses: str = "ssssussss",
    *,
    level: int = 1,
    sliding: int = 0,
    values: list[int] | None = None,
    costs: Mapping[int, int] | None = None,
    upper: int = 20,
    unit: str = "",
) -> Path:
    """A `.jj` file; levels are those of cells marked u, `unit` is appended to every amount."""
    numbers = VALUES if values is None else values
    lines = ["0", str(len(numbers))]
    for i, (value, status) in enumerate(zip(numbers, statuses)):
        own, slide = (level, sliding) if status == "u" else (0, 0)
        amounts = [f"{x}{unit}" for x in (0, upper, own, own, slide)]
        cost = (costs or {}).get(i, value)
        lines.append(f"{i} {value}{unit} {cost} {status} {' '.join(amounts)}")
    lines.append(str(len(ROWS)))
    lines += [f"0 {len(row)} : " + " ".join(f"{c} ({s})" for c, s in row) for row in ROWS]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
