"""An exported ledger: whoever has the public key can check it, and no edit, cut or second signature passes."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.release.history import keys
from discreet.release.history.database import Database
from discreet.release.history.export import check_export, export
from discreet.release.people.actor import Actor
from discreet.release.service import Service


@pytest.fixture
def key(tmp_path: Path) -> Path:
    keys.make_key(tmp_path / "key.pem")
    return tmp_path / "key.pem"


@pytest.fixture
def told(service: Service, analyst: Actor) -> Database:
    for request in ("A", "ABCDEF", "A"):
        service.ask(analyst, "auto", list(request))
    return service.database


def checked(lines: list[bytes], key: Path) -> list[str]:
    return check_export(io.BytesIO(b"".join(lines)), keys.read_key(key).public_key())[0]


def test_an_untouched_export_is_intact(told: Database, key: Path) -> None:
    lines = list(export(told, "carla", keys.read_key(key)))
    faults, heads = check_export(io.BytesIO(b"".join(lines)), keys.read_public(key.with_name("key.pem.pub")))
    assert faults == []
    assert len(lines) - 2 == sum(length for length, _ in heads.values())
    last = json.loads(json.loads(lines[-2])["body"])
    assert (last["what"], last["who"]) == ("ledger exported", "carla")


def test_every_edit_of_a_line_shows(told: Database, key: Path) -> None:
    lines = list(export(told, "carla", keys.read_key(key)))
    for place, line in enumerate(lines):
        for old, new in ((b'"who', b'"whO'), (b"ann", b"bob"), (b"1", b"2"), (b"0", b"1")):
            if old in line:
                edited = [*lines[:place], line.replace(old, new, 1), *lines[place + 1 :]]
                try:
                    faults = checked(edited, key)
                except InputError:
                    continue
                assert faults, (place, old)


def test_every_edit_of_the_last_line_shows(told: Database, key: Path) -> None:
    lines = list(export(told, "carla", keys.read_key(key)))
    last = lines[-1]
    for place in range(len(last) - 1):
        for new in (b"A", b"1", b" "):
            edited = last[:place] + new + last[place + 1 :]
            if edited == last:
                continue
            try:
                faults = checked([*lines[:-1], edited], key)
            except InputError:
                continue
            assert faults, (place, new)
    for spelled in (last.replace(b":", b": "), last.replace(b"==", b"=")):
        try:
            assert checked([*lines[:-1], spelled], key)
        except InputError:
            continue


def test_cuts_swaps_and_additions_show(told: Database, key: Path) -> None:
    lines = list(export(told, "carla", keys.read_key(key)))
    for place in range(1, len(lines)):
        assert checked(lines[:place] + lines[place + 1 :], key)
        assert checked([*lines[: place + 1], lines[place], *lines[place + 1 :]], key)
    for place in range(1, len(lines) - 2):
        assert checked([*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]], key)
    assert checked([*lines, b'{"more": 1}\n'], key) == [f"line {len(lines) + 1}: there is more after the end"]


def test_another_key_is_not_this_one(told: Database, key: Path, tmp_path: Path) -> None:
    keys.make_key(tmp_path / "other.pem")
    lines = list(export(told, "carla", keys.read_key(tmp_path / "other.pem")))
    assert checked(lines, key) == ["the signature was not made with this key, or not for these lines"]
    assert checked(list(export(told, "carla")), key) == ["it is not signed"]


@pytest.mark.parametrize("text", [b"", b"\n", b"[]\n", b'{"format": "discreet ledger export 1"}\n', b"\xff\n"])
def test_what_is_no_export(text: bytes, key: Path) -> None:
    with pytest.raises(InputError, match="no export"):
        checked([text], key)


def test_openssl_agrees(told: Database, key: Path, tmp_path: Path) -> None:
    """The public key is checkable by a third party with other means."""
    import base64
    import hashlib
    import shutil

    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    lines = list(export(told, "carla", keys.read_key(key)))
    digest = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    (tmp_path / "message").write_bytes(f"discreet ledger export 1\n{digest}\n".encode())
    (tmp_path / "signature").write_bytes(base64.b64decode(json.loads(lines[-1])["signature"]))
    words = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.pem.pub", "-rawin", "-in", "message"]
    ran = subprocess.run([*words, "-sigfile", "signature"], cwd=tmp_path, capture_output=True, check=False)
    assert (ran.returncode, b"Successfully" in ran.stdout) == (0, True), ran.stderr
