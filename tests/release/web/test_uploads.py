"""A table that someone sends: every field is understood or named as a fault, all at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import HTTPException
from starlette.requests import Request

from discreet.errors import InputError
from discreet.release.loading.choices import Choices
from discreet.release.loading.drafts import Intent
from discreet.release.policy import Policy
from discreet.release.web.uploads import FORMATS, UPLOAD_SCHEMA, Upload, parse_form, read_upload

EDGE = b"edge"
FILE = ("file", "t.csv", b"A,count\nx,1\n")


def request(*parts: tuple[str, str | None, bytes], kind: str = "multipart/form-data; boundary=edge") -> Request:
    """A request with a form of these fields: name, file name, content."""
    body = b""
    for name, file, content in parts:
        more = "" if file is None else f'; filename="{file}"'
        body += b"--edge\r\nContent-Disposition: form-data; " + f'name="{name}"{more}'.encode()
        body += b"\r\n\r\n" + content + b"\r\n"
    return raw(body + b"--edge--\r\n", kind)


def raw(body: bytes, kind: str) -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(b"content-type", kind.encode())] if kind else []
    return Request({"type": "http", "method": "POST", "headers": headers}, receive)


def fields(**given: str) -> list[tuple[str, str | None, bytes]]:
    return [(name, None, text.encode()) for name, text in given.items()]


def read(*parts: tuple[str, str | None, bytes]) -> Upload:
    return asyncio.run(read_upload(request(*parts)))


def faults(*parts: tuple[str, str | None, bytes]) -> tuple[str, ...]:
    with pytest.raises(InputError) as caught:
        read(*parts)
    return tuple(caught.value.faults)


def test_the_least_that_is_needed() -> None:
    assert read(FILE, *fields(name=" t ")) == Upload(FILE[2], ".csv", "t", Intent(), False)


def test_every_field_of_the_contract_is_read() -> None:
    given = fields(
        name="t",
        policy="w = 9",
        variables="A:B",
        count="Freq",
        records="false",
        codebook="A = {a = 'x'}",
        same_as="auto",
        distinct="YES",
        population="people",
        predecessor="before",
        confirm_published="on",
    )
    assert {name for name, _, _ in given} | {"file"} == set(UPLOAD_SCHEMA["properties"])
    told = read(FILE, *given)
    choices = Choices("Freq", False, ("A", "B"))
    assert told.plan == Intent(choices, Policy(w=9), "A = {a = 'x'}", "auto", True, "people", "before")
    assert told.confirmed is True
    assert read(FILE, *fields(name="t", records="1")).plan.choices.records is True


def test_a_field_may_be_a_small_file() -> None:
    assert read(FILE, *fields(name="t"), ("policy", "p.toml", b"w = 9")).plan.policy.w == 9
    with pytest.raises(InputError, match="policy must be UTF-8"):
        read(FILE, *fields(name="t"), ("policy", "p.toml", b"\xff\xfe"))


@pytest.mark.parametrize("word", ["maybe", "2", "truee", "\u0442rue"])
@pytest.mark.parametrize("flag", ["records", "distinct", "confirm_published"])
def test_a_flag_that_is_neither_is_a_fault(flag: str, word: str) -> None:
    """A confirmation is never taken from a word that is not one."""
    assert faults(FILE, *fields(name="t", **{flag: word})) == (f"the field {flag} is true or false",)


def test_all_faults_at_once_and_no_content() -> None:
    told = faults(
        ("file", "secret.exe", b"4711"),
        *fields(policy="w = 'secret'", variables="A::B", records="secret", count="Freq"),
    )
    assert len(told) == 5
    assert "secret" not in " ".join(told).replace("w = 'secret'", "") and "4711" not in " ".join(told)


@pytest.mark.parametrize("name", [*FORMATS, ".CSV"])
def test_the_name_of_the_file_tells_the_format(name: str) -> None:
    assert read(("file", f"a.b{name}", b"x"), *fields(name="t")).suffix == FORMATS[name.lower()]


@pytest.mark.parametrize("name", ["t", "t.csv.exe", "", ".csv", "t.csv ", "../../etc/passwd", "t.csv\x01"])
def test_other_names_are_no_format(name: str) -> None:
    """The suffix becomes part of a path in the reader's folder: it is one of a list, whatever was sent."""
    told = faults(("file", name, b"x"), *fields(name="t"))
    assert any("must end in one of" in one or "needs a file" in one for one in told)


def test_a_file_that_is_sent_as_text_is_none() -> None:
    assert faults(*fields(file="A,count", name="t"))[0] == "the form needs a file"
    assert "the form needs a name" in faults(FILE)


@pytest.mark.parametrize("kind", ["", "application/json", "application/x-www-form-urlencoded", "text/plain"])
def test_another_kind_of_body(kind: str) -> None:
    with pytest.raises(HTTPException) as caught:
        asyncio.run(parse_form(request(FILE, kind=kind)))
    assert caught.value.status_code == 415


@pytest.mark.parametrize(
    "body",
    [
        b"no form at all",
        b"--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--\r\n",
        b"--edge\r\nContent-Disposition: form-data; name=a\r\n\r\n" + b"x" * (65 << 10) + b"\r\n--edge--\r\n",
        b"".join(b"--edge\r\nContent-Disposition: form-data; name=a%d\r\n\r\nx\r\n" % i for i in range(501))
        + b"--edge--",
        b"".join(b'--edge\r\nContent-Disposition: form-data; name=a%d; filename="x"\r\n\r\nx\r\n' % i for i in range(4))
        + b"--edge--",
    ],
)
def test_forms_that_were_made_to_harm(body: bytes) -> None:
    """No form, a part without a name, a part that is too long, too many of them, too many files."""
    with pytest.raises(HTTPException) as caught:
        asyncio.run(parse_form(raw(body, "multipart/form-data; boundary=edge")))
    assert caught.value.status_code == 422


def test_a_form_without_a_boundary() -> None:
    with pytest.raises(HTTPException) as caught:
        asyncio.run(parse_form(raw(b"", "multipart/form-data")))
    assert caught.value.status_code == 422
