"""One history per dataset: answers follow the ledger's order, whoever asks and however they interleave."""

from __future__ import annotations

import threading
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from release_tables import declared
from sqlalchemy import delete

from discreet.errors import InputError
from discreet.release import engine, judging
from discreet.release import service as service_module
from discreet.release.audit import audit
from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, mask_of
from discreet.release.history.database import Database
from discreet.release.history.models import Synthetic
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.service import Service, UnknownDataset


def test_answers_are_those_of_the_decision_function(service: Service, analyst: Actor, auto: Table) -> None:
    requests = [axes for size in (2, 4, 5, 6, 3) for axes in combinations("ABCDEF", size)]
    state = Situation(auto)
    for request in requests:
        expected = decide(state, Policy(), mask_of(auto.axes(request)))
        state = Situation(auto, expected.frontier, state.carried if expected.carried is None else expected.carried)
        given = service.ask(analyst, "auto", list(request))
        assert (given.answer, given.ground) == (expected.answer, expected.ground)
        if given.margin is not None:
            assert (given.margin.table.dense() == auto.margin(request).dense()).all()
    entries = service.ledger("auto")
    assert [e.content["variables"] for e in entries[1:]] == [list(r) for r in requests]
    assert audit(service.database).intact


def test_the_order_of_names_does_not_matter(service: Service, analyst: Actor) -> None:
    assert service.ask(analyst, "auto", ["C", "A"]).variables == ("A", "C")
    assert service.ask(analyst, "auto", ["A", "C"]).ground == "contained"


def test_a_decision_on_an_old_state_is_made_again(
    service: Service, analyst: Actor, auto: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one process decides, another releases: the first must notice and think again."""
    other = Service(service.database)
    decided = []

    def slow(state: Situation, policy: Policy, mask: int, progress: object = None) -> object:
        made = decide(state, policy, mask)
        if not decided:
            decided.append(mask)
            monkeypatch.setattr(judging, "decide", slow)
            other.ask(analyst, "auto", list("ACDEF"))
        elif len(decided) < 10:
            decided.append(mask)
        return made

    monkeypatch.setattr(judging, "decide", slow)
    service.ask(analyst, "auto", list("BCDEF"))
    # The request of the first, the one that came between, and the first again.
    assert [len(bin(m)) > 0 for m in decided] == [True] * len(decided)
    assert len(decided) == 3
    assert [e.content["variables"] for e in service.ledger("auto")[1:]] == [list("ACDEF"), list("BCDEF")]
    assert audit(service.database).intact


def test_two_services_never_release_an_unsafe_pair(database: Database, analyst: Actor) -> None:
    """Each of two margins is safe, both together are not: whatever the timing, only one gets out.

    The lone person is within [0, 4] given either margin and within [1, 4] given both.
    """
    pair = Table(("A", "B"), (("a", "b"), ("c", "d")), np.array([[1, 3], [3, 0]]))
    policy = Policy(c=1, w=4)
    assert [decide(Situation(pair), policy, mask).answer for mask in (1, 2)] == ["release"] * 2
    assert decide(Situation(pair, Frontier((1,))), policy, 2).answer == "refuse"
    for round in range(10):
        services = Service(database), Service(database)
        services[0].add("custodian", f"pair{round}", pair, policy, distinct=True)
        answers: list[str] = []
        gate = threading.Barrier(2)

        def go(service: Service, variable: str, name: str, gate: threading.Barrier, out: list[str]) -> None:
            service.open(name)
            gate.wait()
            out.append(service.ask(analyst, name, [variable]).answer)

        threads = [
            threading.Thread(target=go, args=(service, variable, f"pair{round}", gate, answers))
            for service, variable in zip(services, "AB")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == ["refuse", "release"]
    assert audit(database).intact


def test_state_survives_a_restart_without_work(
    service: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for request in ("AB", "BC", "AC", "ABCDEF"):
        service.ask(analyst, "auto", list(request))
    monkeypatch.setattr(judging, "decide", None)
    again = Service(service.database)
    opened = again.current("auto")
    assert opened.state.frontier == service.current("auto").state.frontier
    assert opened.state.carried.keys() == service.current("auto").state.carried.keys()
    assert opened.state.carried
    assert again.ask(analyst, "auto", ["A", "C"]).answer == "release"


def test_margins_public_before_count_from_the_start(database: Database, auto: Table, analyst: Actor) -> None:
    service = Service(database)
    service.add("custodian", "known", auto, Policy(published=(("A", "B", "C"),)))
    assert service.ask(analyst, "known", list("AB")).ground == "contained"
    assert service.released("known")[0]["variables"] == ["A", "B", "C"]
    assert audit(database).intact


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", "x" * 65, "ä"])
def test_names_are_plain(service: Service, small: Table, name: str) -> None:
    with pytest.raises(InputError, match="name must"):
        service.add("custodian", name, small, Policy())
    with pytest.raises(UnknownDataset):
        service.open(name)


def test_a_name_is_taken_once(service: Service, small: Table) -> None:
    with pytest.raises(InputError, match="already a dataset"):
        service.add("custodian", "auto", small, Policy())
    assert audit(service.database).intact


def test_unknown_variables_are_told_with_the_known(service: Service, analyst: Actor) -> None:
    with pytest.raises(InputError, match="A, B, C, D, E, F"):
        service.ask(analyst, "auto", ["Z"])


def test_a_stale_view_never_decides(
    service: Service, analyst: Actor, auto: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may put an old state back into memory at any moment: the decision must not look at it."""
    opened = service.open("auto")
    old = opened.state
    service.ask(analyst, "auto", list("ABCDE"))
    seen = []

    def watch(state: Situation, policy: Policy, mask: int, progress: object = None) -> object:
        seen.append(state.frontier)
        return decide(state, policy, mask)

    def refresh(kept: object) -> object:
        fresh = real(kept)
        opened.state = old
        return fresh

    real = service._refresh
    monkeypatch.setattr(judging, "decide", watch)
    monkeypatch.setattr(service, "_refresh", refresh)
    service.ask(analyst, "auto", list("BCDEF"))
    assert [frontier.released for frontier in seen] == [(0b11111,)]
    assert audit(service.database).intact


def test_margins_too_large_to_send_are_told_so(
    service: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "MAX_MARGIN", 16)
    with pytest.raises(InputError, match="32 cells"):
        service.ask(analyst, "auto", list("ABCDE"))


class TestSimulated:
    @pytest.fixture
    def simulating(self, database: Database, auto: Table) -> Service:
        made = Service(database)
        made.add("custodian", "synth", auto, Policy(otherwise="simulate"), codebook=declared(auto))
        return made

    def test_agrees_with_all_that_is_released(self, simulating: Service, analyst: Actor, auto: Table) -> None:
        for request in ("ABC", "CDE", "AF"):
            assert simulating.ask(analyst, "synth", list(request)).answer == "release"
        answer = simulating.ask(analyst, "synth", list("ABCDEF"))
        assert answer.answer == "simulate"
        assert answer.synthetic
        assert answer.margin is not None
        for released in ("ABC", "CDE", "AF"):
            assert (answer.margin.table.margin(list(released)).dense() == auto.margin(list(released)).dense()).all()
        assert (answer.margin.table.dense() != auto.dense()).any()
        assert answer.margin.columns()["synthetic"] == [True] * 64

    def test_is_one_table_per_release_state(self, simulating: Service, analyst: Actor) -> None:
        whole = simulating.ask(analyst, "synth", list("ABCDEF")).margin
        again = Service(simulating.database).ask(analyst, "synth", list("ABCDEF")).margin
        assert whole is not None
        assert again is not None
        assert (whole.table.dense() == again.table.dense()).all()
        total = simulating.ask(analyst, "synth", [])
        assert total.margin is not None
        assert total.ground == "contained"
        simulating.ask(analyst, "synth", list("AB"))
        fresh = simulating.ask(analyst, "synth", list("ABCDEF")).margin
        assert fresh is not None
        assert (fresh.table.dense() != whole.table.dense()).any()
        assert audit(simulating.database).intact

    @pytest.mark.parametrize("first", [True, False])
    def test_a_table_drawn_too_late_is_never_told(
        self, simulating: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch, first: bool
    ) -> None:
        """While one process draws a synthetic table, another commits its own: that one is told, now and later."""
        if not first:  # the refusal stands already, so no revision tells that something has happened
            simulating.ask(analyst, "synth", list("ABCDEF"))
            with simulating.database.writing() as connection:
                connection.execute(delete(Synthetic))
        other, real = Service(simulating.database), engine.synthesize
        theirs: list[str] = []

        def slow(*given: Any) -> Any:
            made = real(*given)
            if not theirs:
                theirs.append("")
                theirs[0] = other.ask(analyst, "synth", list("ABCDEF")).json
            return made

        monkeypatch.setattr(engine, "synthesize", slow)
        assert simulating.ask(analyst, "synth", list("ABCDEF")).json == theirs[0]
        assert simulating.ask(analyst, "synth", list("ABCDEF")).json == theirs[0]
        if first:
            assert audit(simulating.database).intact
