"""What the database keeps comes back as it was, and the ledger grows at its end alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history import store
from discreet.release.history.chain import SERVER, START
from discreet.release.history.database import Database
from discreet.release.history.store import Origin, StoredState, is_name, pack, table_digest, unpack
from discreet.release.offers.partial import Partial
from discreet.release.policy import Policy

PLAIN = StoredState(0, 0, Frontier(), {})


def added(
    database: Database, name: str, table: Table, origin: Origin | None = None, policy: Policy | None = None
) -> int:
    with database.writing() as connection:
        return store.add_dataset(connection, name, table, policy or Policy(), PLAIN, origin)


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", ".x", "x" * 65, "ä", "auto\n", "auto\0", "a/b", "a%2fb"])
def test_names_that_are_none(name: str) -> None:
    """They become paths, file names and header fields."""
    assert not is_name(name)


def test_names_that_are() -> None:
    assert all(map(is_name, ("a", "7", "A.b_c-d", "x" * 64)))


def test_a_dataset_comes_back_as_it_was(database: Database, small: Table) -> None:
    base = added(database, "base", small)
    merged = Table(("X", "é"), (("1", 2), (None, 0.5)), np.array([[0, 2**40], [3, 4]]))
    origin = Origin({"X": ("one", "two")}, "base", {"X": ("A", (0, 1)), "é": ("B", (1, 0))}, "people", "base")
    number = added(database, "view", merged, origin, Policy(c=1, w=9, published=(("X",),)))
    with database.reading() as connection:
        found = store.load_dataset(connection, "view")
        state = store.load_state(connection, number)
        assert store.dataset_id(connection, "base") == base
        assert store.dataset_id(connection, "nowhere") is None and store.load_dataset(connection, "nowhere") is None
        assert store.read_chains(connection)["dataset/view"] == (0, START)
        assert [name for name, _ in store.list_datasets(connection)] == ["base", "view"]
    assert found is not None and found.id == number and found.chain == "dataset/view"
    assert (found.table.names, found.table.categories) == (merged.names, merged.categories)
    assert (found.table.dense() == merged.dense()).all()
    assert found.policy == Policy(c=1, w=9, published=(("X",),))
    assert found.origin == origin
    assert found.digest == table_digest(merged)
    assert found.created.tzinfo is not None
    assert state == PLAIN


def test_a_state_comes_back_as_it_was(database: Database, small: Table) -> None:
    number = added(database, "t", small)
    frontier = Frontier((1, 2), (7,), (Partial(5, "suppress", (0, 3)),), (6,))
    state = StoredState(3, 2, frontier, {"low": np.arange(4)}, {}, "closed", Policy(w=7))
    with database.writing() as connection:
        store.save_state(connection, number, state, carried=True)
    with database.reading() as connection:
        back = store.load_state(connection, number)
        assert store.load_revision(connection, number) == 3
    assert replace(back, carried={}) == replace(state, carried={})
    assert back.carried["low"].tolist() == [0, 1, 2, 3]
    with database.writing() as connection:
        store.save_state(connection, number, replace(state, revision=4, carried={}), carried=False)
        assert store.load_state(connection, number).carried["low"].tolist() == [0, 1, 2, 3], "bounds are left alone"


def test_a_frontier_of_the_first_version_is_read(database: Database, small: Table) -> None:
    number = added(database, "t", small)
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE states SET frontier = ?", (json.dumps({"released": [3], "refused": [4]}),))
        assert store.load_state(connection, number).frontier == Frontier((3,), (4,))


def test_lists_follow_the_table_of_a_view(database: Database, small: Table) -> None:
    base = added(database, "base", small)
    mapping = {"X": ("A", (0, 1)), "Y": ("B", (0, 1))}
    added(database, "view", Table(("X", "Y"), (("p", "q"),) * 2, np.ones((2, 2), int)), Origin({}, "base", mapping))
    with database.writing() as connection:
        store.save_state(connection, base, replace(PLAIN, frontier=Frontier((0b101,)), stage="closed"), carried=False)
    with database.reading() as connection:
        told = {one["name"]: one for one in store.list_descriptions(connection)}
    assert told["base"]["released"] == told["view"]["released"] == {"A", "C"}
    assert told["base"]["stages"] == ("closed", "closed") and told["view"]["stages"] == ("open", "closed")
    assert (told["view"]["unit"], told["base"]["unit"]) == ("base", None)


@pytest.mark.parametrize("change", ["count", "name", "category", "order", "type"])
def test_a_tables_digest_sees_every_change(small: Table, change: str) -> None:
    names, levels, counts = small.names, small.categories, small.dense().copy()
    if change == "count":
        counts[1, 1, 1] += 1
    if change == "name":
        names = ("A", "B", "c")
    if change == "category":
        levels = (("a", "b"), ("a", "b"), ("a", "c"))
    if change == "order":
        levels = (("b", "a"), ("a", "b"), ("a", "b"))
    if change == "type":
        levels = (("1", "b"), ("a", "b"), ("a", "b"))
        small = Table(names, ((1, "b"), ("a", "b"), ("a", "b")), counts)
    assert table_digest(Table(names, levels, counts)) != table_digest(small)


def test_entries_follow_one_another_and_are_found(database: Database) -> None:
    said = [{"what": "note", "text": text} for text in ("50%", "5000", "a_b", "axb", "last")]
    with database.writing() as connection:
        first = store.append(connection, SERVER, said[0])
        rest = store.append_all(connection, SERVER, said[1:])
        assert store.lock_chain(connection, SERVER) == (5, rest[-1].hash)
    assert [entry.sequence for entry in (first, *rest)] == [1, 2, 3, 4, 5]
    assert [entry.previous for entry in rest] == [entry.hash for entry in (first, *rest[:-1])]
    with database.reading() as connection:

        def found(**how: object) -> list[int]:
            return [entry.sequence for entry in store.read_entries(connection, SERVER, **how)]  # type: ignore[arg-type]

        assert found() == [1, 2, 3, 4, 5]
        assert found(after=2, before=5) == [3, 4]
        assert found(latest=True, limit=2) == [5, 4]
        # What an analyst types is text and no pattern: else "%" would show her everybody's entries.
        assert found(holding="50%") == [1]
        assert found(holding="a_b") == [3]
        assert found(holding="%") == [1]
        assert list(store.read_entries(connection, "nowhere")) == []


def test_what_is_not_committed_is_not_entered(database: Database) -> None:
    def interrupted() -> None:
        with database.writing() as connection:
            store.append(connection, SERVER, {"what": "half"})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with database.reading() as connection:
        assert list(store.read_entries(connection, SERVER)) == []
        assert store.read_chains(connection)[SERVER][0] == 0


def test_moving_on_moves_those_alone(database: Database, small: Table) -> None:
    numbers = [added(database, name, small) for name in "abc"]
    with database.writing() as connection:
        store.lock_states(connection, numbers)
        store.move_on(connection, numbers[1:])
    with database.reading() as connection:
        assert [store.load_revision(connection, number) for number in numbers] == [0, 1, 1]


def test_a_synthetic_table_belongs_to_one_version(database: Database, small: Table) -> None:
    number = added(database, "t", small)
    with database.writing() as connection:
        store.save_synthetic(connection, number, 2, small.dense())
        kept = store.load_synthetic(connection, number, 2)
        assert kept is not None and (kept == small.dense()).all()
        assert store.load_synthetic(connection, number, 3) is None


def test_arrays_come_back_and_objects_do_not(tmp_path: Path) -> None:
    """Whoever can write the file of a backup must not have code run by it."""
    packed = pack({"counts": np.array([[1, 2]]), "b": np.zeros(0)})
    assert {name: array.tolist() for name, array in unpack(packed).items()} == {"counts": [[1, 2]], "b": []}

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (tmp_path / "owned",))  # type: ignore[return-value]

    np.savez(tmp_path / "evil.npz", counts=np.array([Evil()], object))
    with pytest.raises(ValueError, match="allow_pickle"):
        unpack((tmp_path / "evil.npz").read_bytes())
    assert not (tmp_path / "owned").exists()


def test_a_tokens_mark_is_no_digest() -> None:
    digest = "ab" * 32
    mark = store.token_mark(digest)
    assert mark != digest and digest not in mark and mark != store.token_mark(digest.upper())
