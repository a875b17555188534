"""Output appears whole or not at all, and every way it can fail is one clear message."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.frames import atomic, check_output, write_text
from discreet.frames.atomic import staged

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")


def test_a_file_appears_when_the_block_ends(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    with atomic(target) as handle:
        handle.write(b"half")
        handle.flush()
        assert not target.exists()
        (temporary,) = tmp_path.iterdir()
        if os.name != "nt":
            assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
        handle.write(b" and half")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert target.read_bytes() == b"half and half"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("existing", [False, True])
def test_nothing_is_left_when_the_block_fails(tmp_path: Path, error: type[BaseException], existing: bool) -> None:
    target = tmp_path / "out.json"
    if existing:
        target.write_text("old")

    def fail() -> None:
        with atomic(target, force=True) as handle:
            handle.write(b"new")
            raise error

    with pytest.raises(error):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == (["out.json"] if existing else [])
    assert not existing or target.read_text() == "old"


def test_an_existing_file_is_replaced_only_by_force(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    for call in (lambda: write_text(target, "new"), lambda: check_output(target)):
        with pytest.raises(InputError, match=r"out.txt exists already: choose another name, or .*--force"):
            call()
    assert target.read_text() == "old"
    check_output(target, force=True)
    write_text(target, "new", force=True)
    assert target.read_text() == "new"


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with pytest.raises(InputError, match="appeared while the result was computed"), atomic(target):
        target.write_text("someone else's")
    assert target.read_text() == "someone else's"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    write_text(tmp_path / "a", "x")
    assert (tmp_path / "a").read_text() == "x"
    with pytest.raises(InputError, match="exists already"), atomic(tmp_path / "b"):
        (tmp_path / "b").write_text("someone else's")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@posix
def test_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "plain", "x")
        write_text(tmp_path / "secret", "x", mode=0o600)
        (tmp_path / "old").write_text("x")
        (tmp_path / "old").chmod(0o604)
        write_text(tmp_path / "old", "y", force=True)
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"plain": 0o640, "secret": 0o600, "old": 0o604}


@posix
def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "real")
    with pytest.raises(InputError, match="exists already"):
        write_text(tmp_path / "link", "new")
    write_text(tmp_path / "link", "new", force=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder" / "real").read_text() == "new"
    assert len(list((tmp_path / "folder").iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "it is a folder, and a file is wanted"),
        ("missing/out.txt", "the folder .*missing does not exist"),
        ("file/out.txt", "cannot write .*file/out.txt"),
        ("x" * 300, "the name is too long"),
    ],
)
def test_places_that_cannot_be_written(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    for call in (
        lambda: write_text(tmp_path / name, "x", force=True),
        lambda: check_output(tmp_path / name, force=True),
    ):
        with pytest.raises(InputError, match=message):
            call()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


def test_a_folder_without_permission(ordinary_folder: Path) -> None:
    write_text(ordinary_folder / "out.txt", "x")
    ordinary_folder.chmod(0o500)
    with pytest.raises(InputError, match="permission denied"):
        write_text(ordinary_folder / "other.txt", "x")
    with pytest.raises(InputError, match="permission denied"):
        write_text(ordinary_folder / "out.txt", "y", force=True)
    assert (ordinary_folder / "out.txt").read_text() == "x"


def test_outputs_for_data_need_a_format(tmp_path: Path) -> None:
    (tmp_path / "out.xyz").touch()
    check_output(tmp_path / "report.html")
    check_output(tmp_path / "out.csv", data=True)
    check_output("-", data=True)
    with pytest.raises(InputError) as caught:
        check_output(tmp_path / "out.xyz", data=True)
    assert len(caught.value.faults) == 2
    with pytest.raises(InputError, match=r"can only be read; write \.xpt"):
        check_output(tmp_path / "out.sas7bdat", data=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk() -> None:
    with pytest.raises(InputError, match="cannot write /dev/full: the disk is full"):
        write_text("/dev/full", "x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@posix
def test_a_disk_that_fills_up_midway(tmp_path: Path) -> None:
    code = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
from discreet.frames import write_text
from discreet.errors import InputError
try:
    write_text("out.txt", "x" * 100_000)
except InputError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-B", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout == "cannot write out.txt: the file would be larger than is allowed here\n"
    assert list(tmp_path.iterdir()) == []


@posix
def test_devices_are_written_to_not_replaced() -> None:
    write_text("/dev/null", "x")
    check_output("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_text("-", "é\n")
    assert capfdbinary.readouterr().out == "é\n".encode()


@posix
def test_a_reader_that_has_gone() -> None:
    code = """
import sys
from discreet.frames import write_text
from discreet.errors import InputError
try:
    write_text("-", "x" * 1_000_000)
except InputError as error:
    print(error, file=sys.stderr)
"""
    ran = subprocess.run(f"{sys.executable} -c '{code}' | true", shell=True, capture_output=True, text=True)
    assert ran.stderr.startswith("cannot write standard output: its reader has gone\n")


def test_writers_that_want_a_path(tmp_path: Path) -> None:
    with staged(tmp_path / "out") as temporary:
        assert temporary.parent == tmp_path.resolve()
        temporary.write_text("x")
    assert (tmp_path / "out").read_text() == "x"
