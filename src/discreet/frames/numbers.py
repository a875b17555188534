"""Numbers in text: whether a column of strings holds numbers, and which.

A number is an optional sign, digits with or without a decimal point, an optional exponent, or an infinity;
spaces around it do not matter. A column is int64 if all its numbers are written as integers that fit, else
float64.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

MISSING = ("", "NA", "NaN", "nan", "null", "NULL")
_PROBE = 1000
# The least share of leading zeros that makes digits of one length codes.
CODES = 0.05


def parse_numbers(strings: Any, allow_comma: bool) -> tuple[Any | None, bool]:
    """The numbers in an Arrow string array, or None if it is not numeric, and whether they have a decimal comma."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if strings.null_count == len(strings):
        return None, False
    # A cast that fails is slow: Arrow words an error for every value. The first values tell what is worth trying.
    if len(strings) > 2 * _PROBE and _parse(_tidy(strings[:_PROBE]), allow_comma) is None:
        return None, False
    plain = _cast(strings, pa.float64()) if _cast(strings[:_PROBE], pa.float64()) is not None else None
    if plain is not None and not pc.any(pc.is_nan(plain)).as_py():
        return _whole(strings, plain), False
    found = _parse(_tidy(strings), allow_comma)
    if found is None or found[0].null_count == len(found[0]):
        return None, False
    return found


# What part of a column says of the whole: nothing, or numbers that are written so, or that it is text.
EMPTY, WHOLE, PLAIN, POINT, DECIMAL_COMMA, TEXT = "empty", "whole", "plain", "point", "comma", "text"


def manner_of(strings: Any, allow_comma: bool) -> str:
    """How the numbers in part of a column are written: whole, with a point, with a comma, otherwise; or it is text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tidy = _tidy(strings)
    if tidy.null_count == len(tidy):
        return EMPTY
    found = None if _parse(_tidy(strings[:_PROBE]), allow_comma) is None else _parse(tidy, allow_comma)
    if found is None:
        return TEXT
    if found[1]:
        return DECIMAL_COMMA
    if pa.types.is_integer(found[0].type):
        return WHOLE
    return POINT if pc.any(pc.match_substring(tidy, ".")).as_py() else PLAIN


def type_of(manners: Collection[str]) -> tuple[str, bool]:
    """The type of a column whose parts are written so, "int64", "double" or "string"; whether it has decimal commas."""
    said = set(manners) - {EMPTY}
    if not said or TEXT in said or said >= {POINT, DECIMAL_COMMA}:
        return "string", False
    return ("int64" if said == {WHOLE} else "double"), DECIMAL_COMMA in said


def numbers_as(strings: Any, kind: str, comma: bool) -> Any | None:
    """The numbers in part of a column of this type; None where they are not such numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tidy = _tidy(strings)
    if comma:
        tidy = pc.replace_substring(tidy, ",", ".")
    return _cast(tidy, pa.int64() if kind == "int64" else pa.float64())


def _parse(tidy: Any, allow_comma: bool) -> tuple[Any, bool] | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    floats = _cast(tidy, pa.float64())
    if floats is not None:
        # Spellings of NaN that are not in MISSING make a column text.
        return None if pc.any(pc.is_nan(floats)).as_py() else (_whole(tidy, floats), False)
    if allow_comma and not pc.any(pc.match_substring(tidy, ".")).as_py():
        floats = _cast(pc.replace_substring(tidy, ",", "."), pa.float64())
        if floats is not None:
            return floats, True
    return None


def _whole(strings: Any, floats: Any) -> Any:
    """The same numbers as int64, if they are written as integers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    fractional = pc.any(pc.not_equal(floats, pc.trunc(floats))).as_py()
    if fractional or _cast(strings[:_PROBE], pa.int64()) is None:
        return floats
    whole = _cast(strings, pa.int64())
    return floats if whole is None else whole


def _tidy(strings: Any) -> Any:
    """The strings without spaces around them, null where they mean that a value is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(strings)
    missing = pc.is_in(trimmed, value_set=pa.array(MISSING, trimmed.type))
    return pc.if_else(missing, pa.scalar(None, trimmed.type), trimmed)


def _cast(strings: Any, kind: Any) -> Any | None:
    import pyarrow as pa

    try:
        return strings.cast(kind)
    except pa.ArrowInvalid:
        return None


def looks_like_codes(strings: Any) -> bool:
    """Whether some whole number has a leading zero, as postal codes and identifiers do and quantities do not."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(strings, r"^\s*[+-]?0[0-9]")).as_py())


def are_codes(strings: Any) -> bool:
    """Whether the values are digits of one length, and not just a few of them have leading zeros."""
    import pyarrow.compute as pc

    present = strings.drop_null()
    lengths = pc.min_max(pc.utf8_length(present)).as_py()
    if lengths["min"] != lengths["max"] or not pc.all(pc.match_substring_regex(present, r"^[0-9]+$")).as_py():
        return False
    return int(pc.sum(pc.starts_with(present, "0")).as_py()) >= CODES * len(present)
