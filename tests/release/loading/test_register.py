"""A table becomes a dataset all at once or not at all, and the ledger says by whom and how."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from release_tables import declared
from sqlalchemy.exc import IntegrityError

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.loading import register
from discreet.release.loading.published import Figures
from discreet.release.loading.register import NewDataset, add_dataset, check_dataset, enter_dataset
from discreet.release.policy import Policy
from discreet.release.service import Service


def said(database: Database) -> list[dict[str, Any]]:
    with database.reading() as connection:
        return [entry.content for entry in store.read_entries(connection, SERVER)]


def kept(database: Database) -> list[str]:
    with database.reading() as connection:
        return [name for name, _ in store.list_datasets(connection)]


def test_the_whole_table_is_not_published_by_a_line(database: Database, small: Table) -> None:
    """A policy that declares the table itself as public would hand it out."""
    service, policy = Service(database), Policy(published=(("A", "B", "C"),))
    with pytest.raises(InputError, match="breaks its own rule") as error:
        service.add("carla", "t", small, policy)
    told = str(error.value)
    assert "--confirm-published" in told
    assert service.datasets() == []
    service.add("carla", "t", small, policy, confirmed=True)
    opening = service.ledger("t")[0].content
    assert opening["confirmed"] is True
    assert opening["published"] == Figures(2, 2, 2, 0, 0, False).to_dict()
    with database.reading() as connection:
        said = [e.content for e in store.read_entries(connection, SERVER)]
    assert [(e["what"], e["who"]) for e in said][-2:] == [
        ("published margins confirmed", "carla"),
        ("dataset added", "carla"),
    ]
    assert audit(database).intact


def test_what_is_safe_needs_no_confirmation(database: Database, auto: Table) -> None:
    service = Service(database)
    service.add("carla", "t", auto, Policy(published=(("A", "B"), ("C",))))
    opening = service.ledger("t")[0].content
    assert "confirmed" not in opening
    assert opening["published"]["narrow"] == 0


def test_the_opening_is_entered_in_both_chains(database: Database, small: Table) -> None:
    add_dataset(database, "carla", "t", small, Policy(w=4), codebook=declared(small), draft=True)
    (opening,) = Service(database).ledger("t")
    assert opening.content["what"] == "opened" and opening.content["who"] == "carla"
    assert opening.content["table"] == store.table_digest(small)
    assert (opening.content["stage"], opening.content["policy"]["w"]) == ("draft", 4)
    added = said(database)[-1]
    assert (added["what"], added["name"], added["entry"]) == ("dataset added", "t", opening.hash)
    assert Service(database).current("t").stage == "draft"
    assert audit(database).faults == ()


def test_every_option_arrives(database: Database, small: Table) -> None:
    """What a draft keeps as `options` is what `add_dataset` takes: one that is forgotten would be lost in silence."""
    taken = {name for name, one in inspect.signature(add_dataset).parameters.items() if one.kind is one.KEYWORD_ONLY}
    full = NewDataset("t", small, Policy(), None, True, declared(small), None, True, "workers", "before", True)
    assert set(full.options) == taken
    add_dataset(database, "carla", "before", small.margin(["A"]), Policy(), population="others")
    edition = {**full.options, "predecessor": None}
    add_dataset(database, "carla", "t", small, Policy(), **edition)
    opened = Service(database).open("t").stored
    assert opened.origin.population == "workers" and opened.origin.labels.keys() == set(small.names)
    opening = Service(database).ledger("t")[0].content
    assert opening["distinct"] is True and opening["stage"] == "draft"


def test_a_fault_at_the_last_moment_leaves_nothing(
    database: Database, small: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = said(database)

    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(register, "remember", broken)
    with pytest.raises(MemoryError):
        add_dataset(database, "carla", "t", small, Policy())
    assert kept(database) == [] and said(database) == before
    monkeypatch.undo()
    add_dataset(database, "carla", "t", small, Policy())
    assert kept(database) == ["t"]


def test_of_two_who_load_at_once_one_is_told_that_the_name_is_taken(
    database: Database, small: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> list[str]:
        raise IntegrityError("INSERT INTO datasets", {"counts": "4711"}, Exception("UNIQUE"))

    monkeypatch.setattr(register, "enter_dataset", late)
    with pytest.raises(InputError, match="already a dataset named 't'") as caught:
        add_dataset(database, "carla", "t", small, Policy())
    assert "4711" not in str(caught.value) and caught.value.__cause__ is None


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", "x" * 65, "ä", "t\n"])
def test_all_faults_of_a_dataset_at_once(small: Table, name: str) -> None:
    with pytest.raises(InputError) as caught:
        check_dataset(name, Table(("A",), (("a", "b"),), np.zeros(2, int)), Policy(published=(("Z",),)))
    told = " ".join(caught.value.faults)
    assert "name must begin" in told and "Z" in told and len(caught.value.faults) == 3


def test_published_margins_are_found_by_their_variables(small: Table) -> None:
    assert check_dataset("t", small, Policy(published=(("C", "A"), ("B",)))) == [0b101, 0b010]


def test_a_codebook_is_applied_before_anything_is_kept(database: Database, small: Table) -> None:
    """The counts that are kept are those of the declared categories, in their order."""
    first = NewDataset("t", small.margin(["A"]), Policy(), codebook="A = {b = 'second', a = 'first', z = 'none'}")
    with database.writing() as connection:
        enter_dataset(connection, "carla", first)
    opened = Service(database).open("t")
    assert opened.table.categories == (("b", "a", "z"),)
    assert opened.table.dense().tolist() == [24, 13, 0]
    with database.writing() as connection, pytest.raises(InputError):
        enter_dataset(connection, "carla", NewDataset("u", small.margin(["A"]), Policy(), codebook="A = {a = 'x'}"))
