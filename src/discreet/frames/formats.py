"""Which format a file name stands for.

| extension | format | read | written |
|---|---|---|---|
| `.csv` `.tsv` `.txt`, each also with `.gz` | delimited text | yes | yes |
| `.parquet` `.pq` | Apache Parquet | yes | yes |
| `.xlsx` | Excel | yes | yes |
| `.sav` `.zsav` | SPSS | yes | yes |
| `.por` | SPSS portable | yes | no |
| `.dta` | Stata | yes | yes |
| `.xpt` | SAS transport | yes | yes |
| `.sas7bdat` | SAS | yes | no |
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path, PurePath

from discreet.errors import InputError
from discreet.frames.atomic import is_special, is_standard


@dataclass(frozen=True)
class Format:
    """A file format: its family decides the code that reads and writes it."""

    name: str
    family: str
    extra: str | None = None
    writable: bool = True
    delimiter: str | None = None
    compressed: bool = False


_TEXT = {
    "csv": Format("CSV", "text"),
    "tsv": Format("TSV", "text", delimiter="\t"),
    "tab": Format("TSV", "text", delimiter="\t"),
    "txt": Format("text", "text"),
}
_FORMATS = {
    **_TEXT,
    **{f"{key}.gz": Format(f.name, "text", delimiter=f.delimiter, compressed=True) for key, f in _TEXT.items()},
    "parquet": Format("Parquet", "parquet"),
    "pq": Format("Parquet", "parquet"),
    "xlsx": Format("Excel", "xlsx", extra="xlsx"),
    "sav": Format("SPSS", "sav", extra="spss"),
    "zsav": Format("compressed SPSS", "zsav", extra="spss"),
    "por": Format("SPSS portable", "por", extra="spss", writable=False),
    "dta": Format("Stata", "dta", extra="stata"),
    "xpt": Format("SAS transport", "xpt", extra="sas"),
    "sas7bdat": Format("SAS", "sas7bdat", extra="sas", writable=False),
}
_SHOWN = ".csv, .tsv, .txt (each also .gz), .parquet, .xlsx, .sav, .zsav, .por, .dta, .xpt, .sas7bdat"


def extension_of(path: str | os.PathLike[str]) -> str:
    """The extension that tells the format of `path`, such as `csv` or `csv.gz`; empty where none does. `-` is CSV."""
    if is_standard(path):
        return "csv"
    parts = PurePath(path).name.lower().split(".")
    if len(parts) == 1 and is_special(Path(path)):
        return "csv"  # a pipe or /dev/stdout
    for count in (2, 1):
        extension = ".".join(parts[-count:])
        if len(parts) > count and extension in _FORMATS:
            return extension
    return ""


def format_of(path: str | os.PathLike[str], extension: str | None = None) -> Format:
    """The format by the extension of `path`; `InputError` where it is unknown or its extra is missing.

    `extension` is for files whose name does not tell, such as temporary ones.
    """
    found = _FORMATS.get(extension_of(path) if extension is None else extension.lower().lstrip("."))
    if found is None:
        raise InputError(
            f"cannot tell the format of {os.fspath(path)} by its name: the extension must be one of {_SHOWN}"
        )
    needed = ("openpyxl",) if found.family == "xlsx" else ("pyreadstat", "pandas")
    if found.extra and not all(map(_installed, needed)):
        raise InputError(f"{found.name} files need another package: pip install 'discreet[{found.extra}]'")
    return found


def writable_format(path: str | os.PathLike[str], extension: str | None = None) -> Format:
    """`format_of`, for a file to be written."""
    found = format_of(path, extension)
    if not found.writable:
        instead = {"sas7bdat": ".xpt (SAS transport)", "por": ".sav"}[found.family]
        raise InputError(
            f"cannot write {os.fspath(path)}: this format can only be read; write {instead}, .csv or .parquet"
        )
    return found


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
