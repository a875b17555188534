"""Decisions against the oracle that lists every table, and what the design promises of them."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import all_tables, consistent, exact_answers, margin, simulatable_answers, subsets

from discreet.release import engine
from discreet.release.decision import CONTAINED, FRONTIER, UNRESOLVED, Decision, Situation, cut_off, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, mask_of
from discreet.release.policy import Policy
from discreet.release.unresolved import Attempt

Axes = tuple[int, ...]


def table_of(counts: np.ndarray) -> Table:
    names = tuple("ABCDEFGH"[: counts.ndim])
    return Table(names, tuple(tuple(range(size)) for size in counts.shape), counts)


def run(counts: np.ndarray, policy: Policy, requests: list[Axes]) -> list[Decision]:
    """Decisions one after the other."""
    table = table_of(counts)
    state = Situation(table)
    for known in policy.published:
        state = Situation(table, state.frontier.release(mask_of(table.axes(known))))
    made = []
    for request in requests:
        made.append(decide(state, policy, mask_of(request)))
        carried = state.carried if made[-1].carried is None else made[-1].carried
        state = Situation(table, made[-1].frontier, carried)
    return made


shapes = st.sampled_from([(2, 2, 2), (3, 2, 2), (2, 2), (4, 3), (2, 1, 3)])


@given(st.data(), shapes, st.integers(1, 3), st.integers(1, 3), st.sampled_from([1, 1, 2, 7]))
@settings(max_examples=80)
def test_exact_answers_are_those_of_the_oracle(
    data: st.DataObject, shape: tuple[int, ...], c: int, w: int, min_tables: int
) -> None:
    cells = int(np.prod(shape))
    counts = np.array(data.draw(st.lists(st.sampled_from([0, 0, 1, 1, 2]), min_size=cells, max_size=cells)))
    while counts.sum() > 6:
        counts[np.argmax(counts)] -= 1
    requests = data.draw(st.lists(st.sampled_from(subsets(len(shape))), min_size=1, max_size=5))
    policy = Policy(c=c, w=w, min_tables=min_tables, time_limit=60)
    made = run(counts.reshape(shape), policy, requests)
    assert [d.answer for d in made] == exact_answers(counts, shape, requests, c, w, min_tables)


def test_all_margins_of_the_autoworkers(auto: Table) -> None:
    """c = 2, w = 3: everything up to four variables, five of the six with five; never the table itself."""
    policy = Policy(time_limit=60)
    requests = [axes for size in range(2, 7) for axes in combinations(range(6), size)]
    made = run(auto.dense(), policy, requests)
    refused = [r for r, d in zip(requests, made) if d.answer != "release"]
    assert len(requests) == 57
    assert [len(r) for r in refused] == [5, 6]
    assert made[-1].ground == FRONTIER


def test_contained_requests_need_no_work(auto: Table) -> None:
    state = Situation(auto, Frontier((0b1111,), (0b110000,)))
    assert decide(state, Policy(), 0b0110).ground == CONTAINED
    assert decide(state, Policy(), 0b111000).ground == FRONTIER


def undecided(*_: object, **__: object) -> engine.Verdicts:
    flags = np.zeros(3, bool)
    return engine.Verdicts(flags, flags, "exact", {})


def test_what_is_unsettled_is_refused_and_closes_nothing(auto: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(engine, "judge_widths", undecided)
        made = decide(Situation(auto, moment=100.0), Policy(), 0b11)
    assert (made.answer, made.ground, made.changes) == ("refuse", UNRESOLVED, True)
    assert made.frontier == Frontier()
    assert made.unresolved == {0b11: Attempt(1, 160.0, 10.0)}
    # Neither what contains it nor what it contains is closed.
    for mask in (0b1, 0b111):
        assert decide(Situation(auto, made.frontier, {}, made.unresolved, 101.0), Policy(), mask).answer == "release"


def test_an_open_question_is_tried_again_after_a_pause_and_by_a_custodian_at_once(
    auto: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float | None] = []

    def timed(*given: object, **__: object) -> engine.Verdicts:
        limits.append(given[5].limit)  # type: ignore[attr-defined]
        return undecided()

    state = Situation(auto, moment=100.0)
    with monkeypatch.context() as patched:
        patched.setattr(engine, "judge_widths", timed)
        for moment, limit, expected in (
            (100.0, None, Attempt(1, 160.0, 10.0)),
            (159.0, None, None),
            (159.0, 77.0, Attempt(2, 279.0, 77.0)),
            (278.0, None, None),
            (279.0, None, Attempt(3, 519.0, 40.0)),
            (519.0, None, Attempt(4, 999.0, 80.0)),
            (999.0, None, Attempt(5, 1959.0, 80.0)),
        ):
            made = decide(Situation(auto, state.frontier, {}, state.unresolved, moment, limit), Policy(), 0b11)
            assert (made.answer, made.ground) == ("refuse", UNRESOLVED)
            assert (made.attempt, made.changes) == (expected, expected is not None)
            state = Situation(auto, made.frontier, {}, made.unresolved)
    assert limits == [10.0, 77.0, 40.0, 80.0, 80.0]
    made = decide(
        Situation(auto, state.frontier, {}, {**state.unresolved, 0b1: Attempt(1, 1e9, 1.0)}, 2000.0), Policy(), 0b11
    )
    assert (made.answer, made.unresolved) == ("release", {})


def test_a_refusal_settles_the_open_questions_above_it(small: Table) -> None:
    state = Situation(small, unresolved={0b111: Attempt(1, 1e12, 1.0), 0b1: Attempt(1, 1e12, 1.0)})
    made = decide(state, Policy(w=9), 0b11)
    assert made.ground == "danger"
    assert set(made.unresolved) == {0b1}


def test_a_decision_that_was_ended_from_outside(auto: Table) -> None:
    state = Situation(auto, Frontier((0b1,)), moment=100.0)
    made = cut_off(state, Policy(otherwise="simulate"), 0b110)
    assert made is not None
    assert (made.answer, made.ground, made.attempt) == ("simulate", UNRESOLVED, Attempt(1, 160.0, 10.0))
    made = cut_off(Situation(auto), Policy(otherwise="simulate"), 0b110)
    assert made is not None
    assert made.answer == "refuse"
    assert cut_off(state, Policy(mode="simulatable"), 0b110) is None


def test_one_sensitive_person_is_enough_to_refuse() -> None:
    counts = np.full((2, 2, 2), 50)
    assert run(counts, Policy(), [(0, 1, 2)])[0].answer == "release"
    counts[0, 0, 0] = 1
    assert run(counts, Policy(), [(0, 1, 2)])[0].answer == "refuse"


@given(st.permutations(subsets(3)), st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(any))
@settings(max_examples=40)
def test_the_order_of_carried_bounds_never_matters(order: list[Axes], counts: list[int]) -> None:
    """Decisions with bounds carried along are those made from scratch."""
    cube = np.array(counts).reshape(2, 2, 2)
    table, policy = table_of(cube), Policy(c=2, w=2, time_limit=60)
    frontier = Frontier()
    for request, made in zip(order, run(cube, policy, order)):
        fresh = decide(Situation(table, frontier), policy, mask_of(request))
        assert fresh.answer == made.answer
        frontier = made.frontier


def test_a_simulated_answer_needs_a_total(small: Table) -> None:
    policy = Policy(otherwise="simulate")
    first = decide(Situation(small), policy, 0b111)
    assert (first.answer, first.total_released) == ("simulate", True)
    assert first.frontier == Frontier((0,), (0b111,))
    later = decide(Situation(small, first.frontier), policy, 0b111)
    assert (later.answer, later.total_released, later.ground) == ("simulate", False, FRONTIER)


def test_no_total_no_simulated_answer() -> None:
    lone = table_of(np.array([[1, 0], [0, 1]]))
    assert decide(Situation(lone), Policy(w=3, otherwise="simulate"), 0b11).answer == "refuse"


class TestSimulatable:
    """Every 2 × 2 × 2 table of a few persons, every order of requests."""

    shape = (2, 2, 2)
    requests = subsets(3)

    def histories(self, total: int, policy: Policy, known: list[Axes]) -> list[tuple[np.ndarray, list[Decision]]]:
        tables = all_tables(self.shape, total)
        orders = [self.requests, self.requests[::-1], [(0, 1), (1, 2), (0, 2), (0, 1, 2), (0,)]]
        return [
            (table, order, run(table.reshape(self.shape), policy, list(order))) for order in orders for table in tables
        ]

    @pytest.mark.parametrize(("w", "known"), [(1, []), (1, [(0,), (1,)]), (2, [(0, 1)]), (1, [(0, 1), (2,)])])
    def test_no_refusal_tells_anything(self, w: int, known: list[Axes]) -> None:
        """Tables that look alike get the same answer: so a refusal leaves the set of possible tables as it was.

        With nothing public even the total is unknown, so tables of different totals look alike.
        """
        names = ["ABC"[a] for a in range(3)]
        published = tuple(tuple(names[a] for a in axes) for axes in known)
        policy = Policy(c=1, w=w, mode="simulatable", published=published, time_limit=60)
        answers: dict[object, str] = {}
        seen = {"release": 0, "refuse": 0}
        for total in (1, 2, 3) if not known else (2, 3):
            for table, order, made in self.histories(total, policy, known):
                public = [margin(table[None], self.shape, axes).tobytes() for axes in known]
                for request, decision in zip(order, made):
                    key = (tuple(order), request, tuple(public))
                    assert answers.setdefault(key, decision.answer) == decision.answer
                    seen[decision.answer] += 1
                    if decision.answer == "release":
                        public.append(margin(table[None], self.shape, request).tobytes())
                    else:
                        public.append(b"refused")
        assert seen["refuse"] > 0
        assert w > 1 or seen["release"] > 0

    @given(st.lists(st.integers(0, 2), min_size=8, max_size=8).filter(lambda x: 0 < sum(x) < 6), st.data())
    @settings(max_examples=40)
    def test_answers_are_those_of_the_oracle(self, counts: list[int], data: st.DataObject) -> None:
        known = data.draw(st.lists(st.sampled_from(subsets(3)[:6]), min_size=1, max_size=2, unique=True))
        order = data.draw(st.permutations(self.requests))
        c, w = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
        published = tuple(tuple("ABC"[a] for a in axes) for axes in known)
        policy = Policy(c=c, w=w, mode="simulatable", published=published, time_limit=60)
        truth = np.array(counts)
        made = run(truth.reshape(self.shape), policy, list(order))
        assert [d.answer for d in made] == simulatable_answers(truth, self.shape, list(order), c, w, known)

    def test_exact_refusals_do_tell(self) -> None:
        """The other mode leaks, as its description says: some refusal rules out tables."""
        policy = Policy(c=1, w=1, time_limit=60)
        tables = all_tables(self.shape, 3)
        order = [(0, 1), (1, 2), (0, 2), (0, 1, 2)]
        by_view: dict[object, set[str]] = {}
        for table in tables:
            public: list[bytes] = []
            for request, decision in zip(order, run(table.reshape(self.shape), policy, order)):
                by_view.setdefault((request, tuple(public)), set()).add(decision.answer)
                if decision.answer == "release":
                    public.append(margin(table[None], self.shape, request).tobytes())
        assert any(len(answers) == 2 for answers in by_view.values())

    def test_large_tables_are_decided_from_public_figures_alone(self, auto: Table) -> None:
        policy = Policy(c=2, w=3, mode="simulatable", published=(("A", "B"), ("C", "D")), time_limit=20)
        other = table_of(auto.dense())
        moved = other.dense().copy()
        # Two persons trade places: the published margins stay, the table does not.
        for place, step in (((0, 0, 0, 0, 0, 0), 1), ((0, 0, 0, 0, 1, 0), -1), ((1, 1, 1, 1, 1, 0), 1)):
            moved[place] += step
        moved[1, 1, 1, 1, 0, 0] -= 1
        assert consistent(moved.reshape(1, -1), (2,) * 6, other.dense().reshape(-1), [(0, 1), (2, 3)]).size
        requests = [(0,), (0, 2), (1, 2, 3), (4,)]
        first, second = (run(c, policy, requests) for c in (other.dense(), moved))
        assert [d.answer for d in first] == [d.answer for d in second]
        assert [dict(d.evidence) for d in first] == [dict(d.evidence) for d in second]


def test_every_permutation_of_three_requests_ends_safe() -> None:
    counts = np.array([[[1, 0], [2, 3]], [[0, 4], [1, 1]]])
    tables = all_tables((2, 2, 2), int(counts.sum()))
    flat = counts.reshape(-1)
    for order in permutations([(0, 1), (1, 2), (0, 2)]):
        made = run(counts, Policy(c=2, w=1, time_limit=60), list(order))
        released = [r for r, d in zip(order, made) if d.answer == "release"]
        fibre = consistent(tables, (2, 2, 2), flat, released)
        width = fibre.max(axis=0) - fibre.min(axis=0)
        assert (width[(flat >= 1) & (flat <= 2)] >= 1).all()
