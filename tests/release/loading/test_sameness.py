"""The same table under another name is known again, whatever was renamed, reordered, dropped or merged."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.release.engine import Table
from discreet.release.history.database import Database, open_database
from discreet.release.history.models import MarginDigest
from discreet.release.loading import sameness
from discreet.release.loading.sameness import digest_margins
from discreet.release.policy import Policy
from discreet.release.service import Service

KEY = b"k" * 32


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.integers(0, 9), min_size=12, max_size=12).filter(any),
    axes=st.permutations(range(3)),
    first=st.permutations(range(2)),
    second=st.permutations(range(3)),
)
def test_digests_do_not_see_names_or_order(
    counts: list[int], axes: list[int], first: list[int], second: list[int]
) -> None:
    array = np.array(counts).reshape(2, 3, 2)
    one = digest_margins(Table.from_array(array), KEY)
    moved = array[first][:, second].transpose(axes)
    moved = np.concatenate([moved, np.zeros_like(moved[:1])])  # and a category that nobody has
    other = digest_margins(Table.from_array(moved, names=("u", "v", "w")), KEY)
    for mine, digest in one.items():
        assert other[tuple(sorted(axes.index(a) for a in mine))] == digest
    changed = array.copy()
    changed[np.unravel_index(int(array.argmax()), array.shape)] += 1
    assert not set(digest_margins(Table.from_array(changed), KEY).values()) & {one[()], one[0, 1, 2]}
    assert set(digest_margins(Table.from_array(array), b"another key").values()).isdisjoint(one.values())


def renamed(table: Table) -> Table:
    names = tuple(f"v{i}" for i in range(len(table.names)))
    levels = tuple(tuple(f"{i}" for i in range(len(c))) for c in table.categories)
    counts = table.dense()[::-1].transpose(range(len(names))[::-1])
    return Table(names, levels[::-1], np.ascontiguousarray(counts))


CASES: dict[str, tuple[Callable[[Table], Table], str]] = {
    "another name": (lambda t: t, "has the counts of auto"),
    "renamed and reordered": (renamed, "has the counts of auto"),
    "some variables": (lambda t: t.margin(list("ACD")), "a margin of auto"),
    "one variable": (lambda t: t.margin("A"), "a margin of auto"),
    "merged categories": (lambda t: t.collapse("A", dict.fromkeys(t.categories[0], "all")), "margins with auto"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_copy_is_refused(service: Service, auto: Table, case: str) -> None:
    change, sentence = CASES[case]
    with pytest.raises(InputError, match=sentence) as error:
        service.add("custodian", "copy", change(auto), Policy())
    assert "same-as auto" in str(error.value)
    assert [d["name"] for d in service.datasets()] == ["auto"]


def test_more_variables_of_the_same_people_are_seen(database: Database, auto: Table) -> None:
    service = Service(database)
    service.add("custodian", "part", auto.margin(list("ABCD")), Policy())
    with pytest.raises(InputError, match="part is a margin of it"):
        service.add("custodian", "whole", auto, Policy())


def test_the_total_alone_is_enough_and_a_custodian_may_deny(service: Service, auto: Table) -> None:
    by_chance = Table(("X", "Y"), (("a", "b"), ("c", "d")), np.array([[auto.total - 6, 1], [2, 3]]))
    with pytest.raises(InputError, match="as many people as auto"):
        service.add("custodian", "chance", by_chance, Policy())
    service.add("custodian", "chance", by_chance, Policy(), distinct=True)
    assert service.ledger("chance")[0].content["distinct"] is True


def test_datasets_from_before_are_compared_too(service: Service, auto: Table) -> None:
    with service.database.writing() as connection:
        connection.execute(MarginDigest.__table__.delete())  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="has the counts of auto"):
        service.add("custodian", "copy", auto, Policy())


def test_many_variables_take_few_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.from_array(np.ones((2,) * 10, np.int64))
    monkeypatch.setattr(sameness, "MAX_MARGINS", 20)
    found = digest_margins(table, KEY)
    assert len(found) == 21
    assert {(), tuple(range(10))} <= set(found)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_loads_at_once_are_not_loaded_past_each_other(
    kind: str, request: pytest.FixtureRequest, tmp_path: object, small: Table
) -> None:
    url = f"{tmp_path}/d.db" if kind == "sqlite" else request.getfixturevalue("postgres")("same")
    database = open_database(str(url), create=True)
    gate, done, refused = threading.Barrier(4), list[int](), list[str]()

    def load(number: int) -> None:
        gate.wait()
        try:
            Service(database).add("custodian", f"copy{number}", small, Policy())
            done.append(number)
        except InputError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=load, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1
    assert ["here already" in text for text in refused] == [True] * 3
    database.close()
