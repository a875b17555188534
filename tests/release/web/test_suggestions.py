"""What is suggested after a refusal: the nearest margins by brute force, and nothing that the asker does not know."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.release.engine import Table
from discreet.release.frontier import Frontier
from discreet.release.history.database import open_database
from discreet.release.policy import Policy
from discreet.release.service import Service
from discreet.release.tokens import Actor, actor_of_token, create_token
from discreet.release.web.views.asking import answer_view
from discreet.release.web.views.crosstab import Layout
from discreet.release.web.views.suggestions import instead, nearest, published_within

masks = st.integers(0, 63)


@given(masks, st.lists(masks, max_size=5))
def test_nearest_by_looking_at_all_subsets(request: int, refused: list[int]) -> None:
    barred = [request, *(m for m in refused if m & ~request == 0)]
    free = [s for s in range(64) if s & ~request == 0 and all(r & ~s for r in barred)]
    most = max((s.bit_count() for s in free), default=0)
    assert sorted(nearest(request, refused)) == [s for s in free if s.bit_count() == most]


@given(masks, st.lists(masks, max_size=5))
def test_published_within_by_looking_at_all_subsets(request: int, released: list[int]) -> None:
    public = [s for s in range(64) if s & ~request == 0 and any(s & ~r == 0 for r in released)]
    largest = {s for s in public if not any(s != t and s & ~t == 0 for t in public)}
    assert set(published_within(request, released)) == largest


@given(masks, st.lists(masks, max_size=4), st.lists(masks, max_size=4))
def test_what_is_suggested_is_neither_public_nor_refused(request: int, released: list[int], refused: list[int]) -> None:
    known = Frontier(tuple(released), tuple(refused))
    ways = instead(request, released, refused)
    for mask in ways["askable"]:
        assert known.status(mask) == "possible"
        assert mask & ~request == 0
    for mask in ways["published"]:
        assert known.covers(mask)


def test_sixteen_variables_with_many_refusals_end() -> None:
    pairs = [1 << a | 1 << b for a in range(16) for b in range(a)]
    assert nearest((1 << 16) - 1, pairs) == [1]
    assert nearest((1 << 16) - 1, [*pairs, 1, 2]) == [4]
    assert nearest((1 << 16) - 1, [*pairs, 0]) == []
    few = nearest((1 << 16) - 1, pairs[:3])
    assert len(few) == 3
    assert {mask.bit_count() for mask in few} == {14}


def suggested(service: Service, actor: Actor, name: str, variables: list[str]) -> object:
    answer = service.ask(actor, name, variables)
    return answer_view(service, actor, service.current(name), answer, Layout()).get("instead")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_two_servers_that_told_her_the_same_suggest_the_same(seed: int) -> None:
    """Whatever the tables are and whatever others asked: only releases and her own answers matter."""
    random = np.random.default_rng(seed)
    seen = {}
    with TemporaryDirectory() as folder:
        database = open_database(str(Path(folder) / "d.db"), create=True)
        ann, bob = (actor_of_token(database, create_token(database, "analyst", n)[0]) for n in ("ann", "bob"))
        assert ann is not None
        assert bob is not None
        service = Service(database)
        for number in range(4):
            table = Table(("A", "B", "C"), (("a", "b"),) * 3, random.poisson(2, (2, 2, 2)) + (number == 0))
            name = f"t{number}"
            service.add("carla", name, table, Policy(), distinct=True)
            for margin in (["A", "B"], ["A", "C"], ["B", "C"]):
                if random.random() < 0.5:
                    service.ask(bob, name, margin)
            told = suggested(service, ann, name, ["A", "B", "C"])
            if told is None:
                continue
            known = service.current(name).state.frontier.released
            assert seen.setdefault(known, told) == told
        database.close()
