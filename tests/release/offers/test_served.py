"""Parts of margins through the service: written down, repeated, counted in every later decision, judged again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from oracles.release import looks_the_same, safe
from release_tables import declared

from discreet.errors import InputError
from discreet.release.audit import audit
from discreet.release.engine import Table
from discreet.release.history import store
from discreet.release.history.chain import next_entry
from discreet.release.history.database import Database
from discreet.release.life.rule import change_policy
from discreet.release.life.stages import change_stage
from discreet.release.offers.partial import Partial
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.running.hold import hold
from discreet.release.service import Service

COUNTS = np.array([[1, 8, 9], [7, 2, 6]])
NAMES, LEVELS = ("A", "B"), (("a", "b"), ("x", "y", "z"))
TABLE = Table(NAMES, LEVELS, COUNTS)
HIDING = Policy(otherwise="suppress")
ROUNDING = Policy(otherwise="round", base=8)


def told(answer: Any) -> list[int | None]:
    found: list[int | None] = answer.margin.counts()
    return found


@pytest.fixture
def served(database: Database) -> Service:
    made = Service(database)
    made.add("custodian", "hiding", TABLE, HIDING, codebook=declared(TABLE))
    made.add("custodian", "rounding", TABLE, ROUNDING, codebook=declared(TABLE), distinct=True)
    return made


def test_told_repeated_and_intact(served: Service, analyst: Actor, database: Database) -> None:
    first = served.ask(analyst, "hiding", ["A", "B"])
    assert (first.answer, first.ground, told(first)) == ("suppress", "danger", [None, 8, 9, 7, None, 6])
    again = Service(database).ask(analyst, "hiding", ["A", "B"])
    assert (again.answer, again.ground, again.json) == ("suppress", "contained", first.json)
    rounded = served.ask(analyst, "rounding", ["A", "B"])
    assert (rounded.answer, told(rounded)) == ("round", [0, 8, 8, 8, 0, 8])
    assert audit(database, [first.entry, again.entry, rounded.entry]).faults == ()
    (listed,) = served.released("hiding")
    assert (listed["answer"], listed["hidden"], [row["count"] for row in listed["margin"]]) == (
        "suppress",
        2,
        told(first),
    )
    assert "hidden" not in str([entry.content.get("margin") for entry in served.ledger("hiding")])


@pytest.mark.parametrize("name", ["hiding", "rounding"])
def test_later_answers_know_of_it(served: Service, analyst: Actor, name: str, database: Database) -> None:
    """[A] and [B] alone are safe; beside the part of [AB] whatever is told leaves every sensitive cell wide."""
    for request in (["A", "B"], ["A"], ["B"], []):
        served.ask(analyst, name, request)
    state = served.current(name).state
    truth = COUNTS.reshape(-1)
    assert safe(truth, looks_the_same(near(truth), (2, 3), truth, *state.frontier.public), 2, 3)
    assert audit(database).faults == ()


def near(counts: np.ndarray) -> np.ndarray:
    """Tables of six cells, each at most 3 away from these counts: if they keep a cell wide, it is."""
    offsets = np.stack(np.meshgrid(*[np.arange(-3, 4)] * 6, indexing="ij"), -1).reshape(-1, 6)
    found: np.ndarray = offsets + counts
    return found[(found >= 0).all(axis=1)]


def test_no_offer_where_a_list_is_not_public(database: Database, analyst: Actor) -> None:
    service = Service(database)
    service.add("custodian", "bare", TABLE, HIDING)
    for _ in range(2):
        assert service.ask(analyst, "bare", ["A", "B"]).answer == "refuse"
    assert service.current("bare").state.frontier.partials == ()
    assert audit(database).faults == ()


def test_a_closed_dataset_still_tells_it(served: Service, analyst: Actor, database: Database) -> None:
    before = served.ask(analyst, "hiding", ["A", "B"])
    change_stage(database, "custodian", "hiding", "closed")
    assert served.ask(analyst, "hiding", ["A", "B"]).json == before.json
    with pytest.raises(InputError, match="closed"):
        served.ask(analyst, "hiding", ["A"])
    assert audit(database).faults == ()


def test_what_was_told_is_not_lost(
    served: Service, analyst: Actor, database: Database, web: Callable[..., Any], bearer: dict[str, dict[str, str]]
) -> None:
    """Once a new rule has forgotten its refusal: files of it decide nothing, and a closed table still tells it."""
    before = served.ask(analyst, "hiding", ["A", "B"])
    change_policy(database, "custodian", "hiding", Policy(c=1, w=1))
    query = "/api/datasets/hiding/margins/file?v=A&v=B&format=csv"
    file = web().get(query, headers=bearer["analyst"])
    assert (file.status_code, "hidden" in file.text) == (200, True)
    assert served.current("hiding").state.frontier.released == ()
    change_stage(database, "custodian", "hiding", "closed")
    again = served.ask(analyst, "hiding", ["A", "B"])
    assert (again.answer, again.ground, again.json) == ("suppress", "contained", before.json)
    change_stage(database, "custodian", "hiding", "open")
    assert served.ask(analyst, "hiding", ["A", "B"]).ground != "contained"
    assert audit(database).faults == ()


def test_a_part_is_told_while_decisions_are_held(served: Service, analyst: Actor, database: Database) -> None:
    before = served.ask(analyst, "hiding", ["A", "B"])
    with database.writing() as connection:
        hold(connection, {"entry": "x"})
    assert served.ask(analyst, "hiding", ["A", "B"]).json == before.json


def test_a_new_rule_judges_it(served: Service, analyst: Actor, database: Database) -> None:
    served.ask(analyst, "rounding", ["A", "B"])
    with pytest.raises(InputError, match="makes 2 narrower"):
        change_policy(database, "custodian", "rounding", replace(ROUNDING, w=5))
    change_policy(database, "custodian", "rounding", Policy(c=1, w=1))
    assert served.ask(analyst, "rounding", ["A"]).answer == "release"
    assert served.ask(analyst, "rounding", ["A", "B"]).answer == "round"  # refused anew, and told as before
    assert audit(database).faults == ()


def test_views_tell_what_their_table_told(served: Service, analyst: Actor, database: Database) -> None:
    merged = Table(("B", "A"), (("xy", "z"), ("a", "b")), np.array([[9, 9], [9, 6]]))
    for name in ("hiding", "rounding"):
        served.add("custodian", f"view-of-{name}", merged, Policy(), unit=name, codebook=declared(merged))
    answer = served.ask(analyst, "view-of-hiding", ["A", "B"])
    assert (answer.answer, told(answer)) == ("suppress", [None, None, 9, 6])
    assert told(served.ask(analyst, "hiding", ["A", "B"])) == [None, 8, 9, 7, None, 6]
    (listed,) = served.released("view-of-hiding")
    assert [row["count"] for row in listed["margin"]] == [None, None, 9, 6]
    # Sums of rounded counts are rounded to nothing: the view does not tell them, its table does.
    assert served.ask(analyst, "view-of-rounding", ["A", "B"]).answer == "refuse"
    assert served.released("view-of-rounding") == []
    assert served.ask(analyst, "rounding", ["A", "B"]).answer == "round"
    assert audit(database).faults == ()


def test_a_view_lists_no_categories_by_a_part(
    served: Service, analyst: Actor, web: Callable[..., Any], database: Database
) -> None:
    """Those of a view that are not declared are of somebody: neither its list of margins nor its page shows them."""
    merged = Table(("B", "A"), (("secret", "z"), ("a", "b")), np.array([[9, 9], [9, 6]]))
    served.add("custodian", "bare-view", merged, Policy(), unit="hiding")
    served.ask(analyst, "hiding", ["A", "B"])
    assert served.released("bare-view") == []
    assert "secret" not in web("analyst").get("/datasets/bare-view?v=A&v=B").text
    assert served.ask(analyst, "bare-view", ["A", "B"]).answer == "refuse"
    assert audit(database).faults == ()


def test_another_table_about_the_same_people_is_kept_safe(database: Database, analyst: Actor) -> None:
    """A part of one table's margin counts in the others as if the margin were out; nothing is told that harms them."""
    service = Service(database)
    service.add("custodian", "one", TABLE, HIDING, codebook=declared(TABLE), population="people")
    other = Table(("B", "C"), (LEVELS[1], ("p", "q")), np.array([[1, 7], [9, 1], [8, 7]]))
    service.add("custodian", "two", other, HIDING, codebook=declared(other), population="people")
    assert service.ask(analyst, "two", ["B", "C"]).answer == "suppress"
    first = service.ask(analyst, "one", ["A", "B"])
    # [B] of `one` is public by what `two` told in part: beside it, hiding the two small counts would not do.
    assert first.answer == "refuse" or len([n for n in told(first) if n is None]) > 2
    assert audit(database).faults == ()


def test_editions_know_parts_of_one_another(database: Database, analyst: Actor) -> None:
    service = Service(database)
    service.add("custodian", "first", TABLE, HIDING, codebook=declared(TABLE))
    later = Table(("B", "A"), (LEVELS[1][::-1], LEVELS[0]), np.ascontiguousarray(COUNTS.T[::-1]))
    service.add("custodian", "second", later, HIDING, codebook=declared(later), predecessor="first")
    assert told(service.ask(analyst, "first", ["A", "B"])) == [None, 8, 9, 7, None, 6]
    # Nothing changed between the two: the same counts must stay hidden, whatever is asked of the second.
    for request in (["A", "B"], ["A"], ["B"], []):
        service.ask(analyst, "second", request)
    released, parts = service.current("second").state.frontier.public
    of_first = Partial(0b11, "suppress", (3, 4))  # (y, b) and (x, a), in the order of the second
    truth = later.dense().reshape(-1)
    assert safe(truth, looks_the_same(near(truth), (3, 2), truth, released, [*parts, of_first]), 2, 3)
    assert audit(database).faults == ()


def forge(database: Database, name: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Rewrite the last entry of a dataset's chain as if it had always been so: hashes and all."""
    with database.reading() as connection:
        entries = list(store.read_entries(connection, store.chain_of(name)))
    content = entries[-1].content
    change(content)
    at = content.pop("at")
    made = next_entry(store.chain_of(name), entries[-2].sequence, entries[-2].hash, {**content, "at": at})
    with sqlite3.connect(str(database.engine.url.database)) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        place = (made.body, made.hash, made.chain, made.sequence)
        connection.execute("UPDATE ledger SET body = ?, hash = ? WHERE chain = ? AND sequence = ?", place)
        connection.execute("UPDATE chains SET head = ? WHERE name = ?", (made.hash, made.chain))


def put(database: Database, name: str, service: Service, **values: Any) -> None:
    """Have the stored state say the same as the forged entry."""
    state = service.current(name).state
    part = replace(state.frontier.partials[0], **values)
    with database.writing() as connection:
        number = store.dataset_id(connection, name)
        assert number is not None
        store.save_state(
            connection, number, replace(state, frontier=replace(state.frontier, partials=(part,))), carried=False
        )


@pytest.mark.parametrize(
    ("name", "part", "values", "said"),
    [
        ("hiding", {"hidden": [0]}, {"hidden": (0,)}, "tells more than the rule allows"),
        ("hiding", {"hidden": []}, {"hidden": ()}, "tells more than the rule allows"),
        ("rounding", {"base": 2}, {"base": 2}, "not the policy's"),
    ],
)
def test_a_forged_part_is_found(
    served: Service, analyst: Actor, database: Database, name: str, part: Any, values: Any, said: str
) -> None:
    served.ask(analyst, name, [])
    answer = served.ask(analyst, name, ["A", "B"])
    assert answer.answer in ("suppress", "round")
    put(database, name, served, **values)
    digest = Service(database).current(name)

    def change(content: dict[str, Any]) -> None:
        content["part"] = part
        content["margin"] = digest.part(digest.state.frontier.partials[0]).digest

    forge(database, name, change)
    assert any(said in fault for fault in audit(database).faults)


def test_a_part_in_the_state_alone_is_found(served: Service, analyst: Actor, database: Database) -> None:
    served.ask(analyst, "hiding", ["A", "B"])
    put(database, "hiding", served, hidden=(0, 1, 4))
    assert any("does not follow from its ledger" in fault for fault in audit(database).faults)


def test_by_call_and_by_page(web: Callable[..., Any], bearer: dict[str, dict[str, str]], served: Service) -> None:
    client = web()
    asked = client.post(
        "/api/datasets/hiding/requests", json={"variables": ["A", "B"]}, headers=bearer["analyst"]
    ).json()
    assert (asked["answer"], asked["hidden"], asked["base"]) == ("suppress", 2, 1)
    assert [row["count"] for row in asked["margin"]] == [None, 8, 9, 7, None, 6]
    (listed,) = client.get("/api/datasets/hiding/margins", headers=bearer["analyst"]).json()
    assert listed["margin"] == asked["margin"]
    query = "/api/datasets/hiding/margins/file?v=A&v=B&format="
    for format in ("csv", "json", "parquet", "json-stat", "px", "sdmx-csv", "sdmx-structure"):
        assert client.get(query + format, headers=bearer["analyst"]).status_code == 200
    assert client.get(query.replace("v=B&", "") + "csv", headers=bearer["analyst"]).status_code == 409
    page = web("analyst")
    shown = page.get("/datasets/hiding?v=A&v=B").text
    assert "2 of 6 counts hidden" in shown and shown.count(">hidden<") >= 2 and "In part" in shown
    shown = page.get("/datasets/rounding").text
    csrf = shown.split('name="csrf" value="')[1].split('"')[0]
    shown = page.post("/datasets/rounding/ask", data={"v": ["A", "B"], "csrf": csrf}).text
    assert "Rounded to 8, one by one" in shown and "Receipt" in shown
    kept = web("custodian")
    assert "Told in part" in kept.get("/datasets/hiding/margins").text
    assert kept.get("/datasets/hiding/cells").status_code == 200
    assert "In part" in page.get("/history").text
