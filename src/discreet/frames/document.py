"""A file that was read: its frame, and what it takes to write it back as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from discreet.frames.csv_text import CsvText
    from discreet.frames.labelled import Labelled


@dataclass(frozen=True)
class Document:
    """A file that was read.

    `frame` is a pyarrow Table (CSV, Parquet) or a pandas DataFrame (SPSS, Stata, SAS). `source` is how the
    file spelled it: the text of a CSV, or the codes, labels and formats of a labelled file; `write(...,
    like=document)` uses it for all that was not changed.
    """

    name: str
    format: str
    frame: Any = field(repr=False)
    source: CsvText | Labelled | None = field(default=None, repr=False)
    variable_labels: Mapping[str, str] = field(default_factory=dict, repr=False)
    value_labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> list[str]:
        """The column names."""
        from discreet.frames.dataframes import adopt

        return list(adopt(self.frame).columns)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.frame)

    def __len__(self) -> int:
        return len(self.frame)

    def numeric_columns(self) -> list[str]:
        from discreet.frames.dataframes import numeric_columns

        return numeric_columns(self.frame)

    def numeric(self, columns: Sequence[str] | None = None) -> NDArray[np.float64]:
        """`numeric_array` of the frame."""
        from discreet.frames.dataframes import numeric_array

        return numeric_array(self.frame, columns)

    def text(self, column: str) -> NDArray[np.object_]:
        """The column as text: for a CSV file the text in the file, leading zeros and all; None where empty."""
        from discreet.errors import InputError
        from discreet.frames.csv_text import CsvText
        from discreet.frames.dataframes import column_faults, text_array

        faults = column_faults(self.frame, [column])
        if faults:
            raise InputError(faults)
        if not isinstance(self.source, CsvText):
            return text_array(self.frame, column)
        values = np.empty(self.n, dtype=object)
        values[:] = self.source.text(column).to_pylist()
        return values
