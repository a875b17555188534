"""The rate limit on a clock of its own."""

from __future__ import annotations

from discreet.release.web.limits import RateLimit


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_a_trickle() -> None:
    clock = Clock()
    limit = RateLimit(2.0, 3.0, clock)
    assert [limit.wait("a") for _ in range(3)] == [0, 0, 0]
    assert limit.wait("a") == 0.5
    clock.now = 0.5
    assert limit.wait("a") == 0
    assert limit.wait("a") > 0
    assert limit.wait("b") == 0


def test_a_rest_fills_the_bucket_to_its_brim() -> None:
    clock = Clock()
    limit = RateLimit(1.0, 2.0, clock)
    clock.now = 1000.0
    assert [limit.wait("a") > 0 for _ in range(3)] == [False, False, True]


def test_forgets_those_who_are_gone() -> None:
    clock = Clock()
    limit = RateLimit(10.0, 10.0, clock)
    for key in range(10_001):
        limit.wait(key)
    clock.now = 100.0
    limit.wait("next")
    assert len(limit._buckets) == 1
