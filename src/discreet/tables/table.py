"""Tables of counts with named variables and categories, dense or sparse, and the margins that are released of them.

A cell of a table over variables v_1 … v_k is a tuple of categories; the margin over a subset of the variables sums
the cells that agree on it. Tables of up to `DENSE_LIMIT` cells can be made dense; beyond that (twenty variables and
more) the non-zero cells are kept as coordinates and only margins are formed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError

Ints = NDArray[np.int64]
Category = Hashable
Categories = tuple[tuple[Category, ...], ...]

MOST_AXES = 32  # of an array
DENSE_LIMIT = 1 << 26
# A table sums to 2^62 at most, so that sums of any two counts stay within 64 bits.
LARGEST = 1 << 62


@dataclass(frozen=True, eq=False)
class Table:
    """Counts over named variables. `counts` is dense, of the table's shape, unless `coordinates` is given.

    With `coordinates` (one row of category numbers per non-empty cell) `counts` is one number per row.
    """

    names: tuple[str, ...]
    categories: Categories
    counts: Ints
    coordinates: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        faults = Faults()
        faults.check(len(set(self.names)) == len(self.names), "two variables of the table have the same name")
        faults.check(len(self.names) == len(self.categories), "each variable needs its list of categories")
        for name, levels in zip(self.names, self.categories):
            faults.check(len(levels) > 0, f"variable {name!r} has no categories")
            faults.check(len(set(levels)) == len(levels), f"variable {name!r} lists a category twice")
        counts = np.asarray(self.counts)
        if counts.dtype.kind == "f":
            whole = bool(np.isfinite(counts).all() and (counts == np.rint(counts)).all())
            faults.check(whole, "counts must be whole numbers: round them, or count the records")
            counts = np.where(np.isfinite(counts), counts, 0)
        faults.check(counts.dtype.kind in "iufb", "counts must be numbers")
        if counts.dtype.kind in "iufb":
            negative = int((counts < 0).sum())
            faults.check(negative == 0, f"{negative} counts are negative: a count is 0 or more")
            large = int((counts > LARGEST).sum()) if counts.size and counts.dtype.kind != "b" else 0
            counts = np.asarray(np.where(counts > LARGEST, 0, counts) if large else counts, np.int64, order="C")
            faults.check(
                not large and (negative > 0 or total_of(counts) <= LARGEST),
                "the counts are too large: together they must not exceed 2^62",
            )
        if self.coordinates is None:
            faults.check(counts.shape == self.shape, "the array of counts does not have one axis per variable")
        else:
            faults.check(
                self.coordinates.shape == (counts.size, len(self.names)),
                "coordinates must have one row per count and one column per variable",
            )
        faults.raise_if_any()
        object.__setattr__(self, "counts", counts)

    @classmethod
    def from_array(
        cls,
        counts: Any,
        names: Sequence[str] | None = None,
        categories: Sequence[Sequence[Category]] | None = None,
    ) -> Table:
        """A dense table. Names default to V1, V2, …; categories to 0, 1, … per axis."""
        array = np.asarray(counts)
        labels = tuple(names) if names is not None else tuple(f"V{a + 1}" for a in range(array.ndim))
        levels = (
            tuple(tuple(c) for c in categories)
            if categories is not None
            else tuple(tuple(range(size)) for size in array.shape)
        )
        return cls(labels, levels, array)

    @classmethod
    def from_coordinates(
        cls,
        coordinates: Any,
        counts: Any,
        names: Sequence[str],
        categories: Sequence[Sequence[Category]],
    ) -> Table:
        """A table from cells given by category numbers; a cell that occurs several times is summed.

        Dense where that is no larger than the list of cells, sparse otherwise.
        """
        codes = np.ascontiguousarray(coordinates, np.int32).reshape(-1, len(names))
        levels = tuple(tuple(c) for c in categories)
        sparse = cls(tuple(names), levels, np.asarray(counts).reshape(-1), codes)
        if len(names) <= MOST_AXES and sparse.size <= max(4096, min(DENSE_LIMIT, 8 * len(codes))):
            return cls(sparse.names, levels, _sum_cells(codes, sparse.counts, sparse.shape))
        unique, place = np.unique(codes, axis=0, return_inverse=True)
        sums = np.zeros(len(unique), np.int64)
        np.add.at(sums, place.reshape(-1), sparse.counts)
        return cls(sparse.names, levels, sums[sums > 0], unique[sums > 0])

    @classmethod
    def from_frame(cls, frame: Any, variables: Sequence[str] | None = None) -> Table:
        """Count the records of a dataframe by `variables` (all columns, if not given)."""
        from discreet.tables.convert import table_of_records

        return table_of_records(frame, variables)

    @classmethod
    def from_counts(cls, frame: Any, count: str = "count", variables: Sequence[str] | None = None) -> Table:
        """A table in long form: one column per variable and one with counts; absent cells are zero."""
        from discreet.tables.convert import table_of_counts

        return table_of_counts(frame, count, variables)

    @classmethod
    def from_parquet(
        cls, path: Any, variables: Sequence[str], count: str | None = None, *, memory: str | int | None = None
    ) -> Table:
        """Count the records of files of any size: a folder or pattern of Parquet files, one file, a dataset, CSV files.

        `count` names a column of counts to add up instead; `memory` is how much of it may be taken, such as "2GB".
        """
        from discreet.tables.convert import table_of_files

        return table_of_files(path, variables, count, memory)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(levels) for levels in self.categories)

    @property
    def size(self) -> int:
        """Number of cells, empty ones included."""
        return prod(self.shape)

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def dense(self) -> Ints:
        """Counts as an array with one axis per variable."""
        if self.coordinates is None:
            return self.counts
        if len(self.names) > MOST_AXES:
            raise InputError(
                f"a table of more than {MOST_AXES} variables cannot be laid out: ask for margins of fewer variables"
            )
        if self.size > DENSE_LIMIT:
            raise InputError(
                f"the table has {self.size} cells, more than can be laid out: ask for margins of fewer variables"
            )
        return _sum_cells(self.coordinates, self.counts, self.shape)

    def axes(self, variables: Iterable[str]) -> tuple[int, ...]:
        """Positions of the variables, ascending; an unknown or repeated name is an error that lists the known."""
        return axes_of(self.names, variables)

    def margin(self, variables: Iterable[str]) -> Table:
        """The margin over `variables`, in the order of the table."""
        keep = self.axes(variables)
        names = tuple(self.names[a] for a in keep)
        levels = tuple(self.categories[a] for a in keep)
        if self.coordinates is None:
            drop = tuple(a for a in range(len(self.names)) if a not in keep)
            return Table(names, levels, np.asarray(self.counts.sum(axis=drop, dtype=np.int64)))
        if prod(len(c) for c in levels) > DENSE_LIMIT:
            return Table.from_coordinates(self.coordinates[:, keep], self.counts, names, levels)
        shape = tuple(len(c) for c in levels)
        return Table(names, levels, _sum_cells(self.coordinates[:, list(keep)], self.counts, shape))

    def margins(self, releases: Iterable[Iterable[str]]) -> Margins:
        """The margins that are released, and nothing else of the table."""
        faults, found = Faults(), []
        for release in releases:
            try:
                found.append(self.axes(release))
            except InputError as error:
                faults.extend(error)
        faults.raise_if_any()
        values = {axes: self.margin([self.names[a] for a in axes]).dense() for axes in dict.fromkeys(found)}
        if not values:
            values = {(): np.asarray(self.total, np.int64)}
        return Margins(self.names, self.categories, values)

    def collapse(self, variable: str, groups: Mapping[Category, Category]) -> Table:
        """Join categories of `variable`: those that `groups` maps to the same name become one."""
        (axis,) = self.axes([variable])
        merged = [groups.get(level, level) for level in self.categories[axis]]
        levels = tuple(dict.fromkeys(merged))
        place = np.array([levels.index(level) for level in merged], np.int32)
        categories = (*self.categories[:axis], levels, *self.categories[axis + 1 :])
        if self.coordinates is not None:
            codes = self.coordinates.copy()
            codes[:, axis] = place[codes[:, axis]]
            return Table.from_coordinates(codes, self.counts, self.names, categories)
        moved = np.moveaxis(self.counts, axis, 0)
        joined = np.zeros((len(levels), *moved.shape[1:]), np.int64)
        np.add.at(joined, place, moved)
        return Table(self.names, categories, np.ascontiguousarray(np.moveaxis(joined, 0, axis)))

    def to_frame(self, like: Any = None) -> Any:
        """Long form, one row per cell and a column `count` (only non-empty cells of a sparse table)."""
        from discreet.tables.convert import frame_of_table

        return frame_of_table(self, like)

    def __repr__(self) -> str:
        kind = "dense" if self.coordinates is None else f"{self.counts.size} non-empty"
        sizes = "×".join(map(str, self.shape))
        return f"Table({', '.join(self.names)}; {sizes}, {kind}, total {self.total})"


@dataclass(frozen=True, eq=False)
class Margins:
    """The released margins of a table that itself stays unknown: all that the bounds are computed from.

    `values` maps the axes of a margin (ascending) to its counts, one array axis per variable.
    """

    names: tuple[str, ...]
    categories: Categories
    values: Mapping[tuple[int, ...], Ints]

    @classmethod
    def from_tables(
        cls,
        tables: Iterable[Table],
        names: Sequence[str] | None = None,
        categories: Mapping[str, Sequence[Category]] | None = None,
    ) -> Margins:
        """Join margins that were obtained one by one, such as from published files.

        The variables are those of the margins (in the order of `names`, where given) and a variable's categories
        those that any margin lists (or `categories` does).
        """
        parts = list(tables)
        order = list(dict.fromkeys([*(names or ()), *(n for part in parts for n in part.names)]))
        given = dict(categories or {})
        levels: dict[str, tuple[Category, ...]] = {}
        for name in order:
            seen = [part.categories[part.names.index(name)] for part in parts if name in part.names]
            levels[name] = tuple(dict.fromkeys([*given.get(name, ()), *(c for some in seen for c in some)]))
        empty = cls(tuple(order), tuple(levels[name] for name in order), {})
        for part in parts:
            empty = empty.add(part)
        return empty

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(levels) for levels in self.categories)

    @cached_property
    def size(self) -> int:
        return prod(self.shape)

    @cached_property
    def total(self) -> int:
        return int(next(iter(self.values.values())).sum()) if self.values else 0

    @property
    def releases(self) -> list[tuple[str, ...]]:
        """The variables of each margin, by name."""
        return [tuple(self.names[a] for a in axes) for axes in self.values]

    def label(self, axes: Iterable[int]) -> str:
        """How a margin is written: [A B C]."""
        return "[" + " ".join(self.names[a] for a in axes) + "]"

    def margin(self, variables: Iterable[str]) -> Table:
        """The counts of a margin that is contained in a released one."""
        wanted = axes_of(self.names, variables)
        values = project(self.values, wanted)
        if values is None:
            raise InputError(f"the margin {self.label(wanted)} is not contained in a released one")
        return Table(tuple(self.names[a] for a in wanted), tuple(self.categories[a] for a in wanted), values.copy())

    def add(self, margin: Table) -> Margins:
        """These margins and one more; its categories may come in any order and may leave out empty ones."""
        axes = axes_of(self.names, margin.names)
        order = [margin.names.index(self.names[a]) for a in axes]
        if all(margin.categories[i] == self.categories[a] for i, a in zip(order, axes)):
            return self._with(axes, np.array(margin.dense().transpose(order), np.int64, order="C"))
        faults = Faults()
        place = []
        for i, a in zip(order, axes):
            own = margin.categories[i]
            known = {level: i for i, level in enumerate(self.categories[a])}
            strange = sum(level not in known for level in own)
            faults.check(
                strange == 0, f"the new margin has {strange} categories of {self.names[a]!r} that are not known"
            )
            place.append([known.get(level, 0) for level in own])
        faults.raise_if_any()
        values = np.zeros([self.shape[a] for a in axes], np.int64)
        values[np.ix_(*place) if place else ()] = margin.dense().transpose(order)
        return self._with(axes, values)

    def _with(self, axes: tuple[int, ...], values: Ints) -> Margins:
        merged = dict(self.values)
        if axes in merged and not np.array_equal(merged[axes], values):
            raise InputError(f"the margin {self.label(axes)} is already released, with other counts")
        merged[axes] = values
        return Margins(self.names, self.categories, merged)

    def __len__(self) -> int:
        return len(self.values)

    def _repr_html_(self) -> str:
        """A card for notebooks: each margin with its cells, and its smallest count above 0."""
        from html import escape

        style = "border:1px solid #8884;border-radius:8px;padding:.7em 1em;max-width:60em"
        lines = []
        for axes, counts in self.values.items():
            least = counts[counts > 0].min(initial=LARGEST)
            words = f"{counts.size} counts, {int((counts == 0).sum())} of them 0"
            words += "" if least == LARGEST else f", the smallest other {least}"
            lines.append(f"<tr><td>{escape(self.label(axes))}</td><td style='text-align:left'>{words}</td></tr>")
        title = f"{len(self)} margins of a table of {self.size} cells and {self.total} persons"
        return f"<div style='{style}'><strong>{title}</strong><table>{''.join(lines)}</table></div>"

    def __repr__(self) -> str:
        return f"Margins({', '.join(self.label(axes) for axes in self.values)}; total {self.total})"


def axes_of(names: tuple[str, ...], variables: Iterable[str]) -> tuple[int, ...]:
    wanted = [variables] if isinstance(variables, str) else list(variables)
    faults = Faults()
    for name in dict.fromkeys(wanted):
        if name not in names:
            faults.add(f"there is no variable {name!r}; the table has {', '.join(names)}")
        if wanted.count(name) > 1:
            faults.add(f"variable {name!r} is named twice in one margin")
    faults.raise_if_any()
    return tuple(sorted(names.index(name) for name in wanted))


def project(values: Mapping[tuple[int, ...], Ints], wanted: tuple[int, ...]) -> Ints | None:
    """The margin over `wanted` summed from the smallest released one that contains it; None where there is none."""
    holders = [axes for axes in values if set(wanted) <= set(axes)]
    if not holders:
        return None
    holder = min(holders, key=lambda axes: values[axes].size)
    drop = tuple(i for i, a in enumerate(holder) if a not in wanted)
    return np.asarray(values[holder].sum(axis=drop, dtype=np.int64))


def _sum_cells(codes: NDArray[np.int32], counts: Ints, shape: tuple[int, ...]) -> Ints:
    flat = np.zeros(prod(shape), np.int64)
    if codes.shape[1] == 0:
        flat[:] = counts.sum()
    elif codes.size:
        index = np.ravel_multi_index(tuple(codes.T.astype(np.int64)), shape)
        np.add.at(flat, index, counts)
    return flat.reshape(shape)


def total_of(counts: NDArray[Any]) -> int:
    """The sum of counts that are not negative, as a Python integer: it cannot wrap around."""
    flat = np.asarray(counts).reshape(-1).astype(np.uint64)
    return (int((flat >> np.uint64(32)).sum()) << 32) + int((flat & np.uint64(0xFFFFFFFF)).sum())
