"""Whatever is done to a backup is noticed before anything is restored from it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from backups import sealed

from discreet.errors import InputError
from discreet.release.history.database import Database
from discreet.release.people.actor import Actor
from discreet.release.running.backup_check import Backup, hashes_in, read_backup
from discreet.release.service import Service

Copy = Callable[[Database], Backup]


@pytest.fixture
def data(database: Database, analyst: Actor, service: Service, copy: Copy) -> bytes:
    service.ask(analyst, "auto", ["A"])
    service.ask(analyst, "auto", ["A"])
    return copy(database).path.read_bytes()


def test_a_seal_alone_is_accepted(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(sealed(gzip.decompress(data).splitlines(keepends=True)[:-1]))
    assert read_backup(path).heads["dataset/auto"][0] == 3


def test_damage_is_noticed(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    plain = gzip.decompress(data)
    lines = plain.splitlines(keepends=True)
    damaged = [
        b"",
        b"nothing of the kind",
        data[: len(data) // 2],
        data[:-1],
        gzip.compress(plain[:-20]),
        gzip.compress(b"".join(lines[:-1])),
        gzip.compress(b"".join(lines[:5] + lines[6:])),
        gzip.compress(plain.replace(b'"custodian"', b'"custodiam"')),
        gzip.compress(plain + lines[3]),
        gzip.compress(plain + lines[-1]),
        gzip.compress(b"[]\n"),
        gzip.compress(b'{"format": "other"}\n'),
    ]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(InputError):
            read_backup(path)
    with pytest.raises(InputError):
        read_backup(tmp_path / "none")


def test_a_forged_ledger_is_noticed(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    lines = gzip.decompress(data).splitlines(keepends=True)[:-1]
    entries = [i for i, line in enumerate(lines) if line.startswith(b'{"table":"ledger"') and b"dataset/auto" in line]
    last = entries[-1]
    forged = [
        lines[:last] + lines[last + 1 :],
        [*lines[: last - 1], lines[last], lines[last - 1], *lines[last + 1 :]],
        [line.replace(b"contained", b"confirmed") if i == last else line for i, line in enumerate(lines)],
        [line for line in lines if not line.startswith(b'{"table":"chains"')],
    ]
    for case in forged:
        path.write_bytes(sealed(case))
        with pytest.raises(InputError, match="not intact"):
            read_backup(path)


def test_a_newer_schema_is_refused(data: bytes, tmp_path: Path) -> None:
    lines = gzip.decompress(data).splitlines(keepends=True)[:-1]
    header = json.loads(lines[0])
    header["schema"] = "9999"
    (tmp_path / "x").write_bytes(sealed([json.dumps(header).encode() + b"\n", *lines[1:]]))
    with pytest.raises(InputError, match="newer version"):
        read_backup(tmp_path / "x")


def test_anchors(tmp_path: Path) -> None:
    path = tmp_path / "anchor.txt"
    path.write_text(f"server  2 entries  {'a' * 64}\ndataset/auto  3 entries  {'b' * 64}\n")
    assert hashes_in(path) == ["a" * 64, "b" * 64]
    path.write_text("nothing")
    with pytest.raises(InputError, match="no hash"):
        hashes_in(path)
    with pytest.raises(InputError):
        hashes_in(tmp_path / "none")
