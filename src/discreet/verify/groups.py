"""The guarantees `classes` and `microaggregation`, checked from the two files' columns alone.

classes: every combination of published values of the chosen columns is shared by at least k rows.
microaggregation: moreover the published values of a class are the mean of its members' originals, so that what is
published is what was claimed. With the original at hand, both also require the same rows and unchanged other columns.

Columns come as pyarrow arrays; a class is found by encoding each column's values as numbers and combining the codes,
so that no value is ever printed or compared twice. Nothing here is shared with the methods that make a release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.results import Verdict

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Columns = Mapping[str, Any]

# Means of the same numbers added in another order differ by rounding; a mean of m values of size s by about m·ε·s.
MEAN_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Classes:
    """Rows grouped by their published values: the class of each row and the size of each class."""

    of_row: Codes
    sizes: Codes

    @property
    def smallest(self) -> int:
        return int(self.sizes.min()) if self.sizes.size else 0


def classes(columns: Sequence[Any]) -> Classes:
    """Group rows that agree on all columns; missing values agree with one another."""
    combined: Codes | None = None
    for column in columns:
        codes, count = _encode(column)
        combined = codes if combined is None else _compress(combined * count + codes)
    assert combined is not None, "a class needs at least one column"
    combined = _compress(combined)
    sizes = np.bincount(combined) if combined.size else np.zeros(0, np.int64)
    return Classes(combined, sizes.astype(np.int64))


def _encode(column: Any) -> tuple[Codes, int]:
    import pyarrow as pa
    import pyarrow.compute as pc

    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):  # combine_chunks of an empty column
        array = pa.array([], array.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
        array = pc.add(array, pa.scalar(0.0, array.type))  # -0.0 and 0.0 are one value
    encoded = array.dictionary_encode(null_encoding="encode")
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64), max(len(encoded.dictionary), 1)


def _compress(codes: Codes) -> Codes:
    """Renumber codes densely, so that combining many columns cannot overflow."""
    import pyarrow as pa

    encoded = pa.array(codes).dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)


def check_classes(published: Columns, chosen: Sequence[str], k: int) -> tuple[Classes, list[str]]:
    """Whether every class has k rows; the failure says how many rows do not."""
    groups = classes([published[name] for name in chosen])
    small = groups.sizes[groups.sizes < k]
    if not small.size:
        return groups, []
    return groups, [
        f"{int(small.sum())} rows are in {small.size} classes of fewer than {k} rows "
        f"(the smallest has {groups.smallest})"
    ]


def check_untouched(original: Columns, published: Columns, chosen: Sequence[str]) -> list[str]:
    """Columns outside the chosen ones must be as they were, row by row."""
    failures = []
    for name in original:
        if name in chosen or name not in published:
            continue
        changed = differences(original[name], published[name])
        if changed:
            failures.append(f"column {name}, which is not among the protected ones, differs in {changed} rows")
    return failures


def differences(a: Any, b: Any) -> int:
    """Rows in which two columns differ; numbers are compared as numbers, all else as text."""
    import pyarrow as pa

    both = []
    for column in (a, b):
        array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        both.append(array.dictionary_decode() if pa.types.is_dictionary(array.type) else array)
    left, right = both
    if left.type != right.type:
        numbers = as_numbers(left), as_numbers(right)
        if numbers[0] is not None and numbers[1] is not None:
            left, right = (pa.array(x, from_pandas=True) for x in numbers)
        else:
            left, right = left.cast(pa.string()), right.cast(pa.string())
    joined, _ = _encode(pa.concat_arrays([left, right]))
    return int((joined[: len(left)] != joined[len(left) :]).sum())


def as_numbers(column: Any) -> Floats | None:
    """A column as floats with NaN for missing, or None where some value is not a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_boolean(kind):
        return None
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        trimmed = pc.utf8_trim_whitespace(column)
        empty = pc.is_in(trimmed, value_set=pa.array(["", "NA", "NaN", "nan", "null"], trimmed.type))
        column = pc.if_else(empty, pa.scalar(None, trimmed.type), trimmed)
    try:
        floats = pc.cast(column, pa.float64(), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return np.array(
        floats.to_numpy(zero_copy_only=False) if isinstance(floats, pa.Array) else floats.to_numpy(),
        np.float64,
    )


def check_means(
    original: Columns, published: Columns, chosen: Sequence[str], groups: Classes
) -> tuple[list[str], float | None]:
    """The published value of a class is its members' mean; returns the failures and the information loss in percent.

    A class whose chosen columns are all blank holds records that were suppressed; it has no means to check. Integers
    that stayed integers may be rounded means.
    """
    before = [as_numbers(original[name]) for name in chosen]
    after = [as_numbers(published[name]) for name in chosen]
    textual = [name for name, a, b in zip(chosen, before, after) if a is None or b is None]
    if textual:
        return [f"column {name} is not numeric, so it cannot hold means" for name in textual], None
    x = np.stack([a for a in before if a is not None], axis=1)
    y = np.stack([b for b in after if b is not None], axis=1)
    blank = np.isnan(y).all(axis=1)
    failures = []
    if np.isnan(y[~blank]).any():
        rows = int(np.isnan(y[~blank]).any(axis=1).sum())
        failures.append(f"{rows} rows are blank in some but not all of the protected columns")
    if np.isnan(x[~blank]).any():
        rows = int((np.isnan(x) & ~np.isnan(y)).any(axis=1).sum())
        failures.append(f"{rows} rows had a missing value and were published with a number")
    if failures:
        return failures, None
    kept = ~blank
    members = groups.of_row[kept]
    count = np.bincount(members, minlength=groups.sizes.size)
    for j, name in enumerate(chosen):
        sums = np.bincount(members, weights=x[kept, j], minlength=groups.sizes.size)
        means = sums[members] / count[members]
        size = np.abs(x[kept, j]).max(initial=0.0)
        allowed = MEAN_TOLERANCE * size + 1e-300
        whole = bool((x[kept, j] == np.rint(x[kept, j])).all() and (y[kept, j] == np.rint(y[kept, j])).all())
        wrong = np.abs(means - y[kept, j]) > allowed + (0.5 if whole else 0.0)
        if wrong.any():
            failures.append(
                f"in column {name}, {int(wrong.sum())} rows are published with a value that is not their class's mean"
            )
    return failures, _loss(x[kept], y[kept])


def _loss(x: Floats, y: Floats) -> float:
    if len(x) < 2:
        return 0.0
    spread = x.std(axis=0, ddof=1)
    varied = np.ptp(x, axis=0) > 0
    total = (((x - x.mean(axis=0))[:, varied] / spread[varied]) ** 2).sum()
    return float(100.0 * (((x - y)[:, varied] / spread[varied]) ** 2).sum() / total) if total > 0 else 0.0


def verify_groups(
    original: Columns | None, published: Columns, *, k: int, chosen: Sequence[str], means: bool
) -> Verdict:
    """The verdict on a release that claims classes of k, or a microaggregation with groups of k."""
    guarantee = "microaggregation" if means else "classes"
    failures: list[str] = []
    advice: list[str] = []
    figures: dict[str, float | int | str] = {"columns": ", ".join(chosen)}
    groups, small = check_classes(published, chosen, k)
    figures |= {
        "rows": int(groups.of_row.size),
        "classes": int(groups.sizes.size),
        "smallest": groups.smallest,
    }
    if small:
        failures += small
        advice.append(
            f"protect these columns again with k = {k}; if some of them do not identify anyone, "
            "name only those that do (quasi_identifiers, --qi)"
        )
    if original is not None:
        rows = {len(column) for column in original.values()}
        if rows != {int(groups.of_row.size)}:
            failures.append(f"the original has {max(rows, default=0)} rows, the published data {groups.of_row.size}")
            advice.append("publish every record exactly once, in the original order")
            return Verdict("unsafe", guarantee, k, tuple(failures), tuple(advice), figures)
        touched = check_untouched(original, published, chosen)
        if touched:
            failures += touched
            advice.append("rows must keep their order, and other columns their values; or name these columns too")
        if means:
            wrong, loss = check_means(original, published, chosen, groups)
            if loss is not None:
                figures["information_loss"] = loss
            if wrong:
                failures += wrong
                advice.append(
                    "this is not a microaggregation of the original; if it is meant to be something else, "
                    "ask for guarantee 'classes' alone"
                )
    return Verdict("unsafe" if failures else "safe", guarantee, k, tuple(failures), tuple(advice), figures)
