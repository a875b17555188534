"""A flow belongs to the browser that began it, and serves once."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from discreet.release.history.database import Database
from discreet.release.people.openid import flow
from discreet.release.people.openid.provider import SignInRefused


def test_everything_follows_from_the_cookie() -> None:
    one, two = flow.begin(), flow.begin()
    assert flow.resume(one.secret, one.state) == one
    assert len({*astuple(one), *astuple(two)}) == 8
    for secret, state in ((one.secret, two.state), (one.secret, ""), ("", one.state), ("é", one.state), ("x", "é")):
        with pytest.raises(SignInRefused):
            flow.resume(secret, state)
    with pytest.raises(SignInRefused):
        flow.resume(one.secret, "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"))


def test_it_serves_once(database: Database) -> None:
    one, two = flow.begin(), flow.begin()
    flow.spend(database, one)
    flow.spend(database, two)
    with pytest.raises(SignInRefused):
        flow.spend(database, one)
