"""What the commands around the server share: a database is made only on request, and secrets have one owner."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from discreet.cli.release_options import need_server, open_database, private_file, token_of
from discreet.errors import InputError


def test_what_is_not_installed_is_named_with_the_way_to_it() -> None:
    need_server()
    with pytest.raises(InputError, match=r"needs no_such_thing: pip install 'discreet\[server\]'"):
        need_server("no_such_thing")


def test_a_database_is_made_only_where_that_is_asked_for(tmp_path: Path) -> None:
    place = tmp_path / "d.db"
    with pytest.raises(InputError):
        open_database(f"sqlite:///{place}")
    assert not place.exists()
    open_database(f"sqlite:///{place}", create=True)
    assert place.exists()


def test_a_database_is_no_input(tmp_path: Path) -> None:
    place = tmp_path / "d.db"
    place.write_text("count\n1\n")
    with pytest.raises(InputError, match="is the input"):
        open_database(f"sqlite:///{place}", place, create=True)
    assert place.read_text() == "count\n1\n"


def test_a_token_comes_from_one_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    file.chmod(0o600)
    assert token_of("given", None) == "given"
    assert token_of(None, file) == "secret"
    assert capsys.readouterr().err == ""
    with pytest.raises(InputError, match="not both"):
        token_of("given", file)


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_token_that_others_can_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    file.chmod(0o644)
    assert token_of(None, file) == "secret"
    told = capsys.readouterr().err
    assert "chmod 600" in told and "secret" not in told


def test_a_private_file_is_its_owners_and_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with private_file(path) as write:
        assert path.exists()  # before the work: what cannot be written is said first
        write("a")
        write("b")
    assert path.read_text() == "a\nb\n"
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InputError, match="exists already"), private_file(path):
        pass
    assert path.read_text() == "a\nb\n"


def test_a_private_file_goes_where_the_work_fails(tmp_path: Path) -> None:
    path = tmp_path / "key"

    def interrupted() -> None:
        with private_file(path) as write:
            write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not path.exists()
    with pytest.raises(InputError, match="cannot be written"), private_file(tmp_path / "none" / "key"):
        pass
