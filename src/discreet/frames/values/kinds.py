"""What kind of values a column holds, by its type: what a box over some of them is.

| column | kind |
|---|---|
| integers, floats, decimals; numbers of a text file without leading zeros | numbers: ranges |
| dates, times, timestamps; text that is ISO 8601 throughout | moments: ranges |
| ordered categoricals, enums; what SPSS measures as ordinal | ordered: stretches of the order |
| other text, truth values, categoricals; what SPSS measures as nominal, or a file labels value by value | categories |

Text stays text: digits in a column of type text are categories unless the column is named numeric. A text file has no
types, so its columns of digits are numbers unless some have zeros in front, as codes do.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from discreet.frames.dataframes import DIGITS, adopt, arrow_column, kind_of, measures
from discreet.frames.exact import Codes, Entries, exact, has_comma, is_text, plain_array
from discreet.frames.text import as_text
from discreet.frames.values.moments import stored_moments, text_moments

NUMBERS, MOMENTS, ORDERED, CATEGORIES = "numbers", "moments", "ordered", "categories"


@dataclass(frozen=True)
class Values:
    """A column by exact value, its kind and, where that is ordered, its categories from first to last."""

    entries: Entries = field(repr=False)
    kind: str
    order: list[str] | None = None


def values(
    frame: Any, column: str, *, categories: bool = False, numeric: bool = False, times: Codes | None = None
) -> Values:
    """The column and its kind. With `categories` it holds categories whatever its type; `numeric` text is numbers.

    `times`, where rows stand for all that are equal, says how often each occurs.
    """
    found = _values(adopt(frame), column, categories, numeric, times)
    return found if times is None else replace(found, entries=replace(found.entries, times=times))


def _values(adopted: Any, column: str, categories: bool, numeric: bool, times: Codes | None) -> Values:
    import pyarrow as pa

    array, comma = plain_array(adopted, column), has_comma(adopted, column)
    if categories:
        return Values(exact(array, column, categories=True, comma=comma), CATEGORIES)
    order = _listed(adopted, column)
    if order is not None and not numeric:
        return Values(exact(array, column, categories=True, comma=comma), ORDERED, order)
    measure = measures(adopted).get(column)
    if not numeric and (measure in ("nominal", "ordinal") or _is_dictionary(adopted, column)):
        found = exact(array, column, categories=True, comma=comma)
        texts = sorted(found.texts) if is_text(array.type) else list(found.texts)
        return Values(found, ORDERED, texts) if measure == "ordinal" else Values(found, CATEGORIES)
    if is_text(array.type):
        moments = None if numeric else text_moments(array)
        if moments is not None:
            return Values(moments, MOMENTS)
        words = not (numeric or _has_digits(adopted, column))
        found = exact(array, column, categories=words, comma=comma, times=times)
    elif pa.types.is_date(array.type) or pa.types.is_time(array.type) or pa.types.is_timestamp(array.type):
        return Values(stored_moments(array, column), MOMENTS)
    else:
        found = exact(array, column, categories=False, comma=comma)
    return Values(found, CATEGORIES if found.place is None else NUMBERS)


def _listed(adopted: Any, column: str) -> list[str] | None:
    """The categories of an ordered categorical or an enum as texts, None for other columns."""
    import pyarrow as pa

    native = adopted.to_native()
    if kind_of(adopted) == "pandas":
        dtype = native[column].dtype
        if not getattr(dtype, "ordered", False) or not hasattr(dtype, "categories"):
            return None
        listed = pa.array(dtype.categories, from_pandas=True)
    elif kind_of(adopted) == "polars":
        if str(adopted.schema[column]).split("(")[0] != "Enum":
            return None
        listed = pa.array(list(native.schema[column].categories), pa.string())
    else:
        array = arrow_column(adopted.get_column(column))
        if not pa.types.is_dictionary(array.type) or not array.type.ordered:
            return None
        listed = array.unify_dictionaries().chunk(0).dictionary if array.num_chunks else pa.array([], pa.string())
    return [text for text in as_text(listed).to_pylist() if text]


def _is_dictionary(adopted: Any, column: str) -> bool:
    return str(adopted.schema[column]).split("(")[0] in ("Categorical", "Enum")


def _has_digits(adopted: Any, column: str) -> bool:
    native = adopted.to_native()
    metadata = native.schema.field(column).metadata if hasattr(native, "column_names") else None
    return DIGITS.items() <= (metadata or {}).items()
