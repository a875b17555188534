"""`discreet proposal`: what one shell proposes another person confirms, with a token and not by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.release.audit import audit
from discreet.release.history.database import open_database
from discreet.release.tokens import create_token, revoke_token

POLICY = "four_eyes = true\n"
TABLE = "sex,smokes,count\nf,no,40\nf,yes,17\nm,no,35\nm,yes,22\n"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISCREET_TOKEN", "DISCREET_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def waiting(discreet: Callable[..., Any], tmp_path: Path) -> Path:
    """A database in which the load of `auto` waits."""
    place, table = tmp_path / "d.db", tmp_path / "t.csv"
    table.write_text(TABLE)
    open_database(str(place), create=True).close()
    assert discreet("proposal", "four-eyes", "on", "--database", place).code == 0
    assert discreet("dataset", "add", table, "--name", "auto", "--database", place).code == 3
    return place


def test_by_command(discreet: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "d.db"
    table = tmp_path / "t.csv"
    table.write_text(TABLE)
    secret = tmp_path / "carla.token"
    made = discreet("token", "create", "--role", "custodian", "--save", secret, "--database", place)
    assert made.code == 0
    assert discreet("proposal", "four-eyes", "perhaps", "--database", place).code == 2
    assert discreet("proposal", "four-eyes", "on", "--database", place).code == 0
    done = discreet("dataset", "add", table, "--name", "auto", "--database", place)
    assert done.code == 3
    assert "waits for another custodian" in done.err
    assert discreet("dataset", "list", "--database", place).out == ""
    assert "1  load  auto  command line" in discreet("proposal", "list", "--database", place).out
    assert discreet("proposal", "confirm", "1", "--database", place).code == 2  # as whom?
    monkeypatch.setenv("DISCREET_TOKEN", "nonsense")
    assert discreet("proposal", "confirm", "1", "--database", place).code == 2
    assert discreet("proposal", "confirm", "1", "--token-file", secret, "--database", place).code == 0
    assert "auto" in discreet("dataset", "list", "--database", place).out
    assert discreet("proposal", "four-eyes", "off", "--database", place).code == 0
    table.write_text(TABLE.replace("22", "23"))
    again = ("dataset", "add", table, "--name", "more", "--database", place)
    policy = tmp_path / "p.toml"
    policy.write_text(POLICY)
    assert discreet(*again, "--policy", policy).code == 3
    assert discreet("proposal", "reject", "2", "--token-file", secret, "--database", place).code == 0
    assert discreet("proposal", "list", "--database", place).out == ""
    opened = open_database(str(place), create=True)
    assert audit(opened).faults == ()
    opened.close()


@pytest.mark.parametrize("role", ["analyst", "custodian of another", "revoked"])
@pytest.mark.parametrize("step", ["confirm", "reject"])
def test_whoever_is_no_custodian_settles_nothing(
    waiting: Path, role: str, step: str, discreet: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_database(str(waiting))
    if role == "custodian of another":
        table = waiting.with_name("o.csv")
        table.write_text("A,count\nx,9\ny,8\n")
        assert discreet("proposal", "four-eyes", "off", "--database", waiting).code == 0
        assert discreet("dataset", "add", table, "--name", "other", "--database", waiting).code == 0
        token, _ = create_token(opened, "custodian", "eve", only=["other"])
    else:
        token, _ = create_token(opened, "analyst" if role == "analyst" else "custodian", "eve")
    if role == "revoked":
        create_token(opened, "custodian", "stays")
        revoke_token(opened, "eve")
    opened.close()
    monkeypatch.setenv("DISCREET_TOKEN", token)
    ran = discreet("proposal", step, "1", "--database", waiting)
    assert ran.code == 2
    assert token not in ran.err
    assert ("not that of a custodian" in ran.err) is (role != "custodian of another")
    assert "1  load  auto" in discreet("proposal", "list", "--database", waiting).out
    assert "auto" not in discreet("dataset", "list", "--database", waiting).out


def test_a_number_is_settled_once(waiting: Path, discreet: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_database(str(waiting))
    monkeypatch.setenv("DISCREET_TOKEN", create_token(opened, "custodian", "carla")[0])
    opened.close()
    on = ("--database", waiting)
    for number in ("0", "-1", "2", "x", str(2**31)):
        assert discreet("proposal", "confirm", number, *on).code == 2
    done = discreet("proposal", "reject", "1", *on)
    assert (done.code, "rejected: load auto" in done.err) == (0, True)
    for step in ("confirm", "reject"):
        assert discreet("proposal", step, "1", *on).code == 2
    assert discreet("dataset", "list", *on).out == ""
