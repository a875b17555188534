"""Drafts: kept, changed, confirmed, discarded, expired; and their files really gone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database, open_database
from discreet.release.history.models import Draft
from discreet.release.loading import drafts
from discreet.release.loading.apart import Reader
from discreet.release.loading.choices import Choices
from discreet.release.loading.drafts import Plan, UnknownDraft
from discreet.release.loading.loader import Loader, check_version, version_of
from discreet.release.policy import Policy
from discreet.release.service import Service

DATA = b"A,B,Freq\nmarked-entry,1,4\ny,2,1\nmarked-entry,2,3\ny,1,9\n"
COUNTED = Plan(Choices(count="Freq"))


@pytest.fixture
def loader(database: Database, reader: Reader) -> Loader:
    return Loader(database, reader)


def events(database: Database) -> list[tuple[str, str]]:
    with database.reading() as connection:
        return [(e.content["what"], e.content["who"]) for e in store.read_entries(connection, SERVER)]


def test_the_conversation(loader: Loader, database: Database) -> None:
    draft = loader.send("carla", "t", DATA, ".csv", Plan())
    assert draft.preview["doubt"] == ["B", "Freq"]
    assert not draft.preview["ready"]
    with pytest.raises(InputError, match="could hold counts"):
        loader.confirm("carla", draft, confirmed=False)
    draft = loader.change("clara", draft, COUNTED)
    assert draft.preview["ready"]
    assert (draft.preview["total"], draft.preview["cells"], draft.preview["count"]) == (17, 4, "Freq")
    assert draft.preview["variables"][0] == {"name": "A", "number": 2, "categories": ["marked-entry", "y"]}
    assert Service(database).datasets() == []
    loader.confirm("clara", draft, confirmed=False)
    assert [d["name"] for d in Service(database).datasets()] == ["t"]
    assert drafts.list_drafts(database) == []
    assert events(database) == [
        ("draft sent", "carla"),
        ("draft changed", "clara"),
        ("draft confirmed", "clara"),
        ("dataset added", "clara"),
    ]
    assert audit(database).intact


def test_what_the_file_says_itself_is_in_the_plan(loader: Loader) -> None:
    assert loader.send("c", "t", b"A,count\nx,1\n", ".csv", Plan()).plan.choices == Choices(count="count")
    assert loader.send("c", "u", b"A,B\nx,y\n", ".csv", Plan()).plan.choices == Choices(records=True)


def test_names(loader: Loader, database: Database, service: Service) -> None:
    loader.send("c", "t", DATA, ".csv", COUNTED)
    for name, said in (("t", "already a draft"), ("auto", "already a dataset"), ("../t", "must begin")):
        with pytest.raises(InputError, match=said):
            loader.send("c", name, DATA, ".csv", COUNTED)
    with pytest.raises(UnknownDraft):
        drafts.load(database, "none")
    with pytest.raises(UnknownDraft):
        drafts.discard(database, "c", "none")


@pytest.mark.parametrize("end", ["confirm", "discard", "expire"])
def test_the_file_is_gone(loader: Loader, database: Database, tmp_path: Path, end: str) -> None:
    """Not a byte of it in the database's file or its log, but for the categories of what was opened."""
    secret = b"".join(b"row-%d-of-the-secret-file,1,4\n" % i for i in range(3000))
    data = b"name,B,Freq\n" + secret
    plan = Plan(Choices(count="Freq", variables=("B",)))
    draft = loader.send("carla", "t", data, ".csv", plan)
    if end == "confirm":
        loader.confirm("carla", draft, confirmed=False)
    elif end == "discard":
        drafts.discard(database, "carla", "t")
    else:
        with database.writing() as connection:
            connection.execute(update(Draft).values(created=datetime.now(UTC) - timedelta(days=drafts.DAYS + 1)))
        assert drafts.expire(database) == 1
        assert events(database)[-1] == ("draft expired", "server")
    left = b"".join(path.read_bytes() for path in tmp_path.glob("discreet.db*"))
    assert left and b"of-the-secret-file" not in left


def test_a_draft_that_is_young_stays(loader: Loader, database: Database) -> None:
    draft = loader.send("carla", "t", DATA, ".csv", Plan())
    assert drafts.expire(database) == 0
    assert draft.expires > datetime.now(UTC) + timedelta(days=drafts.DAYS - 1)


def test_what_changed_meanwhile_is_not_confirmed(loader: Loader) -> None:
    seen = loader.send("carla", "t", DATA, ".csv", COUNTED)
    now = loader.change("clara", seen, replace(COUNTED, policy=Policy(w=1)))
    with pytest.raises(InputError, match="meanwhile"):
        loader.confirm("carla", seen, confirmed=False)
    with pytest.raises(InputError, match="not the one that you saw"):
        check_version(now, version_of(seen))
    check_version(now, version_of(now))
    check_version(now, None)


def test_another_file_under_the_same_name_is_not_the_one_that_was_seen(loader: Loader, database: Database) -> None:
    seen = loader.send("carla", "t", DATA, ".csv", COUNTED)
    drafts.discard(database, "carla", "t")
    now = loader.send("carla", "t", DATA + b"z,z,1\n", ".csv", COUNTED)
    assert now.plan == seen.plan
    with pytest.raises(InputError, match="not the one that you saw"):
        check_version(now, version_of(seen))
    with pytest.raises(InputError, match="another file"):
        loader.confirm("clara", seen, confirmed=False)
    with pytest.raises(InputError, match="another file"):
        loader.change("clara", seen, replace(COUNTED, policy=Policy(w=1)))
    check_version(drafts.load(database, "t"), version_of(now))


def test_declared_margins_are_confirmed_too(loader: Loader, database: Database) -> None:
    plan = replace(COUNTED, policy=Policy(published=(("A", "B"),)))
    draft = loader.send("carla", "t", DATA, ".csv", plan)
    assert not draft.preview["published_safe"]
    assert draft.preview["published"]["fixed"] == 1
    with pytest.raises(InputError, match="breaks its own rule"):
        loader.confirm("carla", draft, confirmed=False)
    assert drafts.load(database, "t") == draft
    loader.confirm("carla", draft, confirmed=True)
    assert ("published margins confirmed", "carla") in events(database)


def test_relations_are_kept(loader: Loader, database: Database, service: Service) -> None:
    plan = replace(COUNTED, codebook="variable,code\nA,y\nA,marked-entry\n", population="workers", distinct=True)
    loader.confirm("carla", loader.send("carla", "t", DATA, ".csv", plan), confirmed=False)
    assert service.ledger("t")[0].content["distinct"] is True
    lost = replace(COUNTED, predecessor="nobody")
    draft = loader.send("carla", "u", DATA.replace(b"4", b"5"), ".csv", lost)
    with pytest.raises(InputError, match="no dataset named"):
        loader.confirm("carla", draft, confirmed=False)


def test_two_custodians_confirm_at_once(loader: Loader, database: Database) -> None:
    draft = loader.send("carla", "t", DATA, ".csv", COUNTED)
    said: list[str] = []

    def confirm() -> None:
        try:
            loader.confirm("carla", draft, confirmed=False)
            said.append("done")
        except InputError:
            said.append("refused")

    threads = [threading.Thread(target=confirm) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == ["done", "refused", "refused", "refused"]
    assert audit(database).intact


def test_drafts_in_postgresql(postgres: Callable[[str], str], reader: Reader) -> None:
    database = open_database(postgres("drafts"), create=True)
    try:
        loader = Loader(database, reader)
        draft = loader.send("carla", "t", DATA, ".csv", Plan())
        loader.confirm("carla", loader.change("carla", draft, COUNTED), confirmed=False)
        assert drafts.list_drafts(database) == []
        drafts.send(database, "carla", "u", DATA, ".csv", COUNTED, {})
        drafts.discard(database, "carla", "u")
        assert audit(database).intact
    finally:
        database.close()


def test_there_are_not_too_many(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST", 2)
    for name in "ab":
        drafts.send(database, "carla", name, DATA, ".csv", COUNTED, {})
    with pytest.raises(InputError, match="2 drafts already"):
        drafts.send(database, "carla", "c", DATA, ".csv", COUNTED, {})


def test_a_name_that_was_taken_meanwhile(loader: Loader, database: Database) -> None:
    draft = loader.send("carla", "t", DATA, ".csv", COUNTED)
    loader.add("clara", "t", DATA, ".csv", COUNTED, confirmed=False)
    with pytest.raises(InputError, match="already a dataset"):
        loader.confirm("carla", draft, confirmed=False)
    assert drafts.load(database, "t") == draft
