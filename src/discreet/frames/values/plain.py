"""Numbers from numpy to Arrow and back, over the same bytes.

Arrow's own ways (`pyarrow.array`, `to_numpy`) import pandas, to see whether that is concerned: half a second for each
process, which workers that never see a dataframe do without.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def plain_array(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> Any:
    """The Arrow array of a numpy array of whole numbers or floats; null where one is missing."""
    import pyarrow as pa

    held = np.ascontiguousarray(values)
    gaps = None
    if missing is not None and missing.any():
        gaps = pa.py_buffer(np.packbits(~missing, bitorder="little"))
    return pa.Array.from_buffers(pa.from_numpy_dtype(held.dtype), held.size, [gaps, pa.py_buffer(held)])


def plain_values(array: Any) -> NDArray[Any]:
    """The numpy array of an Arrow array of int64 or float64 without gaps."""
    import pyarrow as pa

    kind = np.dtype(np.int64 if array.type == pa.int64() else np.float64)
    if array.type not in (pa.int64(), pa.float64()) or array.null_count:
        raise ValueError("an array of int64 or float64 without gaps is wanted")
    if not len(array):
        return np.empty(0, kind)
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)


def plain_floats(array: Any) -> NDArray[np.float64]:
    """The numpy array of an Arrow array of float64; NaN where a value is missing."""
    if not array.null_count:
        return plain_values(array)
    bits, held = array.buffers()
    there = np.unpackbits(np.frombuffer(bits, np.uint8), count=array.offset + len(array), bitorder="little")
    values = np.frombuffer(held, np.float64, len(array), 8 * array.offset)
    return np.where(there[array.offset :] == 1, values, np.nan)
