"""Who is dominated, against the definition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from discreet.instruments.comparison.efficient import Point, dominates, dominators

POINTS = st.lists(
    st.builds(Point, st.sampled_from([0.1, 0.2, 0.3, 0.4]), st.sampled_from([0.1, 0.2, 0.3, 0.4]), st.booleans()),
    max_size=8,
)


@given(POINTS)
def test_by_the_definition(points: list[Point]) -> None:
    found = dominators(points)
    for a, point in enumerate(points):
        above = {
            b
            for b, other in enumerate(points)
            if other.risk <= point.risk
            and other.loss <= point.loss
            and (other.risk < point.risk or other.loss < point.loss)
            and (other.proven or not point.proven)
        }
        assert set(found[a]) == above
        assert a not in above
        losses = [points[b].loss for b in found[a]]
        assert losses == sorted(losses)


@given(POINTS)
def test_somebody_is_always_efficient(points: list[Point]) -> None:
    assert not points or any(not above for above in dominators(points))


def test_equals_do_not_dominate_and_measured_never_beats_proven() -> None:
    one = Point(0.2, 0.2, True)
    assert not dominates(one, one)
    assert not dominates(Point(0.2 - 1e-15, 0.2, True), one)
    assert not dominates(Point(0.1, 0.1, False), one)
    assert dominates(Point(0.1, 0.1, True), Point(0.2, 0.2, False))
