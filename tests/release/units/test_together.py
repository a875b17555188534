"""Tables about the same people: whatever is out of all of them together, no table's sensitive cell is too narrow."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.people import unsafe_tables
from release_tables import declared

from discreet.errors import InputError
from discreet.release import judging
from discreet.release.audit import audit
from discreet.release.decision import Decision, Situation, decide, leave_open
from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history.database import Database, open_database
from discreet.release.life.rule import change_policy
from discreet.release.life.stages import change_stage
from discreet.release.offers.partial import Partial
from discreet.release.people.actor import ANALYST, Actor
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.units.together import Known, learned, parts_beside

WHO = Actor(1, "analyst", ANALYST)
NAMES = ("A", "B", "C")
LEVELS = (("a", "b"), ("c", "d"), ("e", "f"))
PAIRS = [("A", "B"), ("B", "C"), ("A", "C")]
TWO = (("X", "Y"), [[1, 6], [2, 1]])


def load(service: Service, joint: np.ndarray, tables: Sequence[tuple[str, ...]], policy: Policy) -> None:
    whole = Table(NAMES, LEVELS, joint.reshape(2, 2, 2))
    for names in tables:
        part = whole.margin(list(names))
        book = "{" + ",".join(f'"{n}": ["{LEVELS[NAMES.index(n)][0]}", "{LEVELS[NAMES.index(n)][1]}"]' for n in names)
        service.add("custodian", "".join(names), part, policy, codebook=book + "}", population="people")


def ask_all(service: Service, requests: Sequence[tuple[str, str]]) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    out: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for table, names in requests:
        out.setdefault(tuple(table), [])
        if service.ask(WHO, table, list(names)).answer == "release":
            out[tuple(table)].append(tuple(names))
    return out


def requests_of(tables: Sequence[tuple[str, ...]]) -> list[tuple[str, str]]:
    asked = []
    for table in tables:
        asked += [("".join(table), "".join(names)) for names in ((table[0],), (table[1],), table)]
    return asked


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    joint=st.lists(st.integers(0, 2), min_size=8, max_size=8).filter(lambda c: 2 <= sum(c) <= 6),
    number=st.sampled_from([2, 3]),
    w=st.integers(1, 3),
    data=st.data(),
)
def test_joint_enumeration_finds_no_unsafe_table(
    tmp_path_factory: pytest.TempPathFactory, joint: list[int], number: int, w: int, data: st.DataObject
) -> None:
    """Two tables (A×B, B×C) and three (A×C besides), every margin of each asked for in some order."""
    database = open_database(str(tmp_path_factory.mktemp("people") / "d.db"), create=True)
    service, policy, truth = Service(database), Policy(c=2, w=w), np.array(joint)
    load(service, truth, PAIRS[:number], policy)
    out = ask_all(service, data.draw(st.permutations(requests_of(PAIRS[:number]))))
    if any(out.values()):
        assert unsafe_tables(NAMES, (2, 2, 2), truth, out, policy.c, w) == []
    assert audit(database).intact
    database.close()


def test_apart_they_would_be_unsafe(database: Database) -> None:
    """The same requests without the population: the enumeration finds what they give away together."""
    truth = np.array([1, 0, 0, 2, 0, 3, 0, 0])
    found = 0
    for w in (2, 3):
        for joint in (truth, truth[::-1], np.roll(truth, 3), np.array([1, 2, 0, 0, 3, 0, 0, 0])):
            out = {}
            for number, names in enumerate(PAIRS):
                part = Table(NAMES, LEVELS, joint.reshape(2, 2, 2)).margin(list(names))
                name = f"w{w}-{''.join(map(str, joint))}-{number}"
                service = Service(database)
                service.add("custodian", name, part, Policy(c=2, w=w), distinct=True)
                out[names] = [
                    asked
                    for asked in ((names[0],), (names[1],), names)
                    if service.ask(WHO, name, list(asked)).answer == "release"
                ]
            found += len(unsafe_tables(NAMES, (2, 2, 2), joint, out, 2, w))
    assert found > 0


def test_what_is_learned() -> None:
    """The margin over all shared variables that the others have told anything of; of editions margin by margin."""
    bc = known(("B", "C", "D"), 0b011, 0b110)
    assert learned(("A", "B", "D"), [bc]) == [0, 0b110]
    assert learned(("A",), [bc]) == [0]
    assert learned(("A", "B"), [known(("B", "C"))]) == []
    edition = replace(bc, edition=True)
    assert sorted(learned(("D", "C", "B"), [edition])) == [0b011, 0b110]
    # A part of a margin counts as the margin; of an edition as a part.
    part = Partial(0b101, "suppress", (1,))
    assert learned(("A", "D"), [replace(bc, frontier=Frontier((), (), (part,)))]) == [0, 0b10]
    assert learned(("A", "D"), [replace(edition, frontier=Frontier((), (), (part,)))]) == []


def test_a_part_of_an_editions_margin_is_the_same_part_here() -> None:
    theirs = Table(("A", "B"), (("x", "y"), ("p", "q", "r")), np.arange(6).reshape(2, 3))
    ours = Table(("B", "A"), (("r", "p", "q"), ("y", "x")), np.ones((3, 2), np.int64))
    told = Known(theirs, Frontier((), (), (Partial(0b11, "suppress", (1, 5)),)), edition=True)  # (x, q) and (y, r)
    (part,) = parts_beside(ours, [told])
    assert (part.mask, part.kind) == (0b11, "suppress")
    assert [np.unravel_index(place, (3, 2)) for place in part.hidden] == [(0, 0), (2, 1)]  # (r, y) and (q, x)
    assert parts_beside(ours, [replace(told, edition=False)]) == ()


def known(names: tuple[str, ...], *released: int) -> Known:
    table = Table(names, (("a", "b"),) * len(names), np.ones((2,) * len(names), np.int64))
    return Known(table, Frontier(released), edition=False)


def test_a_release_counts_in_the_other_table(database: Database) -> None:
    """Row sums of one table and column sums of the other, which are both of the first, fix a lone person."""
    service = Service(database)
    pair = Table(("A", "B"), (("a", "b"), ("c", "d")), np.array([[1, 3], [3, 0]]))
    other = Table(("B", "C"), (("c", "d"), ("e", "f")), np.array([[4, 0], [0, 3]]))
    policy, book = Policy(c=1, w=4), '{"B": ["c", "d"]}'
    service.add("custodian", "one", pair, policy, codebook=book, population="p")
    service.add("custodian", "two", other, policy, codebook=book, population="p")
    assert service.ask(WHO, "two", ["B"]).answer == "release"
    assert service.ask(WHO, "one", ["A"]).answer == "refuse"
    evidence = service.ledger("one")[-1].content
    assert evidence["ground"] == "danger"
    assert audit(database).intact


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_tables_asked_at_once_release_one_of_an_unsafe_pair(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = str(tmp_path / "d.db") if kind == "sqlite" else request.getfixturevalue("postgres")("together")
    database = open_database(url, create=True)
    pair = np.array([[1, 3], [3, 0]])
    for round in range(8):
        first, second = Service(database), Service(database)
        mine = Table(("A", "B"), (("a", "b"), ("c", "d")), pair)
        his = Table(("B", "C"), (("c", "d"), ("e", "f")), np.array([[4, 0], [0, 3]]))
        options = {"population": f"p{round}", "distinct": True}
        first.add("custodian", f"one{round}", mine, Policy(c=1, w=4), **options)  # type: ignore[arg-type]
        first.add("custodian", f"two{round}", his, Policy(c=1, w=4), **options)  # type: ignore[arg-type]
        gate, answers = threading.Barrier(2), list[str]()

        def go(service: Service, name: str, variable: str, gate: threading.Barrier, out: list[str]) -> None:
            gate.wait()
            out.append(service.ask(WHO, name, [variable]).answer)

        work = [(first, f"one{round}", "A"), (second, f"two{round}", "B")]
        threads = [threading.Thread(target=go, args=(*what, gate, answers)) for what in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == ["refuse", "release"]
    assert audit(database).intact
    database.close()


class TestWhatCannotBe:
    @pytest.fixture
    def first(self, database: Database) -> Service:
        service = Service(database)
        table = Table(("A", "B"), (("a", "b"), ("c", "d")), np.array([[4, 3], [3, 5]]))
        service.add("custodian", "one", table, Policy(), population="p")
        return service

    def test_other_categories(self, first: Service) -> None:
        other = Table(("B", "C"), (("c", "x"), ("e", "f")), np.array([[7, 0], [0, 8]]))
        with pytest.raises(InputError, match="cannot look at both"):
            first.add("custodian", "two", other, Policy(), population="p")

    def test_other_counts_of_as_many_people(self, first: Service) -> None:
        other = Table(("B", "C"), (("d", "c"), ("e", "f")), np.array([[9, 0], [0, 6]]))
        with pytest.raises(InputError, match="not the same people"):
            first.add("custodian", "two", other, Policy(), population="p")
        swapped = Table(("B", "C"), (("d", "c"), ("e", "f")), np.array([[8, 0], [0, 7]]))
        assert first.add("custodian", "two", swapped, Policy(), population="p") == []

    def test_simulatable_mode(self, first: Service) -> None:
        other = Table(("B", "C"), (("c", "d"), ("e", "f")), np.array([[7, 0], [0, 8]]))
        with pytest.raises(InputError, match="cannot take other tables"):
            first.add(
                *("custodian", "two", other, Policy(mode="simulatable")),
                codebook='{"B": ["c", "d"], "C": ["e", "f"]}',
                population="p",
            )

    def test_a_part_of_the_people_is_said(self, first: Service) -> None:
        part = Table(("A", "B"), (("a", "b"), ("c", "d")), np.array([[2, 3], [3, 1]]))
        (note,) = first.add("custodian", "part", part, Policy(), population="p")
        assert "differences" in note
        assert first.ledger("part")[0].content["said"] == [note]


def test_a_synthetic_answer_brings_no_total_that_was_refused(database: Database) -> None:
    """Asked again, a refused margin is answered from memory: the total must not come with it past the other table."""
    service, levels = Service(database), (("a", "b"), ("c", "d"))
    one, two = (Table(names, levels, np.array(counts)) for names, counts in ((("A", "B"), [[1, 4], [3, 2]]), TWO))
    kept = Policy(c=3, w=2, otherwise="simulate")
    service.add("custodian", "one", one, kept, population="p", codebook=declared(one))
    service.add("custodian", "two", two, Policy(c=3, w=50), population="p", codebook=declared(two))
    for variables in (["A", "B"], [], ["A", "B"], []):
        assert service.ask(WHO, "one", variables).answer == "refuse"
    assert service.released("one") == []
    assert audit(database).intact


def test_a_table_whose_rule_has_become_simulatable_has_no_relatives(database: Database) -> None:
    service, levels = Service(database), (("a", "b"), ("c", "d"))
    one = Table(("A", "B"), levels, np.array([[1, 4], [3, 2]]))
    two = Table(("A", "C"), levels, np.array([[2, 3], [3, 2]]))
    service.add("custodian", "one", one, Policy(), population="p", codebook=declared(one))
    change_policy(database, "custodian", "one", Policy(mode="simulatable"))
    with pytest.raises(InputError, match="simulatable"):
        service.add("custodian", "two", two, Policy(), population="p", codebook=declared(two))
    change_policy(database, "custodian", "one", Policy(w=2))
    service.add("custodian", "two", two, Policy(), population="p", codebook=declared(two))
    with pytest.raises(InputError, match="simulatable"):
        change_policy(database, "custodian", "one", Policy(mode="simulatable"))


def test_what_was_not_settled_about_the_other_table_stays_open(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time limit that the other table's decision met is no danger: the margin can be asked again."""
    service, levels = Service(database), (("a", "b"), ("c", "d"))
    one = Table(("A", "B"), levels, np.array([[11, 14], [13, 12]]))
    two = Table(("A", "C"), levels, np.array([[12, 13], [1, 24]]))
    service.add("custodian", "one", one, Policy(), population="p", codebook=declared(one))
    service.add("custodian", "two", two, Policy(), population="p", codebook=declared(two))

    def slow(state: Situation, policy: Policy, margin: int, progress: None = None) -> Decision:
        return leave_open(state, policy, margin, {}) if "C" in state.table.names else decide(state, policy, margin)

    monkeypatch.setattr(judging, "decide", slow)
    assert service.ask(WHO, "one", ["A"]).ground == "unresolved"
    assert service.current("one").state.frontier.refused == ()
    assert list(service.current("one").state.unresolved) == [1]
    monkeypatch.undo()
    assert service.ask(WHO, "one", ["A"]).answer == "refuse"  # too early
    assert service.ask(WHO, "one", ["A"], limit=5.0).answer == "release"
    assert audit(database).intact


def test_a_release_of_the_other_table_keeps_open_questions(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    service, levels = Service(database), (("a", "b"), ("c", "d"))
    one = Table(("A", "B"), levels, np.array([[11, 14], [13, 12]]))
    two = Table(("A", "C"), levels, np.array([[12, 13], [11, 14]]))
    service.add("custodian", "one", one, Policy(), population="p", codebook=declared(one))
    service.add("custodian", "two", two, Policy(), population="p", codebook=declared(two))
    monkeypatch.setattr(judging, "decide", lambda state, policy, mask, _=None: leave_open(state, policy, mask, {}))
    assert service.ask(WHO, "one", ["A"]).ground == "unresolved"
    monkeypatch.undo()
    assert service.ask(WHO, "two", ["A"]).answer == "release"
    assert service.ask(WHO, "one", ["B"]).answer == "release"
    assert list(service.current("one").state.unresolved) == [1]
    assert service.ask(WHO, "one", ["A"]).ground == "unresolved", "it is too early, whatever the other table has told"
    assert audit(database).intact


class TestEditions:
    def test_margins_of_one_year_count_in_the_next(self, database: Database) -> None:
        service = Service(database)
        levels = (("a", "b"), ("c", "d"))
        policy = Policy(c=1, w=4)
        service.add("custodian", "y1", Table(("A", "B"), levels, np.array([[1, 3], [3, 0]])), policy)
        later = Table(("A", "B"), levels, np.array([[1, 3], [4, 0]]))
        (note,) = service.add("custodian", "y2", later, policy, predecessor="y1")
        assert "not judged" in note
        assert service.ask(WHO, "y1", ["A"]).answer == "release"
        assert service.ask(WHO, "y2", ["B"]).answer == "refuse"
        told = {d["name"]: d["predecessor"] for d in service.datasets(WHO)}
        assert told == {"y1": None, "y2": "y1"}
        change_stage(database, "boss", "y1", "retired")
        assert [d["predecessor"] for d in service.datasets(WHO)] == [None], "what one may not see is not named"
        assert audit(database).intact

    def test_the_same_margins_stay_askable(self, database: Database, auto: Table) -> None:
        service = Service(database)
        service.add("custodian", "y1", auto, Policy())
        service.add("custodian", "y2", Table(auto.names, auto.categories, auto.dense() + 1), Policy(), predecessor="y1")
        service.add("custodian", "y3", Table(auto.names, auto.categories, auto.dense() + 2), Policy(), predecessor="y2")
        for year in ("y1", "y2", "y3"):
            assert service.ask(WHO, year, ["A", "B"]).answer == "release"
        assert audit(database).intact

    def test_after_a_view_comes_the_edition_of_its_table(self, database: Database, auto: Table) -> None:
        service = Service(database)
        service.add("custodian", "y1", auto, Policy())
        service.add("custodian", "v1", auto.collapse("A", {}), Policy(), unit="y1")
        service.add("custodian", "y2", Table(auto.names, auto.categories, auto.dense() + 1), Policy(), predecessor="v1")
        assert service.open("y2").stored.origin.predecessor == "y1"

    def test_other_variables_are_no_edition(self, database: Database, auto: Table) -> None:
        service = Service(database)
        service.add("custodian", "y1", auto, Policy())
        with pytest.raises(InputError, match="variables of its predecessor"):
            service.add("custodian", "y2", auto.margin(["A", "B"]), Policy(), predecessor="y1")
