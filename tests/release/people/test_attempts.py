"""Failures are counted for the address and sign-ins for the account, and neither locks out others."""

from __future__ import annotations

from discreet.release.people import attempts
from discreet.release.people.attempts import Attempts, place_of


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_address_waits_and_others_do_not() -> None:
    clock = Clock()
    lock = Attempts(3, 60.0, clock)
    assert [lock.failed("10.0.0.1") for _ in range(3)] == [0.0] * 3
    assert lock.failed("10.0.0.1") == 60.0
    assert lock.failed("10.0.0.2") == 0.0
    assert lock.begun(1) == 0.0
    clock.now = 45.0
    assert lock.failed("10.0.0.1") == 15.0
    clock.now = 60.0
    assert lock.failed("10.0.0.1") == 0.0


def test_accounts_and_addresses_are_apart() -> None:
    lock = Attempts(1, 60.0, Clock())
    assert lock.begun(1) == 0.0
    assert lock.begun(1) > 0
    assert lock.begun(2) == 0.0
    assert lock.failed("1") == 0.0


def test_the_ledger_hears_of_every_failure_once() -> None:
    clock = Clock()
    lock = Attempts(3, 60.0, clock)
    told = []
    for second in range(0, 600, 5):
        clock.now = float(second)
        lock.failed(f"10.0.0.{second % 7}")
        told.append(lock.due())
    clock.now = 1000.0
    told.append(lock.due())
    assert sum(told) == 120
    assert sum(number > 0 for number in told) <= 11
    assert lock.due() == 0


def test_memory_is_bounded() -> None:
    lock = Attempts(3, 60.0, Clock())
    for number in range(attempts.KNOWN + 50):
        lock.failed(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(lock._seen) == attempts.KNOWN


def test_a_network_is_one_place() -> None:
    assert place_of("2001:db8::1") == place_of("2001:db8::ffff:1") != place_of("2001:db8:0:1::1")
    assert place_of("::ffff:10.0.0.1") == place_of("10.0.0.1") == "10.0.0.1"
    assert place_of("testclient") == "testclient"
