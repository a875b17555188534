"""The data sets of the literature.

`autoworkers` ships with discreet. The others are public but not ours to pass on: they are read from the folder that
the environment variable `DISCREET_DATA` names, or from `shared/data` beside a source checkout.
"""

from __future__ import annotations

import os
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from discreet.errors import InputError

_ORIGINS = {
    "census.csv": "the 'Census' reference microdata of the CASC project (R package sdcMicro, CASCrefmicrodata)",
    "tarragona.csv": "the 'Tarragona' companies of the CASC project (R package sdcMicro, Tarragona)",
    "eia.csv": "the 'EIA' utilities of the CASC project (R package sdcMicro, EIA: UTILITYID and 10 numeric attributes)",
    "adult.csv": "Adult of the UCI machine learning repository (rows without missing values)",
    "rochdale.csv": "the Rochdale table (R package vcd, Rochdale), long form with a column count",
}


def reference_path(name: str) -> Path:
    """Where a reference file is, or an error that says where its public original is found."""
    folders = []
    if os.environ.get("DISCREET_DATA"):
        folders.append(Path(os.environ["DISCREET_DATA"]))
    folders.append(Path(__file__).resolve().parents[4] / "shared" / "data")
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise InputError(
        f"{name} does not ship with discreet. Get {_ORIGINS[name]}, save it as {name} in a folder "
        "and set the environment variable DISCREET_DATA to that folder"
    )


def _load(path: Path) -> Any:
    from discreet.frames import read

    return _typed(read(path))


def _typed(document: Any) -> Any:
    """A CSV document as the dataframe a person would expect: numbers as numbers."""
    from discreet.frames import from_arrays, is_numeric, numeric_array, text_array

    columns: dict[str, Any] = {}
    for name in document.names:
        if is_numeric(document.frame, name):
            values = numeric_array(document.frame, [name])[:, 0]
            whole = bool((values == values.round()).all())
            columns[name] = values.astype("int64") if whole else values
        else:
            columns[name] = text_array(document.frame, name)
    return from_arrays(columns)


def autoworkers() -> Any:
    """Czech autoworkers, 2^6 table in long form: six risk factors A to F and `count`, total 1841.

    Edwards and Havranek (1985); the table of Dobra and Fienberg's example.
    """
    with as_file(files("discreet.datasets") / "autoworkers.csv") as path:
        return _load(path)


def census() -> Any:
    """Census, 1080 records, 13 numeric attributes."""
    return _load(reference_path("census.csv"))


def tarragona() -> Any:
    """Tarragona, 834 companies, 13 numeric attributes."""
    return _load(reference_path("tarragona.csv"))


def eia() -> Any:
    """EIA, 4092 utilities, 11 numeric attributes."""
    return _load(reference_path("eia.csv"))


def adult() -> Any:
    """Adult, 30 162 people, 8 quasi-identifiers and the income class."""
    return _load(reference_path("adult.csv"))


def rochdale() -> Any:
    """Rochdale, 2^8 table in long form, total 665."""
    return _load(reference_path("rochdale.csv"))
