"""Drafts: kept, changed, confirmed, discarded, expired; and their files really gone."""

from __future__ import annotations

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
from discreet.release.loading.drafts import Intent, UnknownDraft
from discreet.release.loading.loader import Loader
from discreet.release.policy import Policy
from discreet.release.service import Service

DATA = b"A,B,Freq\nmarked-entry,1,4\ny,2,1\nmarked-entry,2,3\ny,1,9\n"
COUNTED = Intent(Choices(count="Freq"))


@pytest.fixture
def loader(database: Database, reader: Reader) -> Loader:
    return Loader(database, reader)


def events(database: Database) -> list[tuple[str, str]]:
    with database.reading() as connection:
        return [(e.content["what"], e.content["who"]) for e in store.read_entries(connection, SERVER)]


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
    plan = Intent(Choices(count="Freq", variables=("B",)))
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
    draft = loader.send("carla", "t", DATA, ".csv", Intent())
    assert drafts.expire(database) == 0
    assert draft.expires > datetime.now(UTC) + timedelta(days=drafts.DAYS - 1)


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


def test_drafts_in_postgresql(postgres: Callable[[str], str], reader: Reader) -> None:
    database = open_database(postgres("drafts"), create=True)
    try:
        loader = Loader(database, reader)
        draft = loader.send("carla", "t", DATA, ".csv", Intent())
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
