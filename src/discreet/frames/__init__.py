"""Any dataframe in, the same kind out; files in and out.

Nothing heavy is imported before it is needed: neither pandas nor Polars nor pyarrow by this import.
"""

from __future__ import annotations

from discreet.frames.atomic import atomic, check_output, write_text
from discreet.frames.counts import count_array
from discreet.frames.dataframes import (
    adopt,
    build,
    code_columns,
    column_faults,
    differs_everywhere,
    from_arrays,
    is_numeric,
    kind_of,
    numeric_array,
    numeric_columns,
    take_rows,
    text_array,
    to_arrow,
    whole_numbers,
    zero_columns,
)
from discreet.frames.document import Document
from discreet.frames.doubtful import doubtful_columns
from discreet.frames.files import read, write
from discreet.frames.replace import exchange_columns, number_column, replace_columns, replace_text_columns
from discreet.frames.respell import respell

__all__ = [
    "Document",
    "adopt",
    "atomic",
    "build",
    "check_output",
    "code_columns",
    "column_faults",
    "count_array",
    "differs_everywhere",
    "doubtful_columns",
    "exchange_columns",
    "from_arrays",
    "is_numeric",
    "kind_of",
    "number_column",
    "numeric_array",
    "numeric_columns",
    "read",
    "replace_columns",
    "replace_text_columns",
    "respell",
    "take_rows",
    "text_array",
    "to_arrow",
    "whole_numbers",
    "write",
    "write_text",
    "zero_columns",
]
