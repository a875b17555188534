"""A table that someone sends: the form, its checks, and the file as a table of counts.

The file is written to a temporary place only its owner can read, read from there, and removed.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import HTTPException, Request
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException

from discreet.errors import Faults, InputError
from discreet.release.engine import Table, read_table
from discreet.release.history.store import NAME_PATTERN
from discreet.release.policy import Policy, split_margin

FORMATS = {".csv": ".csv", ".tsv": ".tsv", ".txt": ".csv", ".parquet": ".parquet", ".pq": ".parquet"}

UPLOAD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["file", "name"],
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "CSV or Parquet."},
        "name": {"type": "string", "pattern": NAME_PATTERN, "description": "Name of the dataset."},
        "policy": {"type": "string", "description": "The policy as TOML; the defaults unless given."},
        "variables": {"type": "string", "description": "Variables to keep, as A:B:C; all unless given."},
        "count": {"type": "string", "description": "Column of counts; `count` where there is one, else records."},
    },
}


@dataclass(frozen=True)
class Upload:
    """A form that was understood."""

    data: bytes
    suffix: str
    name: str
    policy: Policy
    variables: tuple[str, ...] | None
    count: str | None

    def table(self) -> Table:
        return table_of_bytes(self.data, self.suffix, self.variables, self.count)


def table_of_bytes(data: bytes, suffix: str, variables: tuple[str, ...] | None, count: str | None) -> Table:
    with tempfile.TemporaryDirectory(prefix="discreet-") as folder:
        path = Path(folder) / f"table{suffix}"
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
        try:
            return read_table(path, variables, count)
        except InputError as error:
            # The sender knows the file by another name.
            raise InputError(fault.replace(str(path), "the file") for fault in error.faults) from None


async def parse_form(request: Request) -> FormData:
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise HTTPException(415, "the body must be a form (multipart/form-data) with a file")
    try:
        return await request.form(max_files=2, max_fields=500, max_part_size=64 << 10)
    except (MultiPartException, HTTPException):
        raise HTTPException(422, "the form cannot be read") from None


async def read_upload(request: Request) -> Upload:
    """The form of `POST /api/datasets`."""
    form = await parse_form(request)
    faults = Faults()
    data, suffix = await read_file(form, faults)
    name = await _text(form, "name")
    faults.check(bool(name), "the form needs a name")
    policy = Policy()
    try:
        policy = Policy.from_toml(await _text(form, "policy") or "")
    except InputError as error:
        faults.extend(error)
    variables = await _text(form, "variables")
    try:
        chosen = split_margin(variables) if variables else None
    except InputError as error:
        faults.extend(error)
    faults.raise_if_any()
    return Upload(data, suffix, name or "", policy, chosen, await _text(form, "count") or None)


async def read_file(form: FormData, faults: Faults) -> tuple[bytes, str]:
    file = form.get("file")
    if not isinstance(file, UploadFile):
        faults.add("the form needs a file")
        return b"", ""
    suffix = Path(file.filename or "").suffix.lower()
    faults.check(suffix in FORMATS, f"the file's name must end in one of {', '.join(FORMATS)}")
    return await file.read(), FORMATS.get(suffix, "")


async def _text(form: FormData, field: str) -> str | None:
    """A field that may be sent as text or as a small file."""
    value = form.get(field)
    if isinstance(value, UploadFile):
        try:
            return (await value.read()).decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"the field {field} must be UTF-8 text") from None
    return value
