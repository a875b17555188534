"""A table that someone sends: the form and its checks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import HTTPException, Request
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException

from discreet.errors import Faults, InputError
from discreet.release.history.store import NAME_PATTERN
from discreet.release.loading.choices import Choices
from discreet.release.loading.drafts import Intent
from discreet.release.policy import Policy, split_margin

FORMATS = {".csv": ".csv", ".tsv": ".tsv", ".txt": ".csv", ".parquet": ".parquet", ".pq": ".parquet"}
YES, NO = ("true", "1", "yes", "on"), ("false", "0", "no", "off", "")
TEXTS = ("codebook", "same_as", "population", "predecessor")

_FLAG = {"type": "string", "enum": ["true", "false"]}
UPLOAD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["file", "name"],
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "CSV or Parquet."},
        "name": {"type": "string", "pattern": NAME_PATTERN, "description": "Name of the dataset."},
        "policy": {"type": "string", "description": "The policy as TOML; the defaults unless given."},
        "variables": {"type": "string", "description": "Variables to keep, as A:B:C; all unless given."},
        "count": {"type": "string", "description": "Column of counts; `count` where there is one."},
        "records": {**_FLAG, "description": "Every row is a person, whatever the columns look like."},
        "codebook": {"type": "string", "description": "Categories, labels and order, declared: JSON, TOML or CSV."},
        "same_as": {"type": "string", "description": "Dataset whose history this one joins."},
        "distinct": {**_FLAG, "description": "It is not the table that it looks like."},
        "population": {"type": "string", "description": "Name of the people it is about."},
        "predecessor": {"type": "string", "description": "The edition before."},
        "confirm_published": {**_FLAG, "description": "What the policy declares as published really is public."},
    },
}
UPLOAD: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": UPLOAD_SCHEMA}}}
}


@dataclass(frozen=True)
class Upload:
    """A form that was understood."""

    data: bytes
    suffix: str
    name: str
    plan: Intent
    confirmed: bool


async def parse_form(request: Request) -> FormData:
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise HTTPException(415, "the body must be a form (multipart/form-data) with a file")
    try:
        return await request.form(max_files=3, max_fields=500, max_part_size=64 << 10)
    except (MultiPartException, HTTPException):
        raise HTTPException(422, "the form cannot be read") from None


async def read_upload(request: Request) -> Upload:
    """The form of `POST /api/datasets` and `POST /api/drafts`."""
    form = await parse_form(request)
    faults = Faults()
    data, suffix = await read_file(form, faults)
    given = {key: await _text(form, key) for key in UPLOAD_SCHEMA["properties"] if key != "file"}
    name = (given["name"] or "").strip()
    faults.check(bool(name), "the form needs a name")
    policy, choices = Policy(), Choices()
    try:
        policy = Policy.from_toml(given["policy"] or "")
    except InputError as error:
        faults.extend(error)
    flags = {key: _flag(given[key], key, faults) for key in ("records", "distinct", "confirm_published")}
    try:
        variables = split_margin(given["variables"]) if given["variables"] else None
        choices = Choices(given["count"] or None, flags["records"], variables)
    except InputError as error:
        faults.extend(error)
    faults.raise_if_any()
    texts = {key: (given[key] or "").strip() or None for key in TEXTS}
    plan = Intent(choices, policy, distinct=flags["distinct"], **texts)
    return Upload(data, suffix, name, plan, flags["confirm_published"])


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


def _flag(text: str | None, field: str, faults: Faults) -> bool:
    word = (text or "").strip().lower()
    faults.check(word in (*YES, *NO), f"the field {field} is true or false")
    return word in YES
