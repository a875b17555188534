"""What the interfaces do with files that are sent: read, kept, changed, confirmed as they were seen."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.loading import drafts
from discreet.release.loading.apart import Reader
from discreet.release.loading.choices import Choices
from discreet.release.loading.drafts import Intent
from discreet.release.loading.loader import Loader, check_version, version_of
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


def test_the_conversation(loader: Loader, database: Database) -> None:
    draft = loader.send("carla", "t", DATA, ".csv", Intent())
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
    assert loader.send("c", "t", b"A,count\nx,1\n", ".csv", Intent()).plan.choices == Choices(count="count")
    assert loader.send("c", "u", b"A,B\nx,y\n", ".csv", Intent()).plan.choices == Choices(records=True)


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


def test_a_name_that_was_taken_meanwhile(loader: Loader, database: Database) -> None:
    draft = loader.send("carla", "t", DATA, ".csv", COUNTED)
    loader.add("clara", "t", DATA, ".csv", COUNTED, confirmed=False)
    with pytest.raises(InputError, match="already a dataset"):
        loader.confirm("carla", draft, confirmed=False)
    assert drafts.load(database, "t") == draft
