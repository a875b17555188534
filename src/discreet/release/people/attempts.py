"""Sign-ins that fail: how many an address may make, and how they reach the ledger.

A token has 256 bits, so there is nothing to guess: the lock spares the server work, and must not become a way to lock
people out. Hence a valid token is let in whatever others do from the same address, which may be an office's proxy; only
failures are counted for an address. A token itself may begin so many sessions a minute, so that whoever holds one does
not fill the database. For the ledger, failures are added up: one entry a minute at most, with their number.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST = 20
SECONDS = 60.0
KNOWN = 10_000


class Attempts:
    """At most `most` failures for an address, and sign-ins for an account, in `seconds`."""

    def __init__(self, most: int = MOST, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.seconds, self.clock = most, seconds, clock
        self._seen: OrderedDict[object, tuple[float, int]] = OrderedDict()
        self._failed = 0
        self._entered = -seconds
        self._guard = threading.Lock()

    def failed(self, address: str) -> float:
        """Count a failure; 0, or the seconds that the address has to wait since it has had too many."""
        with self._guard:
            self._failed += 1
            return self._count(place_of(address))

    def begun(self, account: int) -> float:
        """Count a sign-in; 0, or the seconds after which the account may sign in again."""
        with self._guard:
            return self._count(account)

    def due(self) -> int:
        """How many failures are to be entered into the ledger now; they are not told a second time."""
        with self._guard:
            now = self.clock()
            if not self._failed or now - self._entered < self.seconds:
                return 0
            number, self._failed, self._entered = self._failed, 0, now
            return number

    def _count(self, key: object) -> float:
        now = self.clock()
        begun, number = self._seen.pop(key, (now, 0))
        if now - begun >= self.seconds:
            begun, number = now, 0
        self._seen[key] = (begun, number + 1)
        while len(self._seen) > KNOWN:  # the one that was silent longest
            self._seen.popitem(last=False)
        return 0.0 if number < self.most else begun + self.seconds - now


def place_of(address: str) -> str:
    """Of an IPv6 address the network, of which a single machine has all the addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    mapped = parsed.ipv4_mapped
    return str(mapped or ipaddress.ip_network((parsed, 64), strict=False))
