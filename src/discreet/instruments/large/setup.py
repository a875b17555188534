"""What the tasks of a large microaggregation share: the plan, which they read from the work folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.scale.plan import Tree, tree_from
from discreet.scale.spill import complete

Floats = NDArray[np.float64]
PLAN = "plan.json"


@dataclass(frozen=True)
class Setup:
    """The plan of a microaggregation.

    | field | |
    |---|---|
    | columns, types | what is protected, and the numpy type of each |
    | k, effort, seed, round, missing | as asked for |
    | shift, unit | a column is (x − shift)/unit; a unit of 0 is that of a column that does not vary |
    | trees | the first set of blocks, and the shifted ones |
    | pieces | the first row of every piece of the data |
    | most | records that a task may hold |
    """

    columns: list[str]
    types: list[str]
    k: int
    effort: str
    seed: int
    round: bool
    missing: str
    shift: list[float]
    unit: list[float]
    trees: list[dict[str, Any]]
    pieces: list[int]
    most: int

    def save(self, folder: Path) -> None:
        with complete(folder / PLAN) as temporary:
            temporary.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        return np.array(self.pieces, np.int64)

    @property
    def rounds(self) -> int:
        """Rounds after the first."""
        return len(self.trees) - 1

    @property
    def varying(self) -> int:
        """How many columns vary."""
        return sum(size > 0 for size in self.unit)

    def tree(self, number: int) -> Tree:
        return tree_from(self.trees[number])

    def points(self, values: Floats) -> Floats:
        """Columns made comparable."""
        return comparable(values, self.shift, self.unit)


def comparable(values: Floats, shift: list[float], unit: list[float]) -> Floats:
    """(x − shift)/unit, column by column; 0 where the unit is."""
    out = np.zeros(values.shape)
    for j, size in enumerate(unit):
        if size > 0:
            np.subtract(values[:, j], shift[j], out=out[:, j])
            out[:, j] /= size
    return out


def setup_of(folder: str) -> Setup:
    """The plan in a work folder; read once by each process."""
    path = Path(folder) / PLAN
    return _read(str(path), path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read(path: str, _: int) -> Setup:
    return Setup(**json.loads(Path(path).read_text(encoding="utf-8")))
