"""The command line is known by the user of the system."""

from __future__ import annotations

import os

import pytest

from discreet.release.history.operator import operator


def test_the_environment_cannot_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    pwd = pytest.importorskip("pwd", reason="only systems with a list of users")
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "somebody-else")
    assert operator() == f"command line ({pwd.getpwuid(os.getuid()).pw_name})"


def test_a_user_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pwd", reason="only systems with a list of users")
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_001)
    assert operator() == "command line (user 4000000001)"
